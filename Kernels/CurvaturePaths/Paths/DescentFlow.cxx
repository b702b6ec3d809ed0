#include "CurvaturePaths/Paths/DescentFlow.h"

#include "CurvaturePaths/Scheme/LimitedDifference.h"
#include "CurvaturePaths/Scheme/PartProblem.h"
#include "Error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace isochrone::curvature {

namespace {

/// A seed is overrun if its value is below its start value by more than this share of the largest start
/// value.
constexpr double overrunTolerance = 1e-6;

/// Schemes this close to each other are equal up to rounding: Dubins straight ahead, between left and right.
constexpr double schemeTie = 1e-4;

} // namespace

double valueAt(const Field& field, std::int64_t state) {
  return field.values.empty() ? field.constant : field.values[std::size_t(state) % field.values.size()];
}

void DescentFlow::Descent::average(const Descent& other) {
  drop = (drop * total + other.drop * other.total) / (total + other.total);
  total = (total + other.total) / 2;
  square = std::max(square, other.square);
  for (int e = 0; e < other.count; ++e) edges[count++] = other.edges[e];
  for (int e = 0; e < count; ++e) edges[e].weight /= 2;
}

DescentFlow::DescentFlow(const Problem& input, const Solution& solution)
    : problem(input), held(input), ownPoints(ownPointsOf(input)),
      known(grid::grown(ownPoints, sharedPoints, {input.grid.nx, input.grid.ny, 1})),
      travelTime(solution.travelTime), ballsGiven(!solution.balls.empty()),
      shared(discretisationOf(input, solution)), corrections(input, solution.uncorrected, walls()),
      seedPoints(input.grid.planePoints(), 0) {
  if (std::int64_t(travelTime.size()) != held.states())
    fail("travel time has ", travelTime.size(), " values, the state grid ", held.states(),
         ": pass the one solved on this grid");
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
    if (at.status != Placement::Status::Inside || !held.has(at.i, at.j)) continue;
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
    if (!held.has(q.i, q.j) || value(q) < ball.travelTime - overrunTolerance * largest) continue;
    live.push_back({q, ball.seed});
    if (knows(q) && at(q).count == 0) stuck.push_back(live.back());
  }
  std::stable_sort(live.begin(), live.end(), [](const NearSeedState& a, const NearSeedState& b) {
    return std::tie(a.at.j, a.at.i) < std::tie(b.at.j, b.at.i);
  });
  for (const NearSeedState& from : stuck)
    if (const Offset step = leapFrom(from, live); step == Offset{})
      addEnd(index(from.at), from.seed);
    else
      leaps.emplace(index(from.at), step);
}

/// Returns the step to the nearest lower near-seed state, of several the one with the lowest index; zero if
/// the seed is nearer.
/// @param live  by row and column
Offset DescentFlow::leapFrom(const NearSeedState& from, std::span<const NearSeedState> live) const {
  const StateGrid& g = problem.grid;
  const State& seed = problem.seeds[from.seed].state;
  const double dk = seed.anyHeading ? 0 : seed.heading / g.headingStep() - from.at.k;
  double nearest = std::hypot(seed.x / g.hx - double(from.at.i), seed.y / g.hy - double(from.at.j),
                              std::remainder(dk, double(g.headings)));
  std::int64_t index = -1;
  Offset step{};
  const auto consider = [&](const NearSeedState& to) {
    if (value(to.at) >= value(from.at)) return;
    const Offset e{int(to.at.i - from.at.i), int(to.at.j - from.at.j),
                   int(std::remainder(to.at.k - from.at.k, double(g.headings)))};
    const double distance = std::hypot(e[0], e[1], e[2]);
    const std::int64_t other = this->index(to.at);
    if ((distance < nearest || (distance == nearest && other < index)) &&
        walls().free(from.at.i, from.at.j, e[0], e[1]))
      nearest = distance, index = other, step = e;
  };
  // Rows from the nearest to the farthest: a near state shortens the rows that follow.
  const auto considerRow = [&](std::int64_t j) {
    const auto reach = std::int64_t(nearest);
    const auto first = std::lower_bound(
        live.begin(), live.end(), std::pair(j, from.at.i - reach),
        [](const NearSeedState& s, const auto& place) { return std::pair(s.at.j, s.at.i) < place; });
    for (auto to = first; to != live.end() && to->at.j == j && to->at.i <= from.at.i + reach; ++to)
      consider(*to);
  };
  considerRow(from.at.j);
  for (int row = 1; row <= nearest; ++row) considerRow(from.at.j - row), considerRow(from.at.j + row);
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
  std::set<std::int32_t> live;
  for (const auto& [state, seed] : seeds) live.insert(seed);
  return {live.begin(), live.end()};
}

