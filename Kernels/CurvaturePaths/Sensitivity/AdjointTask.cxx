#include "CurvaturePaths/Sensitivity/AdjointTask.h"

#include "CurvaturePaths/Paths/DescentFlow.h"
#include "CurvaturePaths/Validation.h"
#include "Error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace isochrone::curvature {

namespace {

/// As in DescentFlow: a state lower than its start value by more than rounding has been overrun.
constexpr double overrunTolerance = 1e-6;

void check(const Problem& problem, std::span<const WeightedTip> tips) {
  validate(problem);
  requireAllStates(problem, "derivatives");
  constexpr std::int64_t maximum = std::numeric_limits<int>::max();
  if (problem.grid.points() > maximum)
    fail("sensitivities are computed for at most ", maximum, " states, the grid has ", problem.grid.points(),
         ": use a smaller image or fewer headings");
  for (std::size_t t = 0; t < tips.size(); ++t)
    if (!std::isfinite(tips[t].weight))
      fail("the weight of tip ", t, " must be finite, got ", tips[t].weight);
}

void addSeeds(const Problem& problem, const DescentFlow& flow, SensitivityTask& task) {
  for (const std::int32_t s : flow.liveSeeds()) {
    const Seed& seed = problem.seeds[s];
    const Placement& at = flow.discretisation()->seeds[s];
    for (int k = 0; k < problem.grid.headings; ++k) {
      const GridState q{at.i, at.j, k};
      if (flow.seedAt(q) == s) task.seeds.push_back({flow.index(q), s, seed.startValue});
    }
  }
}

/// Adds the near-seed states that no path from elsewhere has lowered.
void addBalls(const Solution& solution, SensitivityTask& task) {
  double largest = 0;
  for (const BallState& ball : solution.balls) largest = std::max(largest, std::abs(double(ball.travelTime)));
  for (const BallState& ball : solution.balls)
    if (solution.travelTime[ball.state] >= ball.travelTime - overrunTolerance * largest)
      task.seeds.push_back({ball.state, ball.seed, ball.travelTime});
}

/// Returns the reached state of a tip, or -1. Sets the heading of a tip with any heading.
std::int64_t tipState(const DescentFlow& flow, Placement& tip) {
  if (tip.status != Placement::Status::Inside) return -1;
  GridState q{tip.i, tip.j, std::max(0, tip.heading)};
  if (tip.heading < 0)
    for (int k = 1; k < flow.grid().headings; ++k)
      if (flow.value({tip.i, tip.j, k}) < flow.value(q)) q.k = k;
  if (!std::isfinite(flow.value(q))) {
    tip.heading = -1;
    return -1;
  }
  tip.heading = q.k;
  return flow.index(q);
}

/// Adds the weight of each tip to its state.
void addTips(const DescentFlow& flow, std::span<const WeightedTip> tips, SensitivityTask& task) {
  std::map<std::int64_t, double> weights;
  for (const WeightedTip& tip : tips) {
    task.places.push_back(place(flow.input(), tip.tip));
    const std::int64_t state = tipState(flow, task.places.back());
    if (state < 0) continue;
    weights[state] += tip.weight;
  }
  std::vector<adjoint::StateWeight> states;
  for (const auto& [state, weight] : weights) {
    const float u = task.travelTime[state];
    states.push_back({int(state), u, weight});
    task.objective += weight * u;
  }
  task.masses = adjoint::massesOf(states);
  adjoint::sortLatestFirst(task.masses);
}

} // namespace

SensitivityTask makeSensitivityTask(const Problem& problem, const Solution& solution,
                                    std::span<const WeightedTip> tips) {
  check(problem, tips);
  Solution plain = solution;
  plain.balls = {}; // path ends near seeds are not needed here and take long to find
  const DescentFlow flow(problem, plain);
  SensitivityTask task;
  task.discretisation = flow.discretisation();
  task.travelTime = solution.travelTime;
  task.uncorrected = solution.uncorrected;
  addTips(flow, tips, task);
  if (task.masses.tips.empty()) return task;
  if (solution.balls.empty())
    addSeeds(problem, flow, task);
  else
    addBalls(solution, task);
  task.plan = makeSensitivityPlan(problem, *task.discretisation);
  task.earliest = std::min(double(task.masses.tips.front().time), earliestOf(task.seeds));
  return task;
}

} // namespace isochrone::curvature
