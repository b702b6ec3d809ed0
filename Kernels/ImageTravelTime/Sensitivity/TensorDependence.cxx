#include "ImageTravelTime/Sensitivity/TensorDependence.h"

#include "Grid/SymmetricDerivatives.h"
#include "ImageTravelTime/Scheme/TensorEquation.h"
#include "ImageTravelTime/Sensitivity/EqualTimes.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

namespace {

using grid::Symmetric3;
using grid::Vector3;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Maximum number of terms of a point, those of weight 0 of other superbases included.
constexpr std::size_t maxCandidates = 4 * maxTerms;

Vector3 vectorOf(const grid::Offset& e) { return {double(e[0]), double(e[1]), double(e[2])}; }

/// Returns the derivative of sqrt(<v, G v>) with respect to G; 0 of a vector of length 0.
Symmetric3 perMetricOfTime(const Vector3& v, double time) {
  Symmetric3 d{};
  if (time > 0) grid::add(d, 1 / (2 * time), grid::symmetricProduct(v, v));
  return d;
}

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

/// Returns the derivative of the remainder of Taylor's series of T at x for the neighbour x + e with respect
/// to the metric of the seed: R = T(x) - T(x + e) + <x, G e> / T(x).
Symmetric3 remainderPerMetric(const Symmetric3& metric, const Vector3& x, const Vector3& e) {
  const Vector3 y{x[0] + e[0], x[1] + e[1], x[2] + e[2]};
  const double time = std::sqrt(grid::square(metric, x)), slope = grid::dot(x, grid::times(metric, e));
  Symmetric3 d{};
  grid::add(d, 1 - slope / (time * time), perMetricOfTime(x, time));
  grid::add(d, -1, perMetricOfTime(y, std::sqrt(grid::square(metric, y))));
  grid::add(d, 1 / time, grid::symmetricProduct(x, e));
  return d;
}

} // namespace

/// The terms of a point, and their sides by what the rounded times say: those that count before the time of
/// the point, and the others.
struct TensorDependences::Candidates {
  std::int64_t point;
  Symmetric3 gridTensor;
  std::size_t terms = maxTerms; ///< those of the superbase, then those of weight 0 of other superbases
  std::array<TensorTerm, maxCandidates> term;
  std::array<Symmetric3, maxCandidates> perTensor{}; ///< derivative of the weight with respect to the tensor
  bool seesAll = true;
  bool isFactored = false;
  std::array<Side, 2 * maxCandidates> counted;
  std::array<Side, 2 * maxTerms> later;
  std::size_t counts = 0, laters = 0;

  /// Returns the number of the term with an offset or its opposite, which is added if there is room.
  std::size_t termOf(const grid::Offset& offset) {
    const grid::Offset opposite{-offset[0], -offset[1], -offset[2]};
    std::size_t r = 0;
    while (r < terms && term[r].offset != offset && term[r].offset != opposite) ++r;
    if (r == terms && terms < maxCandidates) term[terms++] = {offset, 0};
    return r;
  }

  std::span<const Side> sides() const { return {counted.data(), counts}; }
  std::span<const Side> others() const { return {later.data(), laters}; }
};

/// A solution of the equation.
struct TensorDependences::Root {
  double value = infinity;
  double slope = 0;                         ///< half the derivative of the left-hand side
  std::array<double, maxCandidates> lowest; ///< per term, the value of its earlier side; +infinity: none
};

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
    for (std::size_t a = 0; a < 3; ++a) seed.length[a] = h[a];
    seed.radius = withoutSurface * ball.radius;
  }
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

TensorSeedOf<double> TensorDependences::seedFrom(std::int64_t point, int ball) const {
  TensorSeedOf<double> seed = seedOfBall[std::size_t(ball)];
  const GridIndex at = problem.grid.indices(point);
  const Position h = problem.grid.spacing(), &from = balls.ballsInWorld()[std::size_t(ball)].at;
  for (std::size_t a = 0; a < 3; ++a) seed.away[a] = double(at[int(a)]) - from[a] / h[a];
  return seed;
}

