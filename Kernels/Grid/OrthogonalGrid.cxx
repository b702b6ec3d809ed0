#include "Grid/OrthogonalGrid.h"

#include "Error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace isochrone::grid {

namespace {

constexpr double turn = 2 * std::numbers::pi, radian = std::numbers::pi / 180;

/// Rounding of angles: the full circle and the poles are met within this share of a circle.
constexpr double closeBy = 1e-9;

/// Turns of a longitude beyond which digits are missing.
constexpr double maxTurns = 1e6;

const char* nameOf(AxisRole role) {
  switch (role) {
  case AxisRole::Radius:
    return "the radius";
  case AxisRole::Colatitude:
    return "the colatitude";
  case AxisRole::Longitude:
    return "the longitude";
  case AxisRole::Length:
    break;
  }
  return "the coordinate";
}

bool isAngle(AxisRole role) { return role == AxisRole::Colatitude || role == AxisRole::Longitude; }

/// @throws Error unless the coordinates, in degrees, suit the axis
void require(const std::vector<double>& at, AxisRole role, int axis) {
  const auto reject = [&](const char* fault, double value, std::size_t index, const char* remedy) {
    fail(nameOf(role), " on axis ", axis, " ", fault, ", got ", value, " at index ", index, ": ", remedy);
  };
  if (at.empty()) fail(nameOf(role), " on axis ", axis, " has no values: give one for each index");
  for (std::size_t n = 0; n < at.size(); ++n) {
    if (!std::isfinite(at[n])) reject("must be finite", at[n], n, "correct the coordinates of the grid");
    if (n > 0 && !(at[n] > at[n - 1]))
      reject("must increase from index to index", at[n], n,
             "sort the coordinates and remove duplicates, with the arrays in the same order");
  }
  if (role == AxisRole::Radius && at[0] < 0)
    reject("must not be negative", at[0], 0, "radii count from the centre");
  if (role == AxisRole::Colatitude) {
    if (at[0] < -180 * closeBy)
      reject("must be from 0 to 180 degrees", at[0], 0,
             "it counts from the north pole, 90 minus the latitude");
    if (at.back() > 180 * (1 + closeBy))
      reject("must be from 0 to 180 degrees", at.back(), at.size() - 1,
             "it counts from the north pole, in degrees: 90 minus the latitude");
  }
  if (role == AxisRole::Longitude && std::max(std::abs(at[0]), std::abs(at.back())) > 360 * maxTurns)
    reject("must be within a million turns", at[0], 0, "subtract multiples of 360 degrees");
  if (role == AxisRole::Longitude && at.back() - at[0] > 360 * (1 + closeBy))
    fail("the longitudes on axis ", axis, " must not cover more than 360 degrees, got ", at[0], " to ",
         at.back(), ": give angles in degrees, and each meridian once");
}

double largestStep(const std::vector<double>& at) {
  double largest = 0;
  for (std::size_t n = 1; n < at.size(); ++n) largest = std::max(largest, at[n] - at[n - 1]);
  return largest;
}

} // namespace

OrthogonalGrid::OrthogonalGrid(Coordinates coordinates, const Roles& roles)
    : at(std::move(coordinates)), role(roles) {
  for (int a = 0; a < 3; ++a) require(at[std::size_t(a)], roleOf(a), a);
  if (!isSpherical()) return;
  for (int a = 0; a < 3; ++a) {
    std::vector<double>& values = at[std::size_t(a)];
    if (!isAngle(roleOf(a))) continue;
    for (double& angle : values) angle *= radian;
    if (roleOf(a) == AxisRole::Colatitude) {
      if (values.front() < turn * closeBy) values.front() = 0;
      if (values.back() > std::numbers::pi - turn * closeBy) values.back() = std::numbers::pi;
    }
  }
  const std::vector<double>& phi = at[std::size_t(axisOf(AxisRole::Longitude))];
  const double gap = phi.front() + turn - phi.back();
  copy = phi.size() > 1 && gap < turn * closeBy;
  around = phi.size() > 1 && gap <= largestStep(phi) * (1 + 1e-6);
}

OrthogonalGrid OrthogonalGrid::along(const std::array<int, 3>& axes) const {
  OrthogonalGrid grid = *this;
  for (std::size_t a = 0; a < 3; ++a)
    grid.at[a] = at[std::size_t(axes[a])], grid.role[a] = role[std::size_t(axes[a])];
  return grid;
}

int OrthogonalGrid::axisOf(AxisRole wanted) const {
  return int(std::ranges::find(role, wanted) - role.begin());
}

