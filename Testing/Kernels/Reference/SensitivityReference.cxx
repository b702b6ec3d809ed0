#include "Reference/SensitivityReference.h"

#include "Reference/CurvatureReference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace isochrone::reference {

namespace {

struct Edge {
  std::int64_t to;
  double weight;
};

} // namespace

Adjoint adjoint(const curvature::Problem& problem, std::span<const double> travelTime,
                std::span<const std::pair<std::int64_t, double>> masses) {
  const curvature::StateGrid& grid = problem.grid;
  FreeSteps steps(problem);
  Adjoint result{std::vector<double>(grid.points(), 0), std::vector<double>(grid.points(), 0)};
  for (const auto& [state, mass] : masses) result.arrived[state] += mass;
  std::vector<std::int64_t> order(grid.points());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return travelTime[a] > travelTime[b]; });
  std::vector<char> seed(grid.points(), 0);
  for (const auto& [state, start] : seedStates(problem)) seed[state] |= travelTime[state] >= start;

  for (const std::int64_t p : order) {
    const double mass = result.arrived[p], u = travelTime[p];
    if (mass == 0 || seed[p] || std::isinf(u)) continue;
    const std::int64_t plane = p % grid.planePoints();
    const int k = int(p / grid.planePoints());
    std::vector<Edge> edges[2];
    double sums[2] = {0, 0};
    for (const Difference& d : differences(problem, k, valueAt(problem, problem.turningRadius, p),
                                           valueAt(problem, problem.curvatureShift, p))) {
      Edge edge{-1, 0};
      double minimum = u;
      for (const int side : {1, -1}) {
        if (side < 0 && !d.symmetric) break;
        const int ex = side * d.offset[0], ey = side * d.offset[1];
        if (!steps.of(ex, ey)[plane]) continue;
        const int n = grid.headings, heading = ((k + side * d.offset[2]) % n + n) % n;
        const std::int64_t q = grid.index(plane % grid.nx + ex, plane / grid.nx + ey, heading);
        if (travelTime[q] < minimum) minimum = travelTime[q], edge = {q, d.weight * (u - minimum)};
      }
      if (edge.to < 0) continue;
      edges[d.scheme].push_back(edge);
      sums[d.scheme] += edge.weight * (u - minimum);
    }
    const int active = sums[1] > sums[0] ? 1 : 0;
    double total = 0;
    for (const Edge& edge : edges[active]) total += edge.weight;
    result.cost[p] = mass * valueAt(problem, problem.cost, p) / total;
    for (const Edge& edge : edges[active]) result.arrived[edge.to] += mass * edge.weight / total;
    result.arrived[p] = 0;
  }
  return result;
}

} // namespace isochrone::reference