int TensorDependences::ballOf(std::int64_t point, TensorTimeFrom from) const {
  if (from == TensorTimeFrom::NearStart) {
    const auto& all = balls.ballsInWorld();
    return int(std::ranges::find(all, startOf(point).at->seed, &SeedBall::seed) - all.begin());
  }
  if (from != TensorTimeFrom::Terms || !balls.has(point)) return -1;
  const int ball = balls.ballOf(point);
  return Line(1, 0, 0, seedFrom(point, ball)).applies ? ball : -1;
}

/// Adds the sides of a term.
void TensorDependences::addSides(const GridIndex& at, const Line* line, int term, Candidates& c) const {
  const auto& [offset, weight] = c.term[std::size_t(term)];
  const double own = timeOf(c.point);
  for (const int sign : {1, -1}) {
    const std::int64_t to = steps.seen(c.point, at, offset, sign);
    if (to < 0) c.seesAll = c.seesAll && !(weight > 0);
    if (to < 0 || !std::isfinite(travelTime[std::size_t(to)])) continue;
    Side side{term, to, timeOf(to), timeOf(to), 0};
    side.bound = side.time;
    if (line) {
      const TensorSide<Doubles> from =
          sign > 0 ? corrected<1>(*line, side.time) : corrected<-1>(*line, side.time);
      side.value = from.value, side.bound = from.bound;
    }
    const bool liesBeyond = side.bound != side.time; // counts from its value on
    if (liesBeyond || side.time < own)
      c.counted[c.counts++] = side;
    else if (line && weight > 0)
      c.later[c.laters++] = side;
  }
}

/// Sets the terms and the derivatives of their weights. Where the weight of a term vanishes, the time has a
/// kink: if the tensor moves against the term, another superbase applies, often with another offset. Along
/// the term, the derivative is then the mean of both sides.
void TensorDependences::setTerms(Candidates& c) const {
  const bool plane = problem.grid.nz == 1;
  Decomposition decomposition(plane);
  decomposition.advance(c.gridTensor);
  const grid::Superbase& base = decomposition.superbase();
  double least = infinity;
  std::array<Symmetric3, maxTerms> perTensor; // on the side of the superbase
  for (std::size_t r = 0; r < maxTerms; ++r) {
    c.term[r] = decomposition.term(int(r));
    c.perTensor[r] = perTensor[r] = grid::sellingDerivative(base, int(r));
    if (c.term[r].weight > 0) least = std::min(least, c.term[r].weight);
  }
  for (std::size_t r = 0; r < maxTerms; ++r) {
    if (c.term[r].weight > 0 || (plane && c.term[r].offset[2] != 0)) continue;
    const Vector3 e = vectorOf(c.term[r].offset);
    const Symmetric3 along = grid::symmetricProduct(e, e);
    Symmetric3 moved = c.gridTensor;
    grid::add(moved, -1e-3 * least, along);
    grid::Superbase other = base;
    grid::makeObtuse(other, moved);
    grid::add(c.perTensor[r], -0.5, perTensor[r]);
    for (int pair = 0; pair < maxTerms; ++pair) {
      const double change = grid::sellingWeight(other, pair, along);
      const std::size_t term = change == 0 ? maxCandidates : c.termOf(grid::sellingOffset(other, pair));
      if (term < maxCandidates) grid::add(c.perTensor[term], 0.5 * change, perTensor[r]);
    }
  }
}

auto TensorDependences::candidatesAt(std::int64_t point) const -> Candidates {
  Candidates c;
  c.point = point;
  c.gridTensor = gridTensorAt(problem, point);
  setTerms(c);
  const GridIndex at = problem.grid.indices(point);
  const int ball = ballOf(point, TensorTimeFrom::Terms);
  c.isFactored = ball >= 0;
  const TensorSeedOf<double> seed = c.isFactored ? seedFrom(point, ball) : TensorSeedOf<double>{};
  for (std::size_t r = 0; r < c.terms; ++r) {
    const Vector3 e = vectorOf(c.term[r].offset);
    if (problem.grid.nz == 1 && e[2] != 0) continue;
    const Line line(e[0], e[1], e[2], seed);
    addSides(at, c.isFactored ? &line : nullptr, int(r), c);
  }
  return c;
}