float DescentFlow::neighbour(const GridState& q, const Offset& e, int sign) const {
  const GridState p{q.i + sign * e[0], q.j + sign * e[1], q.k + sign * e[2]};
  if (!inside(p) || !walls().free(q.i, q.j, sign * e[0], sign * e[1]))
    return std::numeric_limits<float>::infinity();
  return value(p);
}

/// Returns the stencil of a state.
/// @param memory  holds it if stencils vary
const Stencil& DescentFlow::stencilAt(const GridState& q, Stencil& memory) const {
  if (!shared->varies()) return shared->stencils().uniform[wrap(q.k)];
  return memory = makeStencil(problem, wrap(q.k), valueAt(problem.turningRadius, index(q)),
                              valueAt(problem.curvatureShift, index(q)));
}

/// Calls visit(e, alpha, u - u(q + e), its limit) for the positive differences of a scheme.
template <class Visit>
void DescentFlow::eachDifference(const GridState& q, double u, const std::vector<Term>& scheme,
                                 Visit&& visit) const {
  const Corrections::Factors factors = corrections.factors(q.i, q.j, wrap(q.k), scheme);
  const double cost = valueAt(problem.cost, index(q));
  for (std::size_t t = 0; t < scheme.size(); ++t) {
    const Term& term = scheme[t];
    Offset offset = term.offset;
    float lower = neighbour(q, term.offset, 1);
    if (term.symmetric) {
      const float other = neighbour(q, term.offset, -1);
      if (other < lower) {
        lower = other;
        offset = {-term.offset[0], -term.offset[1], -term.offset[2]};
      }
    }
    const double difference = u - lower;
    if (difference > 0)
      visit(offset, term.weight * factors[t], difference, limitOf(problem, term.offset, cost));
  }
}

double DescentFlow::squaredOperator(const GridState& q, double u) const {
  Stencil memory;
  double largest = 0;
  for (const std::vector<Term>& scheme : stencilAt(q, memory).schemes) {
    double sum = 0;
    eachDifference(q, u, scheme, [&](const Offset&, double alpha, double difference, double limit) {
      const double counted = limited(difference, limit);
      sum += alpha * counted * counted;
    });
    largest = std::max(largest, sum);
  }
  return largest;
}

/// Returns the flow of one scheme.
DescentFlow::Descent DescentFlow::flowOf(const GridState& q, const std::vector<Term>& scheme) const {
  Descent descent;
  eachDifference(q, value(q), scheme, [&](const Offset& e, double alpha, double difference, double limit) {
    const double counted = limited(difference, limit), slope = difference > limit ? shareBeyond : 1;
    const double weight = alpha * counted * slope;
    descent.edges[descent.count++] = {e, weight};
    descent.total += weight;
    descent.drop += weight * difference;
    descent.square += alpha * counted * counted;
  });
  if (descent.total > 0) descent.drop /= descent.total;
  return descent;
}

DescentFlow::Descent DescentFlow::at(const GridState& q) const {
  Descent best;
  if (!std::isfinite(value(q)) || seedAt(q) >= 0) return best;
  Stencil memory;
  for (const std::vector<Term>& scheme : stencilAt(q, memory).schemes) {
    const Descent descent = flowOf(q, scheme);
    if (descent.square == 0) continue;
    if (std::abs(descent.square - best.square) < schemeTie * best.square)
      best.average(descent);
    else if (descent.square > best.square)
      best = descent;
  }
  if (best.count > 0) return best;
  if (const auto leap = leaps.find(index(q)); leap != leaps.end()) {
    best.edges[best.count++] = {leap->second, 1};
    best.total = 1, best.drop = double(value(q)) - value(moved(q, leap->second));
  }
  return best;
}

std::optional<GridState> DescentFlow::dominantStep(const GridState& q) const {
  const Descent descent = at(q);
  const auto end = descent.edges.begin() + descent.count;
  const auto best = std::max_element(descent.edges.begin(), end,
                                     [](const Edge& a, const Edge& b) { return a.weight < b.weight; });
  if (best == end) return {};
  return moved(q, best->offset);
}

} // namespace isochrone::curvature
