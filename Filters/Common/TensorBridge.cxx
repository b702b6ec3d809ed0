#include "Common/TensorBridge.h"

#include "Common/Fields.h"
#include "Common/ImageFrame.h"
#include "Error.h"

#include <vtkDataArray.h>
#include <vtkDoubleArray.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace isochrone::filters {

namespace {

void requireComponents(int components, bool plane) {
  const bool space = components == 6 || components == 9, flat = components == 3 || components == 4;
  if (space || (flat && plane)) return;
  throw Error("the tensors have " + std::to_string(components) +
              " components, but 6 (xx yy zz xy yz xz) or 9" +
              (plane ? ", or 3 (xx yy xy) or 4 for a plane image," : "") +
              " are needed: choose another Speed Array or Speed Type");
}

/// Returns B^T D B: the derivative with respect to M, from the derivative D with respect to B M B^T.
image::Matrix3 pulledBack(const image::Matrix3& d, const image::Matrix3& b) {
  image::Matrix3 result{};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) result[r][c] += b[i][r] * d[i][j] * b[j][c];
  return result;
}

/// Returns the linear map B of tensors, M to B M B^T, with the derivative of image::inPlane at a tensor.
image::Matrix3 mapInPlane(const image::Matrix3& squaredVelocity) {
  const double across = squaredVelocity[2][2];
  return {{{1, 0, -squaredVelocity[0][2] / across}, {0, 1, -squaredVelocity[1][2] / across}, {0, 0, 0}}};
}

/// Returns the matrix of derivatives at a point, of which those off the diagonal stand for one element each.
image::Matrix3 derivativeMatrix(const double* d, bool plane) {
  if (plane) return {{{d[0], d[2] / 2, 0}, {d[2] / 2, d[1], 0}, {0, 0, 0}}};
  return {{{d[0], d[3] / 2, d[5] / 2}, {d[3] / 2, d[1], d[4] / 2}, {d[5] / 2, d[4] / 2, d[2]}}};
}

/// Writes such a matrix as a tuple of derivatives.
void write(const image::Matrix3& m, int components, double* to) {
  const std::array<double, 9> whole{m[0][0], m[0][1], m[0][2], m[1][0], m[1][1],
                                    m[1][2], m[2][0], m[2][1], m[2][2]};
  if (components == 9)
    std::ranges::copy(whole, to);
  else if (components == 6)
    to[0] = m[0][0], to[1] = m[1][1], to[2] = m[2][2], to[3] = 2 * m[0][1], to[4] = 2 * m[1][2],
    to[5] = 2 * m[0][2];
  else if (components == 4)
    to[0] = m[0][0], to[1] = to[2] = m[0][1], to[3] = m[1][1];
  else
    to[0] = m[0][0], to[1] = m[1][1], to[2] = 2 * m[0][1];
}

} // namespace

image::Matrix3 matrixOf(const std::array<double, 9>& t, int components) {
  switch (components) {
  case 3:
    return {{{t[0], t[2], 0}, {t[2], t[1], 0}, {0, 0, 0}}};
  case 4:
    return {{{t[0], t[1], 0}, {t[2], t[3], 0}, {0, 0, 0}}};
  case 6:
    return {{{t[0], t[3], t[5]}, {t[3], t[1], t[4]}, {t[5], t[4], t[2]}}};
  default:
    return {{{t[0], t[1], t[2]}, {t[3], t[4], t[5]}, {t[6], t[7], t[8]}}};
  }
}

std::vector<float> tensorsAlong(const ImageFrame& frame, vtkDataArray* array, image::SpeedType type,
                                const std::function<std::string(std::int64_t)>& nameOf) {
  const int components = array->GetNumberOfComponents();
  const bool plane = frame.size(2) == 1, inSpace = components > 4;
  requireComponents(components, plane);
  const image::Matrix3 axes{frame.direction(0), frame.direction(1), frame.direction(2)};
  std::vector<float> tensors(std::size_t(array->GetNumberOfTuples()) * (plane ? 3 : 6));
  auto* out = tensors.data();
  std::array<double, 9> tuple{};
  for (vtkIdType n = 0; n < array->GetNumberOfTuples(); ++n) {
    array->GetTuple(n, tuple.data());
    image::Matrix3 m = matrixOf(tuple, components);
    if (!image::isSymmetric(m))
      throw Error(
          "the tensor at " + nameOf(n) +
          " is not symmetric: only symmetric tensors define a speed, compute the symmetric part first");
    if (inSpace) m = image::alongAxes(m, axes);
    if (inSpace && plane && type == image::SpeedType::SquaredVelocityTensor) m = image::inPlane(m);
    *out++ = float(m[0][0]), *out++ = float(m[1][1]);
    if (!plane) *out++ = float(m[2][2]);
    *out++ = float(m[0][1]);
    if (!plane) *out++ = float(m[1][2]), *out++ = float(m[0][2]);
  }
  return tensors;
}

vtkSmartPointer<vtkDoubleArray> tensorDerivatives(const ImageFrame& frame, vtkDataArray* input,
                                                  bool isOfPoints, image::SpeedType type,
                                                  std::span<const double> derivatives) {
  const int components = input->GetNumberOfComponents();
  const bool plane = frame.size(2) == 1, inSpace = components > 4;
  const std::size_t given = plane ? 3 : 6;
  const image::Matrix3 axes{frame.direction(0), frame.direction(1), frame.direction(2)};
  auto result = named<vtkDoubleArray>("TensorSensitivity", vtkIdType(derivatives.size() / given), components);
  double* out = result->GetPointer(0);
  std::array<double, 9> tuple{};
  for (std::size_t n = 0; n < derivatives.size() / given; ++n, out += components) {
    const std::span<const double> here = derivatives.subspan(n * given, given);
    image::Matrix3 d = derivativeMatrix(here.data(), plane);
    if (inSpace && std::ranges::any_of(here, [](double v) { return v != 0; })) {
      if (plane && isOfPoints && type == image::SpeedType::SquaredVelocityTensor) {
        input->GetTuple(vtkIdType(n), tuple.data());
        d = pulledBack(d, mapInPlane(image::alongAxes(matrixOf(tuple, components), axes)));
      }
      d = pulledBack(d, axes);
    }
    write(d, components, out);
  }
  return result;
}

} // namespace isochrone::filters
