#include "ImageTravelTime/Sensitivity/PointDependence.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns the length of the straight line from a seed to a point that it starts.
double startLength(const Problem& p, const SeedPoint& start) {
  const Seed& seed = p.seeds[std::size_t(start.seed)];
  if (seed.isRegion) return 0;
  const Position from = seedPosition(p.grid, seed.at), h = p.grid.spacing();
  const GridIndex at = p.grid.indices(start.point);
  double squared = 0;
  for (int a = 0; a < 3; ++a) squared += std::pow(double(at[a]) * h[a] - from[a], 2);
  return std::sqrt(squared);
}

} // namespace

/// The sides of a point, by what the rounded times say: those whose bounds come before the time of the point,
/// and the others.
struct DependenceScheme::Candidates {
  std::array<Side, 6> counted, later;
  int counts = 0, laters = 0;
  double slowness = 0; ///< the solver's units
  int ball = -1;
  FromSeed<Doubles> at{};

  std::span<const Side> sides() const { return {counted.data(), std::size_t(counts)}; }
  std::span<const Side> others() const { return {later.data(), std::size_t(laters)}; }
};

/// A solution of the equation.
struct DependenceScheme::Root {
  double value = infinity;
  double slope = 0; ///< half the derivative of the left-hand side
  Sides sides = 0;
  std::array<double, 3> share{};
};

DependenceScheme::DependenceScheme(const SolverInput& input, std::span<const float> u)
    : problem(input.problem), travelTime(u), units(input.problem, input.speed), earliest(input.earliest),
      ballsOfTiles(input, units), inverseTime(1 / units.time), starts(earliestStarts(input.starts)),
      sizes(problem.grid.sizes()), strides(problem.grid.strides()) {}

const SeedPoint* DependenceScheme::startOf(std::int64_t point) const {
  const auto at = std::ranges::lower_bound(starts, point, {}, &SeedPoint::point);
  return at != starts.end() && at->point == point ? &*at : nullptr;
}

DependenceScheme::Candidates DependenceScheme::candidatesAt(std::int64_t point) const {
  Candidates c;
  const GridIndex index = problem.grid.indices(point);
  c.slowness = slowness(point);
  c.ball = ballsOfTiles.ballAt(index);
  if (c.ball >= 0) {
    c.at = ballsOfTiles.relative(c.ball, index);
    c.at.own = c.slowness * c.slowness;
  }
  const float own = travelTime[std::size_t(point)];
  const double ownTime = timeOf(point);
  for (int axis = 0; axis < 3; ++axis)
    for (const int up : {0, 1}) {
      const std::int64_t there = index[axis] + (up ? 1 : -1);
      if (there < 0 || there >= sizes[axis]) continue;
      const std::int64_t next = point + (up ? strides[axis] : -strides[axis]);
      const float time = travelTime[std::size_t(next)];
      if (!std::isfinite(time)) continue;
      Side side{axis, up, timeOf(next), 0, 0};
      side.time = side.bound = side.value;
      if (c.ball >= 0) {
        const auto from =
            additive<Doubles, 3>(c.at, axis, up ? -1.f : 1.f, units.spacing.step[axis], 1, side.time);
        side.value = from.value, side.bound = from.bound;
      }
      const bool isBeyond = side.bound < side.time;
      if (isBeyond ? side.bound <= ownTime : time < own)
        c.counted[std::size_t(c.counts++)] = side;
      else if (c.ball >= 0)
        c.later[std::size_t(c.laters++)] = side;
    }
  return c;
}

/// The earliest value on an axis.
struct DependenceScheme::AxisValue {
  int axis = 0;
  double value = infinity;
  Sides sides = 0;

  void add(int up, double v) {
    const auto bit = Sides(1u << (2 * axis + up));
    if (v < value)
      value = v, sides = bit;
    else if (v == value)
      sides |= bit;
  }
};

