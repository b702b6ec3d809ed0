#include "ImageTravelTime/Sensitivity/RefinedTensorDependences.h"

#include "Grid/SymmetricDerivatives.h"
#include "ImageTravelTime/Sensitivity/TensorWeights.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

using grid::Symmetric3;
using grid::Vector3;

RefinedTensorDependences::RefinedTensorDependences(const SolverInput& input,
                                                   const TensorDependences& firstOrder,
                                                   std::span<const float> u)
    : problem(input.problem), isMultiplicative(input.options.factoring == SourceFactoring::Multiplicative),
      first(firstOrder.times()), travelTime(u), equations(input, first) {}

RefinedTensorDependence RefinedTensorDependences::at(std::int64_t point) const {
  const auto timeOf = [&](std::int64_t p) { return this->timeOf(p); };
  RefinedTensorDependence d{};
  d.seed = d.face = -1;
  d.isStart = true;
  if (!std::isfinite(equations.times()[std::size_t(point)])) return d;
  if (!std::isfinite(travelTime[std::size_t(point)])) return d;
  const RefinedTensors::Point solved = equations.solve(point, double(first[std::size_t(point)]), timeOf);
  const bool isResolved = solved.isRefined && image::isResolved(solved.value, solved.term, solved.count);
  if (!isResolved && solved.face < 0) return d;
  d.isStart = false;
  d.rounding = solved.value - double(travelTime[std::size_t(point)]);
  solved.face < 0 ? applyTerms(point, solved, d) : applyFace(point, solved, d);
  return d;
}

/// Terms of weight 0 are used as soon as the tensor turns, if they would not use a later time.
void RefinedTensorDependences::applyTerms(std::int64_t point, const RefinedTensors::Point& solved,
                                          RefinedTensorDependence& d) const {
  const double v = solved.value, inverseSlope = 1 / slopeOfDifferences(solved.term, solved.count, v);
  const Symmetric3 gridTensor = gridTensorAt(problem, point);
  const TensorWeights terms(gridTensor, problem.grid.nz == 1);
  const GridIndex at = problem.grid.indices(point);
  Symmetric3 perTensor{};
  bool isSolved[TensorWeights::maximum] = {};
  const auto addWeight = [&](int term, const Difference& of) {
    const double difference = of.slope * v - of.rest;
    grid::add(perTensor, -difference * difference * inverseSlope / 2, terms.perTensor[term]);
  };
  const RefinementBall* ball = nullptr;
  if (solved.quantity.isFactored()) {
    d.seed = solved.quantity.seedNumber();
    ball = &*std::ranges::find(equations.balls(), d.seed, &RefinementBall::number);
  }
  for (int k = 0; k < solved.count; ++k) {
    const RefinedTensors::Side& side = solved.side[k];
    const Difference& term = solved.term[k];
    if (const int r = terms.termOf(side.offset); r < terms.count) isSolved[r] = true, addWeight(r, term);
    const double perRest = term.weight * (term.slope * v - term.rest) * inverseSlope;
    const Coefficients c = coefficientsOf(term.points == 2);
    const auto use = [&](std::int64_t used, int steps, double coefficient) {
      const double share = perRest * coefficient * solved.quantity.perTime(side.offset, steps);
      d.used[d.count++] = {share, std::int32_t(used)};
      d.perStartValue -= share;
    };
    if (term.points >= 1) use(side.near, 1, c.nearest);
    if (term.points == 2) use(side.far, 2, c.farther);
    if (ball && term.weight > 0) grid::add(d.perSeedMetric, perRest, perSeedMetric(*ball, point, solved, k));
  }
  d.perStartValue =
      isMultiplicative && ball ? 1 + d.perStartValue : 0; // all times move with the start values
  const auto timeOf = [&](std::int64_t p) { return this->timeOf(p); };
  for (int r = 0; r < terms.count; ++r) {
    if (isSolved[r] || (problem.grid.nz == 1 && terms.offset[r][2] != 0)) continue;
    const RefinedTensors::Side side = equations.sideOf(point, at, terms.offset[r]);
    const Difference term = equations.difference(solved.quantity, side, 0, solved.usesFar, timeOf);
    if (v >= term.used) addWeight(r, term);
  }
  d.perMetric = perMetricOf(gridTensor, perTensor, problem.grid.sizes(), problem.grid.spacing());
}