auto TensorDependences::solve(std::span<const Side> sides, const Candidates& c) const -> Root {
  Root root;
  root.lowest.fill(infinity);
  double earliestValue = infinity;
  for (const Side& side : sides) {
    double& lowest = root.lowest[std::size_t(side.term)];
    lowest = std::min(lowest, side.value);
    if (c.term[std::size_t(side.term)].weight > 0) earliestValue = std::min(earliestValue, side.value);
  }
  if (earliestValue == infinity) return root;
  double value[maxTerms], weight[maxTerms];
  for (std::size_t r = 0; r < maxTerms; ++r) {
    const bool counts = root.lowest[r] < infinity && c.term[r].weight > 0;
    value[r] = counts ? root.lowest[r] : earliestValue, weight[r] = counts ? c.term[r].weight : 0;
  }
  root.value = solveTerms<Doubles, false, maxTerms>(value, weight, value).value;
  for (std::size_t r = 0; r < maxTerms; ++r) root.slope += weight[r] * std::max(0., root.value - value[r]);
  return root;
}

/// Returns by how much the time that the start value and the earlier sides give a point is later than its
/// time.
double TensorDependences::excessOf(std::int64_t point, const Root& root) const {
  const SeedPoint* const start = startOf(point).at;
  return (start ? std::min(root.value, start->value - earliest) : root.value) - timeOf(point);
}

/// Returns whether the solution is the bound of a later side, or within rounding of it.
bool TensorDependences::exceeds(const Candidates& c, const Root& root, const Side& side) const {
  constexpr double epsilon = 4 * double(std::numeric_limits<float>::epsilon()); // of the solver
  const double rounding = epsilon * (side.bound + std::abs(earliest));
  if (!(side.bound < root.value && side.value < side.bound)) return false;
  std::array<Side, 2 * maxCandidates> with = c.counted;
  std::size_t count = c.counts;
  for (const Side& other : c.others())
    if (other.bound <= side.bound) with[count++] = other; // two sides of one time may be needed
  return solve({with.data(), count}, c).value <= side.bound + rounding;
}

/// Returns the later side with the time of the point from which the point has it; null: none.
auto TensorDependences::equalSide(const Candidates& own, const Root& ownRoot) const -> const Side* {
  const float time = travelTime[std::size_t(own.point)];
  const auto follow = [&](const Candidates& c, const Root& root, const auto& next) {
    for (const Side& side : c.others())
      if (travelTime[std::size_t(side.point)] == time && exceeds(c, root, side)) next(side.point);
    return excessOf(c.point, root);
  };
  const std::int64_t first = firstOfEqualTimes(own.point, [&](std::int64_t from, const auto& next) {
    if (from == own.point) return follow(own, ownRoot, next);
    const Candidates c = candidatesAt(from);
    return follow(c, solve(c.sides(), c), next);
  });
  for (const Side& side : own.others())
    if (side.point == first) return &side;
  return nullptr;
}