OrthogonalGrid OrthogonalGrid::closed() const {
  OrthogonalGrid grid = *this;
  if (!around || copy) return grid;
  std::vector<double>& phi = grid.at[std::size_t(axisOf(AxisRole::Longitude))];
  phi.push_back(phi.front() + turn);
  grid.copy = true;
  return grid;
}

double OrthogonalGrid::coordinate(int axis, double step) const {
  const std::vector<double>& values = at[std::size_t(axis)];
  const auto n = std::int64_t(values.size());
  double whole = 0;
  if (around && roleOf(axis) == AxisRole::Longitude) {
    const double period = double(copy ? n - 1 : n), turns = std::floor(step / period);
    whole = turns * turn, step -= turns * period;
  }
  if (n == 1) return values[0];
  if (!std::isfinite(step)) return step;
  const bool inGap = around && !copy && roleOf(axis) == AxisRole::Longitude && step > double(n - 1);
  if (inGap) {
    const double last = values.back();
    return whole + last + (step - double(n - 1)) * (values[0] + turn - last);
  }
  const auto low = std::int64_t(std::clamp(std::floor(step), 0., double(n - 2)));
  const double a = values[std::size_t(low)], b = values[std::size_t(low + 1)], share = step - double(low);
  return whole + (share == 1 ? b : a + share * (b - a));
}

double OrthogonalGrid::stepAt(int axis, double value) const {
  const std::vector<double>& values = at[std::size_t(axis)];
  const auto n = std::int64_t(values.size());
  if (n == 1 || !std::isfinite(value)) return n == 1 ? 0 : value;
  if (roleOf(axis) == AxisRole::Longitude) {
    if (around) {
      value -= turn * std::floor((value - values[0]) / turn);
      if (value - values[0] > turn * (1 - closeBy)) value = values[0]; // rounding, just before the first one
      if (!copy && value > values.back())
        return double(n - 1) + (value - values.back()) / (values[0] + turn - values.back());
    } else {
      value -= turn * std::round((value - (values.front() + values.back()) / 2) / turn);
    }
  }
  const auto above = std::ranges::upper_bound(values, value) - values.begin();
  const auto low = std::clamp<std::int64_t>(above - 1, 0, n - 2);
  const double a = values[std::size_t(low)], b = values[std::size_t(low + 1)];
  return double(low) + (value - a) / (b - a);
}

Position OrthogonalGrid::steps(const Position& position) const {
  Position steps;
  for (int a = 0; a < 3; ++a) {
    const auto axis = std::size_t(a);
    steps[axis] = stepAt(a, isAngle(roleOf(a)) ? position[axis] * radian : position[axis]);
  }
  return steps;
}

Position OrthogonalGrid::position(const Position& steps) const {
  Position position;
  for (int a = 0; a < 3; ++a) {
    const auto axis = std::size_t(a);
    const double value = coordinate(a, steps[axis]);
    position[axis] = isAngle(roleOf(a)) ? value / radian : value;
  }
  return position;
}

double OrthogonalGrid::circle() const {
  const int axis = axisOf(AxisRole::Longitude);
  return double(copy ? size(axis) - 1 : size(axis));
}

Position OrthogonalGrid::stepsInTurn(const Position& position) const {
  Position at = steps(position);
  if (!around) return at;
  const auto axis = std::size_t(axisOf(AxisRole::Longitude));
  const double given = position[axis] * radian, here = coordinate(int(axis), at[axis]);
  at[axis] += circle() * std::round((given - here) / turn);
  return at;
}

Position OrthogonalGrid::inFirstTurn(Position steps) const {
  if (!around) return steps;
  const int axis = axisOf(AxisRole::Longitude);
  const double round = circle();
  double& at = steps[std::size_t(axis)];
  if (std::abs(at) > maxTurns * round) at = std::numeric_limits<double>::quiet_NaN();
  if (at < 0 || at > round) at -= round * std::floor(at / round);
  return steps;
}

double OrthogonalGrid::valueOf(AxisRole wanted, const Position& steps) const {
  const int axis = axisOf(wanted);
  return coordinate(axis, steps[std::size_t(axis)]);
}

Vector3 OrthogonalGrid::embedded(const Position& steps) const {
  if (!isSpherical()) return {coordinate(0, steps[0]), coordinate(1, steps[1]), coordinate(2, steps[2])};
  const double r = valueOf(AxisRole::Radius, steps), theta = valueOf(AxisRole::Colatitude, steps),
               phi = valueOf(AxisRole::Longitude, steps), across = r * std::sin(theta);
  return {across * std::cos(phi), across * std::sin(phi), r * std::cos(theta)};
}

