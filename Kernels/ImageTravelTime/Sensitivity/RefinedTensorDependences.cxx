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
                                                   std::span<const float> firstOrder,
                                                   std::span<const float> u)
    : problem(input.problem), first(firstOrder), travelTime(u), equations(input, firstOrder) {}

RefinedTensorDependence RefinedTensorDependences::at(std::int64_t point) const {
  RefinedTensorDependence d{};
  d.seed = d.face = -1;
  d.isStart = true;
  if (!std::isfinite(equations.times()[std::size_t(point)])) return d;
  const auto timeOf = [&](std::int64_t p) { return double(travelTime[std::size_t(p)]); };
  const RefinedTensors::Point solved = equations.solve(point, double(first[std::size_t(point)]), timeOf);
  if (!solved.isRefined && solved.face < 0) return d;
  d.isStart = false;
  d.rounding = solved.value - timeOf(point);
  solved.face < 0 ? applyTerms(point, solved, d) : applyFace(point, solved, d);
  return d;
}

/// Terms of weight 0 are used as soon as the tensor turns, if they would not use a later time.
void RefinedTensorDependences::applyTerms(std::int64_t point, const RefinedTensors::Point& solved,
                                          RefinedTensorDependence& d) const {
  const double v = solved.value, inverseSlope = 1 / slopeOfDifferences(solved.term, solved.count, v);
  const auto timeOf = [&](std::int64_t p) { return double(travelTime[std::size_t(p)]); };
  const Symmetric3 gridTensor = gridTensorAt(problem, point);
  const TensorWeights terms(gridTensor, problem.grid.nz == 1);
  Symmetric3 perTensor{};
  bool isSolved[TensorWeights::maximum] = {};
  const auto addWeight = [&](int term, const Difference& of) {
    const double difference = of.slope * v - of.rest;
    grid::add(perTensor, -difference * difference * inverseSlope / 2, terms.perTensor[term]);
  };
  const FactoringBall* ball = nullptr;
  if (solved.quantity.isFactored()) {
    d.seed = solved.quantity.seedNumber();
    ball = &*std::ranges::find(equations.balls(), d.seed, &FactoringBall::number);
  }
  for (int k = 0; k < solved.count; ++k) {
    const RefinedTensors::Side& side = solved.side[k];
    const Difference& term = solved.term[k];
    if (const int r = terms.termOf(side.offset); r < terms.count) isSolved[r] = true, addWeight(r, term);
    const double perRest = term.weight * (term.slope * v - term.rest) * inverseSlope;
    if (term.near != 0) d.used[d.count++] = {perRest * term.near, std::int32_t(side.near)};
    if (term.far != 0) d.used[d.count++] = {perRest * term.far, std::int32_t(side.far)};
    if (ball && term.weight > 0) grid::add(d.perSeedMetric, perRest, restPerMetric(*ball, point, side, term));
  }
  for (int r = 0; r < terms.count; ++r) {
    if (isSolved[r] || (problem.grid.nz == 1 && terms.offset[r][2] != 0)) continue;
    const RefinedTensors::Side side = equations.sideOf(point, terms.offset[r]);
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

/// Returns the derivative of the rest of an additively factored difference with respect to the metric of the
/// seed: of own T(x) - nearest T(x + e) - farther T(x + 2 e) + <x, G e> / T(x), with T(x) = sqrt(<x, G x>).
Symmetric3 RefinedTensorDependences::restPerMetric(const FactoringBall& ball, std::int64_t point,
                                                   const RefinedTensors::Side& side,
                                                   const Difference& term) const {
  const GridIndex at = problem.grid.indices(point);
  Symmetric3 metric; // in grid steps
  std::ranges::copy(ball.metric, metric.begin());
  const auto along = [&](int steps) {
    Vector3 v;
    for (std::size_t a = 0; a < 3; ++a) v[a] = double(at[a] + steps * side.offset[a]) - ball.at[a];
    return v;
  };
  const auto perMetric = [&](const Vector3& v) {
    return grid::perMetricOfLength(v, std::sqrt(grid::square(metric, v)));
  };
  const Vector3 x = along(0), e{double(side.offset[0]), double(side.offset[1]), double(side.offset[2])};
  const double time = std::sqrt(grid::square(metric, x)), slope = grid::dot(x, grid::times(metric, e));
  Symmetric3 d{};
  grid::add(d, term.slope - slope / (time * time), perMetric(x));
  if (term.near != 0) grid::add(d, -term.near, perMetric(along(1)));
  if (term.far != 0) grid::add(d, -term.far, perMetric(along(2)));
  grid::add(d, 1 / time, grid::symmetricProduct(x, e));
  return grid::scaled(d, problem.grid.spacing());
}

} // namespace isochrone::image
