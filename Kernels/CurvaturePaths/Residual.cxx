// Measures how well a travel time solves the discrete equation F u = cost, in double, with stencils built
// point by point.
#include "CurvaturePaths/Paths/DescentFlow.h"
#include "CurvaturePaths/Scheme/PartProblem.h"
#include "CurvaturePaths/Scheme/Starts.h"
#include "CurvaturePaths/Seeds/PeriodicProblem.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::curvature {

namespace {

/// Where a turn costs almost nothing, differences of travel times are rounding, and an equation solved to the
/// last bit has a large residual. From this residual on, the part that rounding explains is left out. The
/// solver rounds times since the earliest start, and their sum with that start. Where that start is so large
/// that the sum blurs all arrivals, the allowance is relative to the time span of the arrivals.
constexpr double roundingMayBe = 1e-3, roundingOfTimes = 8 * 0x1p-24;

/// Returns the maximum over all processes.
double allMax(const Problem& problem, double value) {
  value = -value;
  problem.part.allMin({&value, 1});
  return -value;
}

} // namespace

double residual(const Problem& problem, const Solution& solution, int threads, const Monitor& monitor) {
  if (isPeriodic(problem)) {
    const PeriodicProblem periodic(problem, discretisationOfImage(problem, solution));
    const PeriodicSolution extended(periodic, solution);
    return residual(periodic.problem(), extended.solution, threads, monitor);
  }
  const StateGrid& g = problem.grid;
  Solution plain = solution;
  plain.balls = {}; // path ends near seeds are not needed here and take long to find
  const DescentFlow flow(problem, plain);
  const StateWindow& window = flow.window();
  std::vector<char> prescribed(std::size_t(window.states()), 0);
  const auto prescribe = [&](std::int64_t state) {
    const std::int64_t point = state % g.planePoints(), i = point % g.nx, j = point / g.nx;
    if (window.has(i, j)) prescribed[std::size_t(window.state(i, j, int(state / g.planePoints())))] = 1;
  };
  for (const BallState& b : solution.balls) prescribe(b.state);
  const std::vector<StartState> starts = seedStarts(problem, flow.discretisation()->seeds);
  for (const StartState& s : starts) prescribe(s.state);
  const double earliest = earliestOf(starts);
  double latest = earliest;
  for (const float u : solution.travelTime)
    if (std::isfinite(u)) latest = std::max(latest, double(u));
  latest = allMax(problem, latest);
  const double h = std::min(g.hx, g.hy);
  const auto check = [&](const GridState& q, double& worst) {
    const std::int64_t state = flow.index(q);
    const double u = flow.value(q), cost = valueAt(problem.cost, state);
    if (!std::isfinite(u) || prescribed[std::size_t(window.state(q.i, q.j, q.k))]) return;
    const auto excess = [&](double time) { return std::sqrt(flow.squaredOperator(q, time)) / cost - 1; };
    double error = std::abs(excess(u));
    if (error > roundingMayBe) {
      const double slack = roundingOfTimes * std::max(u - earliest, std::min(std::abs(u), latest - earliest));
      error = std::max({0., excess(u - slack), -excess(u + slack)});
    }
    worst = std::max(worst, error / std::max(1., (u - earliest) / (500 * h * cost)));
  };
  threads = chooseThreads(threads, 100 * double(problem.grid.points()));
  std::vector<double> worst(threads, 0); // maximum per thread
  const grid::Box own = ownPointsOf(problem);
  const std::int64_t rows = own.points() / std::max<std::int64_t>(1, own.size(0));
  const bool done = Workers(threads, monitor).run(rows * g.headings, [&](std::int64_t row, int thread) {
    double worstOfRow = 0;
    for (std::int64_t i = own.low[0]; i < own.high[0]; ++i)
      check({i, own.low[1] + row % rows, int(row / rows)}, worstOfRow);
    worst[thread] = std::max(worst[thread], worstOfRow);
  });
  if (!done) return std::numeric_limits<double>::quiet_NaN();
  return allMax(problem, *std::max_element(worst.begin(), worst.end()));
}

} // namespace isochrone::curvature