DependenceScheme::Root DependenceScheme::solve(std::array<AxisValue, 3> axes, double squaredSlowness) const {
  const auto order = [&](std::size_t low, std::size_t high) {
    if (axes[high].value < axes[low].value) std::swap(axes[low], axes[high]);
  };
  order(0, 1), order(1, 2), order(0, 1);
  Root root;
  const double base = axes[0].value;
  if (!(base < infinity)) return root;
  double sum = 0, moment = 0, square = -squaredSlowness; // of differences to `base`
  std::size_t used = 0;
  for (; used < 3 && axes[used].value < infinity; ++used) {
    const double d = axes[used].value - base, w = units.spacing.weight[axes[used].axis];
    if (!(d * (sum * d - 2 * moment) + square < 0)) break; // the solution does not lie beyond this value
    sum += w, moment += w * d, square += w * d * d;
  }
  root.value = base + (moment + std::sqrt(std::max(0., moment * moment - sum * square))) / sum;
  std::array<double, 3> part{};
  for (std::size_t n = 0; n < used; ++n) {
    part[n] = units.spacing.weight[axes[n].axis] * (root.value - axes[n].value);
    root.slope += part[n];
  }
  const double inverse = 1 / root.slope;
  for (std::size_t n = 0; n < used; ++n) {
    const int axis = axes[n].axis;
    const bool both = uses(axes[n].sides, axis, 0) && uses(axes[n].sides, axis, 1);
    root.share[std::size_t(axis)] = part[n] * inverse * (both ? 0.5 : 1);
    root.sides |= axes[n].sides;
  }
  return root;
}

DependenceScheme::Root DependenceScheme::solve(std::span<const Side> sides, double squaredSlowness) const {
  std::array<AxisValue, 3> axes{AxisValue{0}, AxisValue{1}, AxisValue{2}};
  for (const Side& side : sides) axes[std::size_t(side.axis)].add(side.up, side.value);
  return solve(axes, squaredSlowness);
}

/// Solves the plain equation with the earlier neighbours of a point.
DependenceScheme::Root DependenceScheme::solvePlain(std::int64_t point, const GridIndex& index) const {
  std::array<AxisValue, 3> axes{AxisValue{0}, AxisValue{1}, AxisValue{2}};
  const float* u = travelTime.data() + point;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t stride = strides[axis];
    AxisValue& value = axes[std::size_t(axis)];
    const auto scaled = [&](float time) { return (double(time) - earliest) * inverseTime; };
    if (index[axis] > 0 && u[-stride] < *u) value.add(0, scaled(u[-stride]));
    if (index[axis] + 1 < sizes[axis] && u[stride] < *u) value.add(1, scaled(u[stride]));
  }
  const double s = slowness(point);
  return solve(axes, s * s);
}

double DependenceScheme::excessOf(std::int64_t point, const Root& root) const {
  const SeedPoint* start = startOf(point);
  return (start ? std::min(root.value, (start->value - earliest) / units.time) : root.value) - timeOf(point);
}

bool DependenceScheme::exceeds(const Candidates& c, const Root& root, const Side& side) const {
  if (!(side.bound < root.value && side.value < side.bound)) return false;
  std::array<Side, 6> with = c.counted;
  auto count = std::size_t(c.counts);
  for (const Side& other : c.others())
    if (other.bound <= side.bound) with[count++] = other; // two sides of one time may be needed
  return solve({with.data(), count}, c.slowness * c.slowness).value <= side.bound;
}

