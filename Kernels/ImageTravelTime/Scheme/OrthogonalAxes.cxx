#include "ImageTravelTime/Scheme/OrthogonalAxes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isochrone::image {

namespace {

using execution::Scalar;

/// Step of an axis with one index: so short that no straight line passes within it.
constexpr double noStep = 1e-6;

/// Returns a - sin(a), without a difference where a is small.
double lackOfSine(double a) {
  if (std::abs(a) > 0.1) return a - std::sin(a);
  const double square = a * a;
  return a * square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72)));
}

/// Returns the differences to the coordinates below and above an index.
/// @param goesOn  the two ends of the axis are one place
std::array<double, 2> stepsAt(const std::vector<double>& at, std::size_t i, bool goesOn) {
  const std::size_t n = at.size();
  const auto above = [&](std::size_t index) { return at[index + 1] - at[index]; };
  const double below = i > 0 ? above(i - 1) : goesOn ? above(n - 2) : n > 1 ? above(0) : noStep;
  return {below, i + 1 < n ? above(i) : goesOn ? above(0) : below};
}

} // namespace

double versineOf(double a) { return 2 * std::sin(a / 2) * std::sin(a / 2); }

OrthogonalAxes::OrthogonalAxes(const grid::OrthogonalGrid& grid, double unit) : curved(grid.isSpherical()) {
  using enum grid::AxisRole;
  if (curved) axisOfRole = {grid.axisOf(Radius), grid.axisOf(Colatitude), grid.axisOf(Longitude)};
  for (int role = 0; role < 3; ++role) roles[std::size_t(axisOfRole[std::size_t(role)])] = role;
  for (int a = 0; a < 3; ++a) {
    Axis& axis = axes[std::size_t(a)];
    const double scale = isAngle(a) ? 1 : 1 / unit;
    const auto n = std::size_t(grid.size(a));
    for (std::size_t i = 0; i < n; ++i) axis.coordinate.push_back(grid.coordinate(a, double(i)) * scale);
    const bool goesOn = grid.roleOf(a) == Longitude && grid.hasCopy();
    for (std::size_t i = 0; i < n; ++i) {
      const double value = axis.coordinate[i];
      const std::array<double, 2> step = stepsAt(axis.coordinate, i, goesOn);
      AxisSteps<Scalar>& steps = axis.steps.emplace_back();
      AxisShape<Scalar>& shape = axis.shape.emplace_back();
      for (std::size_t up = 0; up < 2; ++up) {
        steps.inverse[up] = float(1 / step[up]), shape.step[up] = float(step[up]);
        if (isAngle(a))
          shape.lack[up] = float(lackOfSine(step[up])), shape.versine[up] = float(versineOf(step[up]));
      }
      if (isAngle(a)) {
        const double half = std::max(step[0], step[1]) / 2;
        shape.halfStep = half < 1.5 ? float(std::tan(half)) : 1e6f;
      }
      if (grid.roleOf(a) == Radius) {
        shape.value = float(value), steps.inverseFactor = value > 0 ? float(1 / value) : 0;
      } else if (grid.roleOf(a) == Colatitude) {
        const bool pole = value == 0 || value == std::numbers::pi;
        shape.value = pole ? 0 : float(std::sin(value)), shape.cosine = float(std::cos(value));
        steps.inverseFactor = pole ? 0 : float(1 / std::sin(value));
      }
    }
  }
}

} // namespace isochrone::image
