#include "Common/TiltedMedium.h"

#include "Common/ImageFrame.h"
#include "Error.h"

#include <vtkDataArray.h>
#include <vtkMath.h>

#include <algorithm>
#include <cmath>

namespace isochrone::filters {

namespace {

/// Returns the symmetry axis along the axes of the grid, for each point or for all.
std::vector<float> axisOf(const ImageFrame& frame, const std::vector<float>& tilt,
                          const std::vector<float>& azimuth,
                          const std::function<std::string(std::int64_t)>& nameOf) {
  const std::size_t count = std::max(tilt.size(), azimuth.size());
  const bool plane = frame.size(2) == 1;
  const auto radiansOf = [&](const std::vector<float>& angles, std::size_t n, const char* role) {
    const float angle = angles[angles.size() == 1 ? 0 : n];
    if (!std::isinf(angle)) return vtkMath::RadiansFromDegrees(double(angle));
    throw Error(std::string("the ") + role +
                " must be a finite number of degrees (NaN in barriers), got infinity at " +
                nameOf(std::int64_t(n)));
  };
  std::vector<float> axes;
  axes.reserve(count * (plane ? 2 : 3));
  for (std::size_t n = 0; n < count; ++n) {
    const double t = radiansOf(tilt, n, "tilt");
    if (plane) {
      axes.push_back(float(std::sin(t))), axes.push_back(float(std::cos(t)));
      continue;
    }
    const double a = radiansOf(azimuth, n, "azimuth");
    const double world[3] = {std::sin(t) * std::cos(a), std::sin(t) * std::sin(a), std::cos(t)};
    for (int axis = 0; axis < 3; ++axis)
      axes.push_back(float(vtkMath::Dot(world, frame.direction(axis).data())));
  }
  return axes;
}

} // namespace

TiltedMedium tiltedMediumOf(const ImageFrame& frame, const TiltedSettings& settings,
                            const std::function<vtkDataArray*(const ArrayChoice&, const char*)>& chosen,
                            const std::function<std::string(std::int64_t)>& nameOf) {
  const auto valuesOf = [&](const TiltedParameter& parameter, const char* role) {
    if (!parameter.array.chosen()) return std::vector<float>{float(parameter.constant)};
    return toFloats(chosen(parameter.array, role));
  };
  TiltedMedium medium;
  medium.epsilon = valuesOf(settings.epsilon, "epsilon");
  medium.delta = valuesOf(settings.delta, "delta");
  medium.shear = valuesOf(settings.shear, "Vs / Vp");
  const bool plane = frame.size(2) == 1; // the azimuth does not apply
  medium.axis = axisOf(frame, valuesOf(settings.tilt, "tilt"),
                       plane ? std::vector<float>{0} : valuesOf(settings.azimuth, "azimuth"), nameOf);
  return medium;
}

bool sameTilt(const Thomsen& a, const Thomsen& b) {
  return sameBytes(a.epsilon, b.epsilon) && sameBytes(a.delta, b.delta) && sameBytes(a.axis, b.axis) &&
         sameBytes(a.shear, b.shear);
}

} // namespace isochrone::filters
