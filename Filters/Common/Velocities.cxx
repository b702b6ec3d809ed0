#include "Common/Velocities.h"

#include "Common/ImageFrame.h"
#include "Error.h"

#include <vtkDataArray.h>
#include <vtkMath.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace isochrone::filters {

namespace {

using Vector = std::array<double, 3>;

/// Maximum component that is treated as rounding, as a share of the whole.
constexpr double flatness = 1e-5;

double dot(const Vector& a, const Vector& b) { return vtkMath::Dot(a.data(), b.data()); }

Vector normalOf(const ImageFrame& frame) {
  Vector normal;
  vtkMath::Cross(frame.direction(0).data(), frame.direction(1).data(), normal.data());
  return normal;
}

/// Returns the world axes of the components.
std::vector<int> worldAxes(int components, bool plane, const Vector& normal) {
  if (components == 3) return {0, 1, 2};
  if (components != 2 || !plane)
    throw Error(
        "the drift has " + std::to_string(components) + " components, but " + (plane ? "2 or 3" : "3") +
        " are needed, a velocity along the axes of the world: choose another Drift Array, or make one "
        "with Calculator");
  std::vector<int> axes{0, 1, 2};
  std::erase_if(axes, [&](int a) { return std::abs(normal[a]) > 1 - flatness; });
  if (axes.size() == 2) return axes;
  throw Error("the drift has 2 components, but the image is oblique in the world: give all 3");
}

} // namespace

Velocities velocitiesAlong(const ImageFrame& frame, vtkDataArray* array,
                           const std::function<bool(std::int64_t)>& isIgnored) {
  const bool plane = frame.size(2) == 1;
  const Vector normal = normalOf(frame);
  const std::vector<int> axes = worldAxes(array->GetNumberOfComponents(), plane, normal);
  const int components = plane ? 2 : 3;
  Velocities velocities;
  velocities.values.reserve(std::size_t(components * array->GetNumberOfTuples()));
  const auto raise = [](double size, std::int64_t at, double& largest, std::int64_t& largestAt) {
    if (size > largest) largest = size, largestAt = at;
  };
  std::vector<double> tuple(axes.size());
  for (vtkIdType n = 0; n < array->GetNumberOfTuples(); ++n) {
    array->GetTuple(n, tuple.data());
    Vector velocity{};
    for (std::size_t c = 0; c < axes.size(); ++c) velocity[axes[c]] = tuple[c];
    double squared = 0;
    for (int a = 0; a < components; ++a) {
      velocities.values.push_back(float(dot(velocity, frame.direction(a))));
      squared += double(velocities.values.back()) * velocities.values.back();
    }
    if (isIgnored(n)) continue;
    raise(std::sqrt(squared), n, velocities.largest, velocities.largestAt);
    if (plane) raise(std::abs(dot(velocity, normal)), n, velocities.across, velocities.acrossAt);
  }
  return velocities;
}

std::string driftOutOfPlane(const Velocities& drift, double speed, const ImageFrame& frame) {
  if (!(drift.across > flatness * speed)) return {};
  std::ostringstream text;
  text << "the drift out of the plane of the image, up to " << drift.across << " at "
       << frame.pointName(drift.acrossAt % frame.size(0), drift.acrossAt / frame.size(0), 0)
       << ", is ignored";
  return text.str();
}

} // namespace isochrone::filters