Position OrthogonalGrid::stepsOf(const Vector3& place) const {
  if (!isSpherical()) return {stepAt(0, place[0]), stepAt(1, place[1]), stepAt(2, place[2])};
  const double across = std::hypot(place[0], place[1]);
  Position steps;
  for (int a = 0; a < 3; ++a) {
    const double value = roleOf(a) == AxisRole::Radius       ? std::hypot(across, place[2])
                         : roleOf(a) == AxisRole::Colatitude ? std::atan2(across, place[2])
                                                             : std::atan2(place[1], place[0]);
    steps[std::size_t(a)] = stepAt(a, value);
  }
  return steps;
}

std::array<Vector3, 3> OrthogonalGrid::frame(const Position& steps) const {
  if (!isSpherical()) return {Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}};
  const double theta = valueOf(AxisRole::Colatitude, steps), phi = valueOf(AxisRole::Longitude, steps);
  const double st = std::sin(theta), ct = std::cos(theta), sp = std::sin(phi), cp = std::cos(phi);
  std::array<Vector3, 3> axes;
  axes[std::size_t(axisOf(AxisRole::Radius))] = {st * cp, st * sp, ct};
  axes[std::size_t(axisOf(AxisRole::Colatitude))] = {ct * cp, ct * sp, -st};
  axes[std::size_t(axisOf(AxisRole::Longitude))] = {-sp, cp, 0};
  return axes;
}

double OrthogonalGrid::length(const Vector3& v) { return std::hypot(v[0], v[1], v[2]); }

double OrthogonalGrid::factor(const GridIndex& point, int axis) const {
  if (!isAngle(roleOf(axis))) return 1;
  const auto value = [&](AxisRole wanted) {
    const auto of = std::size_t(axisOf(wanted));
    return at[of][std::size_t(point[of])];
  };
  const double r = value(AxisRole::Radius);
  if (roleOf(axis) == AxisRole::Colatitude) return r;
  return isPole(point) ? 0 : r * std::sin(value(AxisRole::Colatitude));
}

double OrthogonalGrid::stepAbove(const GridIndex& point, int axis) const {
  const std::vector<double>& values = at[std::size_t(axis)];
  const auto n = std::size_t(point[std::size_t(axis)]);
  return (values[n + 1] - values[n]) * factor(point, axis);
}

OrthogonalGrid::StepRange OrthogonalGrid::stepRange() const {
  StepRange range{std::numeric_limits<double>::infinity(), 0};
  // The extremes of the factor along an axis: radius and sine are those of some points.
  double smallest[3] = {1, 1, 1}, greatest[3] = {1, 1, 1};
  if (isSpherical()) {
    double minRadius = std::numeric_limits<double>::infinity(), maxRadius = 0;
    for (const double r : at[std::size_t(axisOf(AxisRole::Radius))])
      if (r > 0) minRadius = std::min(minRadius, r), maxRadius = std::max(maxRadius, r);
    double minSine = 1, maxSine = 0;
    for (const double theta : at[std::size_t(axisOf(AxisRole::Colatitude))])
      if (theta > 0 && theta < std::numbers::pi)
        minSine = std::min(minSine, std::sin(theta)), maxSine = std::max(maxSine, std::sin(theta));
    const int theta = axisOf(AxisRole::Colatitude), phi = axisOf(AxisRole::Longitude);
    smallest[theta] = minRadius, greatest[theta] = maxRadius;
    smallest[phi] = minRadius * minSine, greatest[phi] = maxRadius * maxSine;
  }
  for (int a = 0; a < 3; ++a) {
    const std::vector<double>& values = at[std::size_t(a)];
    for (std::size_t n = 1; n < values.size(); ++n) {
      const double low = (values[n] - values[n - 1]) * smallest[a],
                   high = (values[n] - values[n - 1]) * greatest[a];
      if (low > 0 && std::isfinite(low)) range.minimum = std::min(range.minimum, low);
      range.largest = std::max(range.largest, high);
    }
  }
  if (range.largest == 0) range = {1, 1}; // one point, or one place
  return range;
}

