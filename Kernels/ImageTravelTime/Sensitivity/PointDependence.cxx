#include "ImageTravelTime/Sensitivity/PointDependence.h"

#include "ImageTravelTime/Sensitivity/EqualTimes.h"
#include "ImageTravelTime/Sensitivity/UpdateShares.h"

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
  double inverseSlope = 0; ///< of half the left-hand side
  Sides sides = 0;
  std::array<double, 3> share{};
  double remainder = 0; ///< sum of the remainders of the sides in their shares of the equation
};

DependenceScheme::DependenceScheme(const SolverInput& input, std::span<const float> u)
    : problem(input.problem), travelTime(u), units(input.problem, input.speed), earliest(input.earliest),
      ballsOfTiles(input, units), inverseTime(1 / units.time), starts(earliestStarts(input.starts)),
      sizes(problem.grid.sizes()), strides(problem.grid.strides()) {}

const SeedPoint* DependenceScheme::startOf(std::int64_t point) const {
  const auto at = std::ranges::lower_bound(starts, point, {}, &SeedPoint::point);
  return at != starts.end() && at->point == point ? &*at : nullptr;
}

/// Finds the sides of a point.
/// @param laterSides  one bit per axis: on which multiplicative factoring takes the later side
DependenceScheme::Candidates DependenceScheme::candidatesAt(std::int64_t point, unsigned laterSides) const {
  Candidates c;
  const GridIndex index = problem.grid.indices(point);
  c.slowness = slowness(point);
  c.ball = ballsOfTiles.ballAt(index);
  if (c.ball >= 0) c.at = ballsOfTiles.relative(c.ball, index, c.slowness);
  const double own = timeOf(point);
  for (int axis = 0; axis < 3; ++axis) {
    Side sides[2];
    bool isReached[2], chosen[2];
    for (const int up : {0, 1}) {
      const std::int64_t there = index[axis] + (up ? 1 : -1);
      const bool has = there >= 0 && there < sizes[axis];
      const std::int64_t next = has ? point + (up ? strides[axis] : -strides[axis]) : point;
      chosen[up] = isReached[up] = has && std::isfinite(travelTime[std::size_t(next)]);
      sides[up] = sideAt(c, axis, up, isReached[up] ? timeOf(next) : infinity);
    }
    if (c.ball >= 0 && ballsOfTiles.factoring() == TileFactoring::Multiplicative)
      chooseByTime<Doubles>(sides[0], sides[1], chosen);
    if (laterSides >> axis & 1)
      for (const int up : {0, 1}) chosen[up] = isReached[up] && !chosen[up];
    for (const int up : {0, 1}) {
      if (!chosen[up]) continue;
      if (countsBefore(sides[up], own))
        c.counted[std::size_t(c.counts++)] = sides[up];
      else if (c.ball >= 0)
        c.later[std::size_t(c.laters++)] = sides[up];
    }
  }
  return c;
}

DependenceScheme::Side DependenceScheme::sideAt(const Candidates& c, int axis, int up, double time) const {
  const float step = units.spacing.step[axis], weight = units.spacing.weight[axis];
  DifferentiatedSide<Doubles> side{{time, time, time, double(weight)}, 1, 0};
  if (c.ball >= 0)
    side =
        ballsOfTiles.factoring() == TileFactoring::Additive
            ? differentiatedSide<Doubles, TileFactoring::Additive>(c.at, axis, up, step, weight, time)
            : differentiatedSide<Doubles, TileFactoring::Multiplicative>(c.at, axis, up, step, weight, time);
  return {side, axis, up};
}

DependenceScheme::Root DependenceScheme::solve(std::span<const Side> sides, double slownessThere) const {
  double value[3] = {infinity, infinity, infinity}, weight[3] = {1, 1, 1};
  for (const Side& side : sides)
    if (side.value < value[side.axis]) value[side.axis] = side.value, weight[side.axis] = side.weight;
  const UpdateShares<Doubles> update = updateShares<Doubles>(value, slownessThere, weight);
  Root root;
  for (const Side& side : sides)
    if (update.used[side.axis] && side.value == value[side.axis])
      root.sides |= Sides(1u << directionOf(side.axis, side.up));
  if (root.sides == 0) return root;
  root.value = update.update;
  root.inverseSlope = update.inverseSlope;
  for (int axis = 0; axis < 3; ++axis) {
    const bool both = uses(root.sides, directionOf(axis, 0)) && uses(root.sides, directionOf(axis, 1));
    root.share[std::size_t(axis)] = update.share[axis] * (both ? 0.5 : 1);
  }
  std::array<double, 3> perTime{};
  for (const Side& side : sides)
    if (uses(root.sides, directionOf(side.axis, side.up))) {
      root.remainder += root.share[std::size_t(side.axis)] * side.remainder;
      perTime[std::size_t(side.axis)] = side.perTime;
    }
  for (std::size_t axis = 0; axis < 3; ++axis) root.share[axis] *= perTime[axis];
  return root;
}

