#include "ImageTravelTime/Sensitivity/TensorDependences.h"

#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Sensitivity/EqualTimes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

using grid::Symmetric3;
using grid::Vector3;

/// Removes the elements on which the travel times do not depend: those that couple an axis with one point to
/// the others.
void removeCouplings(const Problem& p, Symmetric3& d) {
  if (p.grid.nx == 1) d[3] = d[5] = 0;
  if (p.grid.ny == 1) d[3] = d[4] = 0;
  if (p.grid.nz == 1) d[4] = d[5] = 0;
}

/// Returns the vector from a seed to a point.
Vector3 fromSeed(const Problem& p, const SeedPoint& start) {
  const Position from = seedPosition(p.grid, p.seeds[std::size_t(start.seed)].at), h = p.grid.spacing();
  const GridIndex at = p.grid.indices(start.point);
  Vector3 v;
  for (std::size_t a = 0; a < 3; ++a) v[a] = double(at[int(a)]) * h[a] - from[a];
  return v;
}

} // namespace

TensorDependences::TensorDependences(SolverInput& input, std::span<const float> u)
    : problem(input.problem), travelTime(u), balls(input, input.speed.timeUnit()),
      starts(earliestStarts(input.starts)), steps(input.problem, input.pool) {
  const std::size_t corners = input.starts.size();
  balls.addNear(input);
  nearStarts = earliestStarts({input.starts.begin() + std::ptrdiff_t(corners), input.starts.end()});
  earliest = input.earliest;
  const Vector3 h = problem.grid.spacing();
  for (const SeedBall& ball : balls.ballsInWorld()) {
    TensorSeedOf<double>& seed = seedOfBall.emplace_back();
    std::ranges::copy(grid::scaled(ball.metric, h), seed.metric);
    for (std::size_t a = 0; a < 3; ++a) seed.away[a] = -ball.at[a] / h[a], seed.length[a] = h[a];
    seed.radius = withoutSurface * ball.radius;
  }
  image = {steps.barriers(),
           h,
           problem.speed.data(),
           problem.speedType == SpeedType::SquaredVelocityTensor,
           u.data(),
           earliest,
           seedOfBall.empty() ? nullptr : seedOfBall.data(),
           balls.bricks().data(),
           TensorSeeds::edge};
}

auto TensorDependences::startOf(std::int64_t point) const -> Start {
  const auto in = [&](const std::vector<SeedPoint>& all) {
    const auto at = std::ranges::lower_bound(all, point, {}, &SeedPoint::point);
    return at != all.end() && at->point == point ? &*at : nullptr;
  };
  const SeedPoint *const corner = in(starts), *const near = in(nearStarts);
  const bool isNear = near && (!corner || near->value < corner->value);
  return {isNear ? near : corner, isNear};
}

std::vector<int> TensorDependences::startPoints() const {
  std::vector<int> points;
  for (const auto* all : {&starts, &nearStarts})
    for (const SeedPoint& start : *all) points.push_back(int(start.point));
  return points;
}

int TensorDependences::ballOf(std::int64_t point, TensorTimeFrom from) const {
  if (from == TensorTimeFrom::NearStart) {
    const auto& all = balls.ballsInWorld();
    return int(std::ranges::find(all, startOf(point).at->seed, &SeedBall::seed) - all.begin());
  }
  return from == TensorTimeFrom::Terms ? image.ballOf(image.indices(point)) : -1;
}

TensorSides TensorDependences::sidesOf(std::int64_t point) const {
  return {image, point, [&](const GridIndex& from, const GridIndex& to) { return steps.isClear(from, to); }};
}

/// Returns by how much the time that the start value and the earlier sides give a point is later than its
/// time.
double TensorDependences::excessOf(std::int64_t point, const TensorSides::Root& root) const {
  const SeedPoint* const start = startOf(point).at;
  return (start ? std::min(root.value, start->value - earliest) : root.value) - image.timeOf(point);
}

/// Returns whether the solution is the bound of a later side, or within rounding of it. Two sides of one time
/// may be needed.
bool TensorDependences::exceeds(const TensorSides& sides, const TensorSides::Root& root,
                                const TensorSides::Later& side) const {
  constexpr double epsilon = 4 * double(std::numeric_limits<float>::epsilon()); // of the solver
  const double rounding = epsilon * (side.bound + std::abs(earliest));
  return side.bound < root.value && side.value < side.bound &&
         sides.valueWith(side.bound) <= side.bound + rounding;
}