double OrthogonalGrid::typicalStep() const {
  double shortest = std::numeric_limits<double>::infinity();
  for (int a = 0; a < 3; ++a) {
    const std::vector<double>& values = at[std::size_t(a)];
    if (values.size() < 2) continue;
    double factor = 1;
    if (isAngle(roleOf(a))) {
      const std::vector<double>& radii = at[std::size_t(axisOf(AxisRole::Radius))];
      factor = (radii.front() + radii.back()) / 2;
    }
    if (roleOf(a) == AxisRole::Longitude) {
      const std::vector<double>& theta = at[std::size_t(axisOf(AxisRole::Colatitude))];
      double sum = 0;
      for (const double angle : theta)
        if (angle < std::numbers::pi) sum += std::sin(angle); // at the pole itself the sine is rounding
      factor *= sum / double(theta.size());
    }
    const double step = factor * (values.back() - values.front()) / double(values.size() - 1);
    if (step > 0) shortest = std::min(shortest, step);
  }
  return std::isfinite(shortest) ? shortest : 1;
}

bool OrthogonalGrid::isCentre(const GridIndex& point) const {
  if (!isSpherical()) return false;
  const auto r = std::size_t(axisOf(AxisRole::Radius));
  return at[r][std::size_t(point[r])] == 0;
}

bool OrthogonalGrid::isPole(const GridIndex& point) const {
  if (!isSpherical()) return false;
  const auto axis = std::size_t(axisOf(AxisRole::Colatitude));
  const double theta = at[axis][std::size_t(point[axis])];
  return theta == 0 || theta == std::numbers::pi || isCentre(point);
}

GridIndex OrthogonalGrid::first(const GridIndex& point) const {
  if (!isSpherical()) return point;
  GridIndex same = point;
  const auto theta = std::size_t(axisOf(AxisRole::Colatitude)),
             phi = std::size_t(axisOf(AxisRole::Longitude));
  if (isCentre(point)) same[theta] = 0;
  if (isPole(point) || (copy && point[phi] == size(int(phi)) - 1)) same[phi] = 0;
  return same;
}

std::vector<GridIndex> OrthogonalGrid::samePlace(const GridIndex& point) const {
  if (first(point) == point && !isPole(point) && !copy) return {point};
  std::vector<GridIndex> points;
  const auto theta = std::size_t(axisOf(AxisRole::Colatitude)),
             phi = std::size_t(axisOf(AxisRole::Longitude));
  GridIndex p = first(point);
  if (isPole(point)) {
    const std::int64_t rows = isCentre(point) ? size(int(theta)) : 1;
    for (std::int64_t j = 0; j < rows; ++j)
      for (std::int64_t k = 0; k < size(int(phi)); ++k) {
        GridIndex q = p;
        q[theta] += j, q[phi] = k;
        points.push_back(q);
      }
    return points;
  }
  points.push_back(p);
  if (copy && p[phi] == 0) p[phi] = size(int(phi)) - 1, points.push_back(p);
  return points;
}

std::optional<GridIndex> OrthogonalGrid::neighbour(const GridIndex& point, int axis, int side) const {
  GridIndex next = point;
  std::int64_t& index = next[std::size_t(axis)];
  index += side;
  if (copy && roleOf(axis) == AxisRole::Longitude) { // index 0 is size - 1
    if (index < 0) index = size(axis) - 2;
    if (index >= size(axis)) index = 1;
  }
  if (index < 0 || index >= size(axis)) return {};
  return next;
}

std::vector<std::vector<GridIndex>> OrthogonalGrid::places() const {
  std::vector<std::vector<GridIndex>> lists;
  if (!isSpherical()) return lists;
  const int r = axisOf(AxisRole::Radius), theta = axisOf(AxisRole::Colatitude),
            phi = axisOf(AxisRole::Longitude);
  const auto point = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    GridIndex p;
    p[std::size_t(r)] = i, p[std::size_t(theta)] = j, p[std::size_t(phi)] = k;
    return p;
  };
  for (std::int64_t i = 0; i < size(r); ++i) {
    const bool centre = isCentre(point(i, 0, 0));
    std::vector<GridIndex> all;
    for (std::int64_t j = 0; j < size(theta); ++j) {
      if (centre || isPole(point(i, j, 0))) {
        for (std::int64_t k = 0; k < size(phi); ++k) all.push_back(point(i, j, k));
        if (!centre && all.size() > 1) lists.push_back(all);
        if (!centre) all.clear();
      } else if (copy) {
        lists.push_back({point(i, j, 0), point(i, j, size(phi) - 1)});
      }
    }
    if (all.size() > 1) lists.push_back(all);
  }
  return lists;
}

} // namespace isochrone::grid
