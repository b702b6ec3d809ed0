#include "Grid/ThomsenArrays.h"

#include "Error.h"

#include <algorithm>
#include <cmath>

namespace isochrone {

namespace {

/// Number of components of an axis.
int axisComponents(const ImageGrid& grid) { return grid.nz == 1 ? 2 : 3; }

/// Returns the first component of a point's value.
const float* valueAt(std::span<const float> values, int components, std::int64_t point) {
  return values.data() + (std::int64_t(values.size()) == components ? 0 : point * components);
}

double parameterAt(std::span<const float> values, std::int64_t point) {
  return values.empty() ? 0 : double(*valueAt(values, 1, point));
}

} // namespace

std::array<double, 3> Thomsen::parameters(std::int64_t point) const {
  return {parameterAt(epsilon, point), parameterAt(delta, point), parameterAt(shear, point)};
}

/// Returns the symmetry axis, of any length.
grid::Vector3 Thomsen::axisOf(const ImageGrid& grid, std::int64_t point) const {
  const bool plane = grid.nz == 1;
  if (axis.empty()) return plane ? grid::Vector3{0, 1, 0} : grid::Vector3{0, 0, 1};
  const float* n = valueAt(axis, axisComponents(grid), point);
  return {n[0], n[1], plane ? 0. : double(n[2])};
}

ThomsenMedium Thomsen::at(const ImageGrid& grid, std::int64_t point, double speed) const {
  const auto [e, d, ratio] = parameters(point);
  const GridIndex sizes = grid.sizes();
  const auto extended = std::ranges::count_if(sizes, [](std::int64_t n) { return n > 1; });
  ThomsenMedium medium{speed, curveOf(e, d, ratio), axisOf(grid, point)};
  for (int a = 0; a < 3 && extended == 2; ++a)
    if (sizes[a] == 1) medium.axis[a] = 0;
  const double length = std::hypot(medium.axis[0], medium.axis[1], medium.axis[2]);
  const ThomsenCurve<double> isotropic{1, 0, 1};
  if (length == 0) return {medium.speed * std::sqrt(medium.curve.across), isotropic, {0, 0, 1}};
  for (double& n : medium.axis) n /= length;
  if (extended > 1) return medium;
  grid::Vector3 line{};
  for (int a = 0; a < 3; ++a) line[a] = sizes[a] > 1;
  if (extended == 0) line[0] = 1;
  return {1 / rayAlong(medium, line).time, isotropic, {0, 0, 1}};
}

bool Thomsen::isBarrier(const ImageGrid& grid, std::int64_t point) const {
  const auto [e, d, ratio] = parameters(point);
  const grid::Vector3 n = axisOf(grid, point);
  return std::isnan(e + d + ratio) || std::isnan(n[0]) || std::isnan(n[1]) || std::isnan(n[2]);
}

bool Thomsen::isValid(const ImageGrid& grid, std::int64_t point) const {
  const auto [e, d, ratio] = parameters(point);
  const grid::Vector3 n = axisOf(grid, point);
  const double length = std::hypot(n[0], n[1], n[2]);
  return faultOf(e, d, ratio) == ThomsenFault::None && length > 0 && std::isfinite(length);
}

bool Thomsen::areSame(const ImageGrid& grid, std::int64_t first, std::int64_t second) const {
  const auto same = [&](std::span<const float> values, int components) {
    if (values.empty()) return true;
    const float *a = valueAt(values, components, first), *b = valueAt(values, components, second);
    return std::equal(a, a + components, b);
  };
  return same(epsilon, 1) && same(delta, 1) && same(shear, 1) && same(axis, axisComponents(grid));
}

Thomsen Thomsen::extended(const ImageGrid& grid, std::int64_t points,
                          const std::function<std::vector<float>(std::span<const float>, int)>& extend,
                          Memory& memory) const {
  const auto one = [&](std::span<const float> values, int components, std::vector<float>& to) {
    if (points == 1 || std::int64_t(values.size()) != points * components) return values;
    to = extend(values, components);
    return std::span<const float>(to);
  };
  return {one(epsilon, 1, memory.epsilon), one(delta, 1, memory.delta),
          one(axis, axisComponents(grid), memory.axis), one(shear, 1, memory.shear)};
}

void Thomsen::requireLengths(const ImageGrid& grid, std::int64_t points) const {
  const auto require = [&](std::span<const float> values, std::int64_t components, const char* what) {
    const auto size = std::int64_t(values.size());
    if (size == 0 || size == components || size == points * components) return;
    throw Error(std::string(what) + " must have " + std::to_string(components) +
                (components > 1 ? " values" : " value") + " for each of " + std::to_string(points) +
                " points, or " + std::to_string(components) + " for all, got " + std::to_string(size));
  };
  require(epsilon, 1, "epsilon");
  require(delta, 1, "delta");
  require(shear, 1, "Vs / Vp");
  require(axis, axisComponents(grid), "the symmetry axis");
}

void Thomsen::reject(std::int64_t count, std::int64_t first, const std::string& name) const {
  const auto [e, d, ratio] = parameters(first);
  const std::string where =
      " at " + name + (count > 1 ? ", the first of " + std::to_string(count) + " such points" : "");
  const std::string remedy = "; correct such points, or make them barriers (NaN)";
  const std::string limit = "the square of Vs / Vp, " + text(ratio * ratio) + ",";
  switch (faultOf(e, d, ratio)) {
  case ThomsenFault::Epsilon:
    throw Error("epsilon must be finite and above -0.5, got " + text(e) + where + remedy);
  case ThomsenFault::Delta:
    throw Error("1 + 2 delta must be finite and above " + limit + " got delta = " + text(d) + where + remedy);
  case ThomsenFault::Shear:
    throw Error("Vs / Vp must not be negative, and its square below 1 and 1 + 2 epsilon, got " + text(ratio) +
                " with epsilon = " + text(e) + where + remedy);
  case ThomsenFault::Concave:
    throw Error(
        "delta is too large for epsilon: the slowness curve is not convex unless 1 + 2 delta - f is at "
        "most 4 (1 + 2 epsilon - f), with f the square of Vs / Vp; got epsilon = " +
        text(e) + ", delta = " + text(d) + ", Vs / Vp = " + text(ratio) + where + remedy);
  case ThomsenFault::None:
    break;
  }
  throw Error("the symmetry axis must be finite and not zero, got a length of 0 or infinity" + where +
              remedy);
}

} // namespace isochrone
