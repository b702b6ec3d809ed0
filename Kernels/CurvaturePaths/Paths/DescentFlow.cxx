#include "CurvaturePaths/Paths/DescentFlow.h"

#include "CurvaturePaths/Scheme/LimitedDifference.h"
#include "Error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::curvature {

namespace {

/// A seed is overrun if its value is below its start value by more than this share of the largest start
/// value.
constexpr double overrunTolerance = 1e-6;

/// Schemes this close to each other are equal up to rounding: Dubins straight ahead, between left and right.
constexpr double schemeTie = 1e-4;

} // namespace

double valueAt(const Field& field, const StateGrid& grid, const GridState& q) {
  if (field.values.empty()) return field.constant;
  const std::int64_t point = q.i + grid.nx * q.j;
  if (std::int64_t(field.values.size()) == grid.planePoints()) return field.values[point];
  const int k = (q.k % grid.headings + grid.headings) % grid.headings;
  return field.values[point + grid.planePoints() * k];
}

int DescentFlow::Descent::dominant() const {
  int best = -1;
  for (int e = 0; e < count; ++e)
    if (best < 0 || edges[e].weight > edges[best].weight) best = e;
  return best;
}

void DescentFlow::Descent::average(const Descent& other) {
  drop = (drop * total + other.drop * other.total) / (total + other.total);
  total = (total + other.total) / 2;
  for (int e = 0; e < other.count; ++e) edges[count++] = other.edges[e];
  for (int e = 0; e < count; ++e) edges[e].weight /= 2;
}

DescentFlow::DescentFlow(const Problem& input, const Solution& solution)
    : problem(input), travelTime(solution.travelTime), ballsGiven(!solution.balls.empty()),
      shared(discretisationOf(input, solution)), corrections(input, solution.uncorrected, walls()),
      seedPoints(input.grid.planePoints(), 0) {
  const StateGrid& g = problem.grid;
  if (std::int64_t(travelTime.size()) != g.points())
    throw Error("travel time has " + std::to_string(travelTime.size()) + " values, the state grid " +
                std::to_string(g.points()) + ": pass the one solved on this grid");
  if (solution.balls.empty())
    findSeedStates();
  else
    findNearSeedEnds(solution.balls);
}

/// Finds the ends of paths without near-seed start values: the states of the seeds.
void DescentFlow::findSeedStates() {
  const StateGrid& g = problem.grid;
  double largest = 0;
  for (const Seed& seed : problem.seeds) largest = std::max(largest, std::abs(seed.startValue));
  for (std::size_t s = 0; s < problem.seeds.size(); ++s) {
    const Seed& seed = problem.seeds[s];
    const Placement& at = shared->seeds[s];
    if (at.status != Placement::Status::Inside) continue;
    const bool any = at.heading < 0;
    for (int k = any ? 0 : at.heading; k < (any ? g.headings : at.heading + 1); ++k) {
      const GridState q{at.i, at.j, k};
      if (value(q) >= seed.startValue - overrunTolerance * largest) addEnd(index(q), std::int32_t(s));
    }
  }
}

/// Finds the ends of paths with near-seed start values: near-seed states next to the seeds. Other near-seed
/// states can lack lower neighbours, since their start values come from paths that the grid does not have.
/// From such a state the path continues to the nearest lower near-seed state.
void DescentFlow::findNearSeedEnds(std::span<const BallState> balls) {
  const StateGrid& g = problem.grid;
  double largest = 0;
  for (const BallState& ball : balls) largest = std::max(largest, std::abs(double(ball.travelTime)));
  std::vector<NearSeedState> live, stuck;
  for (const BallState& ball : balls) {
    const std::int64_t point = ball.state % g.planePoints();
    const GridState q{point % g.nx, point / g.nx, int(ball.state / g.planePoints())};
    if (value(q) < ball.travelTime - overrunTolerance * largest) continue;
    live.push_back({q, ball.seed});
    if (at(q).count == 0) stuck.push_back(live.back());
  }
  for (const NearSeedState& from : stuck)
    if (const Offset step = leapFrom(from, live); step == Offset{})
      addEnd(index(from.at), from.seed);
    else
      leaps.emplace(index(from.at), step);
}