/// Also terms of weight 0 have a derivative: they are used as soon as the tensor turns.
void TensorDependences::applyTerms(const Candidates& c, const Root& root, TensorDependence& result) const {
  Symmetric3 perTensor{};
  std::array<int, maxCandidates> equal{}; // sides
  for (const Side& side : c.sides())
    equal[std::size_t(side.term)] += side.value == root.lowest[std::size_t(side.term)];
  for (std::size_t r = 0; r < c.terms; ++r)
    if (const double fall = root.value - root.lowest[r]; fall > 0)
      grid::add(perTensor, -fall * fall / (2 * root.slope), c.perTensor[r]);
  for (const Side& side : c.sides()) {
    const auto r = std::size_t(side.term);
    const double share = c.term[r].weight * (root.value - root.lowest[r]) / root.slope;
    if (side.value == root.lowest[r] && share > 0)
      result.used[std::size_t(result.count++)] = {side.point, share / equal[r]};
  }
  result.from = TensorTimeFrom::Terms;
  result.value = root.value;
  const GridIndex sizes = problem.grid.sizes();
  if (sizes[0] == 1) perTensor[0] = perTensor[3] = perTensor[5] = 0; // paths do not run along this axis
  if (sizes[1] == 1) perTensor[1] = perTensor[3] = perTensor[4] = 0;
  if (sizes[2] == 1) perTensor[2] = perTensor[4] = perTensor[5] = 0;
  result.perMetric = grid::scaled(grid::perInverse(c.gridTensor, perTensor), problem.grid.spacing());
}

/// The straight step of a point that does not see all points of its stencil, if it is faster.
void TensorDependences::applyFaces(const Candidates& c, TensorDependence& result) const {
  const GridIndex at = problem.grid.indices(c.point);
  const std::array<double, 3> h = problem.grid.spacing();
  const Symmetric3 metric = metricAt(problem, c.point);
  for (std::size_t a = 0; a < 3; ++a)
    for (const int sign : {-1, 1}) {
      grid::Offset offset{};
      offset[a] = 1;
      const std::int64_t to = steps.seen(c.point, at, offset, sign);
      if (to < 0 || !(travelTime[std::size_t(to)] < travelTime[std::size_t(c.point)])) continue;
      const double slowness = std::sqrt(metric[a]), value = timeOf(to) + h[a] * slowness;
      if (!(value < result.value)) continue;
      result = {};
      result.from = TensorTimeFrom::Face;
      result.value = value;
      result.used[std::size_t(result.count++)] = {to, 1};
      result.perMetric[a] = h[a] / (2 * slowness);
    }
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
  result.perMetric = perMetricOfTime(along, isNear ? 2 * time : time);
}

TensorDependence TensorDependences::at(std::int64_t point) const {
  TensorDependence result;
  if (isBarrier(problem, point) || !std::isfinite(travelTime[std::size_t(point)])) return result;
  const Candidates c = candidatesAt(point);
  const Root root = solve(c.sides(), c);
  if (root.value < infinity) applyTerms(c, root, result);
  if (c.laters > 0)
    if (const Side* const side = equalSide(c, root)) {
      result = {};
      result.from = TensorTimeFrom::Bound;
      result.value = side->bound;
      result.used[std::size_t(result.count++)] = {side->point, 1};
    }
  if (!c.seesAll) applyFaces(c, result);
  applyStart(point, result);
  return result;
}

void TensorDependences::addPerSeedMetric(std::int64_t point, TensorTimeFrom from,
                                         std::span<const TensorDependence::Used> used, double mass,
                                         Symmetric3& sum) const {
  const int ball = ballOf(point, from);
  if (ball < 0) return;
  if (from == TensorTimeFrom::NearStart) {
    const SeedPoint& start = *startOf(point).at;
    const double time = start.value - problem.seeds[std::size_t(start.seed)].startValue;
    grid::add(sum, mass, perMetricOfTime(fromSeed(problem, start), 2 * time));
    return;
  }
  const TensorSeedOf<double> seed = seedFrom(point, ball);
  const Vector3 x{seed.away[0], seed.away[1], seed.away[2]};
  Symmetric3 metric;
  std::ranges::copy(seed.metric, metric.begin());
  const GridIndex at = problem.grid.indices(point);
  Symmetric3 inSteps{};
  for (const auto& [to, share] : used) {
    const GridIndex there = problem.grid.indices(to);
    Vector3 e;
    for (int a = 0; a < 3; ++a) e[std::size_t(a)] = double(there[a] - at[a]);
    grid::add(inSteps, share * mass, remainderPerMetric(metric, x, e));
  }
  grid::add(sum, 1, grid::scaled(inSteps, problem.grid.spacing()));
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