/// The step takes the mean of the times with the tensors of both ends.
void RefinedTensorDependences::applyFace(std::int64_t point, const RefinedTensors::Point& solved,
                                         RefinedTensorDependence& d) const {
  const auto axis = std::size_t(solved.axis);
  const double h = problem.grid.spacing()[axis];
  const auto perMetric = [&](std::int64_t end) { return h / (4 * std::sqrt(metricAt(problem, end)[axis])); };
  d.used[d.count++] = {1, std::int32_t(solved.face)};
  d.face = solved.axis;
  d.perMetric[axis] = perMetric(point), d.perFaceMetric = perMetric(solved.face);
}

/// Returns the derivative of rest - slope * v of a difference with respect to the metric of the seed, with
/// T(x) = sqrt(<x, G x>). Additive: of own T(x) - nearest T(x + e) - farther T(x + 2 e) + <x, G e> / T(x).
/// Multiplicative: the slope has the part -<x, G e> / T(x)^2, and the rest, apart from slope * startValue, is
/// T(x) times the sum of coefficient * (time - startValue) / T over the other points.
Symmetric3 RefinedTensorDependences::perSeedMetric(const RefinementBall& ball, std::int64_t point,
                                                   const RefinedTensors::Point& solved, int k) const {
  const RefinedTensors::Side& side = solved.side[k];
  const Difference& term = solved.term[k];
  const GridIndex at = problem.grid.indices(point);
  Symmetric3 metric; // in grid steps
  std::ranges::copy(ball.metric, metric.begin());
  struct Line {
    Vector3 along;
    double time;
    Symmetric3 perMetric;
  };
  const auto lineTo = [&](int steps) {
    Line line;
    for (std::size_t a = 0; a < 3; ++a) line.along[a] = double(at[a] + steps * side.offset[a]) - ball.at[a];
    line.time = std::sqrt(grid::square(metric, line.along));
    line.perMetric = grid::perMetricOfLength(line.along, line.time);
    return line;
  };
  const Line x = lineTo(0);
  const Vector3 e{double(side.offset[0]), double(side.offset[1]), double(side.offset[2])};
  const double slope = grid::dot(x.along, grid::times(metric, e)); // <x, G e>
  const Coefficients c = coefficientsOf(term.points == 2);
  const double coefficient[] = {0, c.nearest, c.farther};
  Symmetric3 d{};
  if (isMultiplicative) {
    const double startValue = ball.startValue, perSlope = startValue - solved.value;
    grid::add(d, -perSlope / (x.time * x.time), grid::symmetricProduct(x.along, e));
    grid::add(d, 2 * perSlope * slope / (x.time * x.time * x.time), x.perMetric);
    for (int n = 1; n <= term.points; ++n) {
      const Line to = lineTo(n);
      const bool isSeed = solved.quantity.perTime(side.offset, n) == 0; // there u / T is 1
      const double time = double(travelTime[std::size_t(n == 1 ? side.near : side.far)]);
      const double ratio = coefficient[n] * (isSeed ? 1 : (time - startValue) / to.time);
      grid::add(d, ratio, x.perMetric);
      if (!isSeed) grid::add(d, -ratio * x.time / to.time, to.perMetric);
    }
  } else {
    d = grid::remainderPerMetric(metric, x.along, e, term.slope, term.points > 0 ? c.nearest : 0,
                                 term.points == 2 ? c.farther : 0);
  }
  return grid::scaled(d, problem.grid.spacing());
}

} // namespace isochrone::image