/// Returns the step to the nearest lower near-seed state; zero if the seed is nearer.
Offset DescentFlow::leapFrom(const NearSeedState& from, std::span<const NearSeedState> live) const {
  const StateGrid& g = problem.grid;
  const State& seed = problem.seeds[from.seed].state;
  const double dk = seed.anyHeading ? 0 : seed.heading / g.headingStep() - from.at.k;
  double nearest = std::hypot(seed.x / g.hx - double(from.at.i), seed.y / g.hy - double(from.at.j),
                              std::remainder(dk, double(g.headings)));
  Offset step{};
  for (const NearSeedState& to : live) {
    if (value(to.at) >= value(from.at)) continue;
    const Offset e{int(to.at.i - from.at.i), int(to.at.j - from.at.j),
                   int(std::remainder(to.at.k - from.at.k, double(g.headings)))};
    const double distance = std::hypot(e[0], e[1], e[2]);
    if (distance < nearest && walls().free(from.at.i, from.at.j, e[0], e[1])) nearest = distance, step = e;
  }
  return step;
}

/// Lets paths end at a state. The first of several seeds at a state counts.
void DescentFlow::addEnd(std::int64_t state, std::int32_t seed) {
  seedPoints[state % grid().planePoints()] = 1;
  seeds.try_emplace(state, seed);
}

std::int32_t DescentFlow::seedAt(const GridState& q) const {
  if (!seedPoints[q.i + grid().nx * q.j]) return -1;
  const auto found = seeds.find(index(q));
  return found == seeds.end() ? -1 : found->second;
}

std::vector<std::int32_t> DescentFlow::liveSeeds() const {
  std::vector<std::int32_t> live;
  for (const auto& [state, seed] : seeds) live.push_back(seed);
  std::sort(live.begin(), live.end());
  live.erase(std::unique(live.begin(), live.end()), live.end());
  return live;
}

float DescentFlow::neighbour(const GridState& q, const Offset& e, int sign) const {
  const GridState p{q.i + sign * e[0], q.j + sign * e[1], q.k + sign * e[2]};
  if (!inside(p) || !walls().free(q.i, q.j, sign * e[0], sign * e[1]))
    return std::numeric_limits<float>::infinity();
  return value(p);
}

/// Collects the flow of one scheme, and the sum of alpha g(u(q) - u(q + e))^2 that determines the active
/// scheme of a model (g: LimitedDifference.h).
void DescentFlow::collect(const GridState& q, double u, const std::vector<Term>& scheme, Descent& descent,
                          double& sum) const {
  const Corrections::Factors factors = corrections.factors(q.i, q.j, wrap(q.k), scheme);
  const double cost = valueAt(problem.cost, grid(), q);
  for (std::size_t t = 0; t < scheme.size(); ++t) {
    const Term& term = scheme[t];
    Edge edge{term.offset, 0};
    float lower = neighbour(q, term.offset, 1);
    if (term.symmetric) {
      const float other = neighbour(q, term.offset, -1);
      if (other < lower) {
        lower = other;
        edge.offset = {-term.offset[0], -term.offset[1], -term.offset[2]};
      }
    }
    const double difference = u - lower;
    if (!(difference > 0)) continue;
    const double limit = limitOf(problem, term.offset, cost), counted = limited(difference, limit);
    const double slope = difference > limit ? shareBeyond : 1;
    edge.weight = term.weight * factors[t] * counted * slope;
    descent.edges[descent.count++] = edge;
    descent.total += edge.weight;
    descent.drop += edge.weight * difference;
    sum += term.weight * factors[t] * counted * counted;
  }
  if (descent.total > 0) descent.drop /= descent.total;
}

DescentFlow::Descent DescentFlow::at(const GridState& q) const {
  Descent best;
  const double u = value(q);
  if (!std::isfinite(u) || seedAt(q) >= 0) return best;
  Stencil varying;
  const bool varies = shared->varies();
  if (varies)
    varying = makeStencil(problem, wrap(q.k), valueAt(problem.turningRadius, grid(), q),
                          valueAt(problem.curvatureShift, grid(), q));
  const Stencil& stencil = varies ? varying : shared->stencils().uniform[wrap(q.k)];
  double maximum = 0;
  for (const std::vector<Term>& scheme : stencil.schemes) {
    Descent descent;
    double sum = 0;
    collect(q, u, scheme, descent, sum);
    if (sum == 0) continue;
    if (std::abs(sum - maximum) < schemeTie * maximum)
      best.average(descent);
    else if (sum > maximum)
      best = descent;
    maximum = std::max(maximum, sum);
  }
  return best.count > 0 || leaps.empty() ? best : leapAt(q);
}

/// Returns the flow at a state without lower neighbours.
DescentFlow::Descent DescentFlow::leapAt(const GridState& q) const {
  Descent descent;
  const auto leap = leaps.find(index(q));
  if (leap == leaps.end()) return descent;
  const Offset& e = leap->second;
  descent.edges[descent.count++] = {e, 1};
  descent.total = 1, descent.drop = double(value(q)) - value({q.i + e[0], q.j + e[1], q.k + e[2]});
  return descent;
}

} // namespace isochrone::curvature