/// Points of one time may depend on each other in a row. The first is the one whose start value and earlier
/// neighbours explain its time best. The others take their time from it, on the shortest way, so that no mass
/// runs in circles.
const DependenceScheme::Side* DependenceScheme::equalSide(std::int64_t point, const Candidates& own,
                                                          const Root& ownRoot) const {
  constexpr std::size_t maximum = 64; // more are a region where single precision does not resolve a step
  struct Node {
    std::int64_t point;
    int firstSide; // in own.later
  };
  std::vector<Node> nodes{{point, -1}};
  double least = excessOf(point, ownRoot);
  int first = -1;
  const auto follow = [&](std::int64_t from, int firstSide, const Candidates& c, const Root& root) {
    for (int n = 0; n < c.laters; ++n) {
      const Side& side = c.later[std::size_t(n)];
      const std::int64_t next = from + (side.up ? 1 : -1) * strides[side.axis];
      if (travelTime[std::size_t(next)] == travelTime[std::size_t(point)] && exceeds(c, root, side) &&
          std::ranges::find(nodes, next, &Node::point) == nodes.end())
        nodes.push_back({next, firstSide < 0 ? n : firstSide});
    }
  };
  follow(point, -1, own, ownRoot);
  for (std::size_t n = 1; n < nodes.size() && n < maximum; ++n) {
    const Candidates c = candidatesAt(nodes[n].point);
    const Root root = solve(c.sides(), c.slowness * c.slowness);
    if (const double excess = excessOf(nodes[n].point, root); excess < least)
      least = excess, first = nodes[n].firstSide;
    follow(nodes[n].point, nodes[n].firstSide, c, root);
  }
  return first < 0 ? nullptr : &own.later[std::size_t(first)];
}

/// Where the equation jumps over the squared slowness at the bound of a side, the time is this bound.
void DependenceScheme::applyBounds(std::int64_t point, const Candidates& c, const Root& root,
                                   PointDependence& result) const {
  if (const Side* side = equalSide(point, c, root)) {
    result = {};
    result.from = TimeFrom::Bound;
    result.value = side->bound * units.time;
    result.sides = Sides(1u << (2 * side->axis + side->up));
    result.share[std::size_t(side->axis)] = 1;
    return;
  }
  const auto fromSeed = [&](const Side& side) {
    result = {};
    result.from = TimeFrom::SeedBound;
    result.value = side.bound * units.time;
  };
  for (const Side& side : c.sides())
    if (side.bound < side.time && side.bound > side.value && side.bound > root.value) return fromSeed(side);
  for (const Side& side : c.others())
    if (side.bound < side.time && exceeds(c, root, side)) return fromSeed(side);
}

PointDependence DependenceScheme::at(std::int64_t point) const {
  PointDependence result;
  if (isBarrier(problem, point) || !std::isfinite(travelTime[std::size_t(point)])) return result;
  const auto accept = [&](const Root& root) {
    if (!(root.value < infinity)) return;
    result.from = TimeFrom::Update;
    result.value = root.value * units.time;
    result.sides = root.sides;
    result.share = root.share;
    result.perSlowness = slowness(point) / root.slope * units.length;
  };
  const GridIndex index = problem.grid.indices(point);
  if (ballsOfTiles.ballAt(index) < 0) {
    accept(solvePlain(point, index));
  } else {
    const Candidates c = candidatesAt(point);
    const Root root = solve(c.sides(), c.slowness * c.slowness);
    accept(root);
    applyBounds(point, c, root, result);
  }
  if (const SeedPoint* start = startOf(point))
    if (result.from == TimeFrom::Nothing || start->value - earliest <= result.value) {
      result = {};
      result.from = TimeFrom::Start;
      result.value = start->value - earliest;
      result.perSlowness = startLength(problem, *start);
    }
  return result;
}

DependenceScheme::OnSeed DependenceScheme::onSeed(std::int64_t point, TimeFrom from, Sides sides,
                                                  const double* share) const {
  OnSeed result;
  if (from != TimeFrom::Update && from != TimeFrom::SeedBound) return result;
  const GridIndex index = problem.grid.indices(point);
  result.ball = ballsOfTiles.ballAt(index);
  if (result.ball < 0) return result;
  FromSeed<Doubles> at = ballsOfTiles.relative(result.ball, index);
  if (from == TimeFrom::SeedBound) {
    result.perStart = 1;
    result.perSlowness = at.distance / 2 * units.length;
    return result;
  }
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const int up : {0, 1}) {
      if (!uses(sides, axis, up)) continue;
      const float sign = up ? -1.f : 1.f;
      sum += share[axis] *
             additive<Doubles, 3>(at, axis, sign, units.spacing.step[axis], 1, 0.).value; // the remainder
    }
  result.perSlowness = sum / at.slowness * units.length;
  return result;
}

} // namespace isochrone::image
