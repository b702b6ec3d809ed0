#include "Common/TensorBridge.h"

#include "Common/ImageFrame.h"
#include "Error.h"

#include <vtkDataArray.h>

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

} // namespace isochrone::filters