double DependenceScheme::excessOf(std::int64_t point, const Root& root) const {
  const SeedPoint* start = startOf(point);
  return (start ? std::min(root.value, (start->value - earliest) / units.time) : root.value) - timeOf(point);
}

bool DependenceScheme::exceeds(const Candidates& c, const Root& root, const Side& side) const {
  constexpr double epsilon = 4 * double(std::numeric_limits<float>::epsilon()); // of the solver
  const double rounding = epsilon * (side.bound + std::abs(earliest) * inverseTime);
  if (!(side.bound < root.value && side.value < side.bound)) return false;
  std::array<Side, 6> with = c.counted;
  auto count = std::size_t(c.counts);
  for (const Side& other : c.others())
    if (other.bound <= side.bound) with[count++] = other; // two sides of one time may be needed
  return solve({with.data(), count}, c.slowness).value <= side.bound + rounding;
}

const DependenceScheme::Side* DependenceScheme::equalSide(std::int64_t point, const Candidates& own,
                                                          const Root& ownRoot) const {
  const auto nextAt = [&](std::int64_t from, const Side& side) {
    return from + (side.up ? 1 : -1) * strides[side.axis];
  };
  const auto follow = [&](std::int64_t from, const Candidates& c, const Root& root, const auto& next) {
    for (const Side& side : c.others())
      if (travelTime[std::size_t(nextAt(from, side))] == travelTime[std::size_t(point)] &&
          exceeds(c, root, side))
        next(nextAt(from, side));
    return excessOf(from, root);
  };
  const std::int64_t first = firstOfEqualTimes(point, [&](std::int64_t from, const auto& next) {
    if (from == point) return follow(from, own, ownRoot, next);
    const Candidates c = candidatesAt(from);
    return follow(from, c, solve(c.sides(), c.slowness), next);
  });
  for (const Side& side : own.others())
    if (nextAt(point, side) == first) return &side;
  return nullptr;
}

/// Where the equation jumps over the squared slowness at the bound of a side, the time is this bound.
void DependenceScheme::applyBounds(std::int64_t point, const Candidates& c, const Root& root,
                                   PointDependence& result) const {
  if (const Side* side = equalSide(point, c, root)) {
    result = {};
    result.from = TimeFrom::Bound;
    result.value = side->bound * units.time;
    result.sides = Sides(1u << directionOf(side->axis, side->up));
    result.share[std::size_t(side->axis)] = 1;
    return;
  }
  const auto fromSeed = [&](const Side& side) {
    result = {};
    result.from = TimeFrom::SeedBound;
    result.value = side.bound * units.time;
    result.perSeedSlowness = c.at.distance / 2 * units.length;
  };
  for (const Side& side : c.sides())
    if (side.bound < side.time && side.bound > side.value && side.bound > root.value) return fromSeed(side);
  for (const Side& side : c.others())
    if (side.bound < side.time && exceeds(c, root, side)) return fromSeed(side);
}

PointDependence DependenceScheme::dependenceFrom(std::int64_t point, const Candidates& c) const {
  PointDependence result;
  const Root root = solve(c.sides(), c.slowness);
  if (root.value < infinity) {
    result.from = TimeFrom::Update;
    result.value = root.value * units.time;
    result.sides = root.sides;
    result.share = root.share;
    result.perSlowness = c.slowness * root.inverseSlope * units.length;
    if (c.ball >= 0) result.perSeedSlowness = root.remainder / c.at.slowness * units.length;
  }
  if (c.ball >= 0) applyBounds(point, c, root, result);
  if (const SeedPoint* start = startOf(point))
    if (result.from == TimeFrom::Nothing || start->value - earliest <= result.value) {
      result = {};
      result.from = TimeFrom::Start;
      result.value = start->value - earliest;
      result.perSlowness = startLength(problem, *start);
    }
  return result;
}

PointDependence DependenceScheme::at(std::int64_t point) const {
  if (isBarrier(problem, point) || !std::isfinite(travelTime[std::size_t(point)])) return {};
  PointDependence best = dependenceFrom(point, candidatesAt(point));
  if (ballsOfTiles.factoring() != TileFactoring::Multiplicative) return best;
  // A side that was the earlier one when the point got its time may have become the later one.
  const double own = double(travelTime[std::size_t(point)]) - earliest;
  const auto departureOf = [&](const PointDependence& d) {
    return d.from == TimeFrom::Nothing ? infinity : std::abs(d.value - own);
  };
  if (departureOf(best) <= roundingOfTimes * (own + std::abs(earliest))) return best;
  for (unsigned laterSides = 1; laterSides < 8; ++laterSides)
    if (const PointDependence other = dependenceFrom(point, candidatesAt(point, laterSides));
        departureOf(other) < departureOf(best))
      best = other;
  return best;
}

} // namespace isochrone::image
