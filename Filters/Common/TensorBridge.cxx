#include "Common/TensorBridge.h"

#include "Common/ImageFrame.h"
#include "Error.h"

#include <vtkDataArray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

namespace isochrone::filters {

namespace {

/// Maximum difference of components that should be equal, relative to the largest component.
constexpr double leastAsymmetry = 1e-5;

Matrix3 turned(const ImageFrame& frame, const Matrix3& world) {
  Matrix3 m{};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) m[a][b] += frame.direction(a)[r] * world[r][c] * frame.direction(b)[c];
  return m;
}

/// Returns the squared velocity in the plane that gives the same times along the plane as the tensor in
/// space. The metric of the plane is a block of the metric in space; the same does not hold for its inverse.
Matrix3 inPlane(const Matrix3& squaredVelocity) {
  Matrix3 m = squaredVelocity;
  const double across = m[2][2];
  if (std::isnan(across) || m == Matrix3{}) return m; // a barrier
  if (across <= 0) {
    m[0][0] = -1; // makes the solver report that it is not positive definite
    return m;
  }
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) m[r][c] -= m[r][2] * m[2][c] / across;
  return m;
}

void requireComponents(int components, bool plane) {
  const bool space = components == 6 || components == 9, flat = components == 3 || components == 4;
  if (space || (flat && plane)) return;
  throw Error("the tensors have " + std::to_string(components) +
              " components, but 6 (xx yy zz xy yz xz) or 9" +
              (plane ? ", or 3 (xx yy xy) or 4 for a plane image," : "") +
              " are needed: choose another Speed Array or Speed Type");
}

} // namespace

Matrix3 matrixOf(const std::array<double, 9>& t, int components) {
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

bool isSymmetric(const Matrix3& m) {
  double largest = 0, difference = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      largest = std::max(largest, std::abs(m[r][c]));
      difference = std::max(difference, std::abs(m[r][c] - m[c][r]));
    }
  return !(difference > leastAsymmetry * largest); // accepts NaN, which marks a barrier
}

std::vector<float> tensorsAlong(const ImageFrame& frame, vtkDataArray* array, image::SpeedType type) {
  const int components = array->GetNumberOfComponents();
  const bool plane = frame.size(2) == 1, inSpace = components > 4;
  requireComponents(components, plane);
  std::vector<float> tensors(std::size_t(array->GetNumberOfTuples()) * (plane ? 3 : 6));
  auto* out = tensors.data();
  std::array<double, 9> tuple{};
  for (vtkIdType point = 0; point < array->GetNumberOfTuples(); ++point) {
    array->GetTuple(point, tuple.data());
    Matrix3 m = matrixOf(tuple, components);
    if (!isSymmetric(m)) {
      const std::int64_t nx = frame.size(0), ny = frame.size(1);
      throw Error(
          "the tensor at " + frame.pointName(point % nx, point / nx % ny, point / (nx * ny)) +
          " is not symmetric: only symmetric tensors define a speed, compute the symmetric part first");
    }
    if (inSpace) m = turned(frame, m);
    if (inSpace && plane && type == image::SpeedType::SquaredVelocityTensor) m = inPlane(m);
    *out++ = float(m[0][0]), *out++ = float(m[1][1]);
    if (!plane) *out++ = float(m[2][2]);
    *out++ = float(m[0][1]);
    if (!plane) *out++ = float(m[1][2]), *out++ = float(m[0][2]);
  }
  return tensors;
}

} // namespace isochrone::filters