/// Returns the later side with the time of the point from which the point has it; null: none.
auto TensorDependences::equalSide(std::int64_t point, const TensorSides& own,
                                  const TensorSides::Root& ownRoot) const -> const TensorSides::Later* {
  const float time = travelTime[std::size_t(point)];
  const auto follow = [&](std::int64_t from, const TensorSides& sides, const TensorSides::Root& root,
                          const auto& next) {
    for (const TensorSides::Later& side : sides.laterSides())
      if (travelTime[std::size_t(side.point)] == time && exceeds(sides, root, side)) next(side.point);
    return excessOf(from, root);
  };
  const std::int64_t first = firstOfEqualTimes(point, [&](std::int64_t from, const auto& next) {
    if (from == point) return follow(from, own, ownRoot, next);
    const TensorSides sides = sidesOf(from);
    return follow(from, sides, sides.solve(), next);
  });
  for (const TensorSides::Later& side : own.laterSides())
    if (side.point == first) return &side;
  return nullptr;
}

void TensorDependences::applyStart(std::int64_t point, TensorDependence& result) const {
  const auto [start, isNear] = startOf(point);
  if (!start || (result.from != TensorTimeFrom::Nothing && start->value - earliest > result.value)) return;
  const Seed& seed = problem.seeds[std::size_t(start->seed)];
  result = {};
  result.from = isNear ? TensorTimeFrom::NearStart : TensorTimeFrom::Start;
  result.value = start->value - earliest;
  if (seed.isRegion) return;
  const Vector3 along = fromSeed(problem, *start);
  const double time = start->value - seed.startValue;
  result.perMetric = grid::perMetricOfLength(along, isNear ? 2 * time : time);
}

TensorDependence TensorDependences::at(std::int64_t point) const {
  TensorDependence result{};
  if (!image.isReached(point)) return result;
  const TensorSides sides = sidesOf(point);
  const TensorSides::Root root = sides.solve();
  if (root.isResolved()) result = sides.differentiate(root);
  if (sides.mayBeBound())
    if (const TensorSides::Later* const side = equalSide(point, sides, root))
      result.useOnly(side->point, side->bound, TensorTimeFrom::Bound);
  if (!sides.seesAll()) applyFaces(image, point, result);
  applyStart(point, result);
  return result;
}

void TensorDependences::addPerSeedMetric(std::int64_t point, int ball, const TensorDependence& d, double mass,
                                         Symmetric3& sum) const {
  if (d.from == TensorTimeFrom::NearStart) {
    const SeedPoint& start = *startOf(point).at;
    const double time = start.value - problem.seeds[std::size_t(start.seed)].startValue;
    grid::add(sum, mass, grid::perMetricOfLength(fromSeed(problem, start), 2 * time));
    return;
  }
  const GridIndex at = image.indices(point);
  const TensorSeedOf<double> seed = image.seedFrom(at, ball);
  const Vector3 x{seed.away[0], seed.away[1], seed.away[2]};
  Symmetric3 metric;
  std::ranges::copy(seed.metric, metric.begin());
  Symmetric3 inSteps{};
  d.forUsed([&](std::int32_t to, double share) {
    const GridIndex there = image.indices(to);
    Vector3 e;
    for (std::size_t a = 0; a < 3; ++a) e[a] = double(there[a] - at[a]);
    grid::add(inSteps, share * mass, grid::remainderPerMetric(metric, x, e, 1, 1, 0));
  });
  grid::add(sum, 1, grid::scaled(inSteps, problem.grid.spacing()));
}

void TensorDependences::addAtSeed(std::int32_t seed, const Symmetric3& perMetric,
                                  Values<double>& derivatives) const {
  const auto components = std::size_t(componentsOf(problem));
  const std::vector<std::int64_t> nearest = nearestPoints(problem, problem.seeds[std::size_t(seed)].at);
  for (const std::int64_t point : nearest)
    addPerComponent(point, perMetric, 1 / double(nearest.size()),
                    &derivatives[std::size_t(point) * components]);
}

void TensorDependences::addPerComponent(std::int64_t point, const Symmetric3& perMetric, double factor,
                                        double* components) const {
  Symmetric3 d = perMetric;
  removeCouplings(problem, d);
  if (problem.speedType == SpeedType::SquaredVelocityTensor)
    d = grid::perInverse(grid::inverse(tensorAt(problem, point)), d);
  if (problem.grid.nz == 1) {
    components[0] += factor * d[0], components[1] += factor * d[1], components[2] += factor * 2 * d[3];
    return;
  }
  for (std::size_t c = 0; c < 6; ++c) components[c] += factor * (c < 3 ? d[c] : 2 * d[c]);
}

} // namespace isochrone::image
