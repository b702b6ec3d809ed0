#include "ImageTravelTime/Sensitivity/TensorRows.h"

#include "Backend.h"
#include "Grid/SymmetricDerivatives.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Sensitivity/OrderedPass.h"
#include "ImageTravelTime/Sensitivity/PointUses.h"
#include "ImageTravelTime/Sensitivity/RefinedTensorSensitivity.h"
#include "ImageTravelTime/Sensitivity/TensorGraph.h"
#include "Workers.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>
#include <string>

namespace isochrone::image {

namespace {

using grid::Symmetric3;

/// Makes rows from masses.
class Rows {
public:
  /// What a row consists of, before it is sorted.
  struct Entries {
    std::vector<std::pair<std::int64_t, double>> factor; ///< points, and derivatives by factors on slownesses
    std::map<std::int32_t, Symmetric3> perSeedMetric;    ///< by seed
  };

  Rows(const SolverInput& solverInput, std::span<const float> travelTime,
       const TensorDependences& tensorDependences)
      : problem(solverInput.problem), dependences(tensorDependences) {
    perFactor.resize(travelTime.size());
    if (dependences.seeds().any()) perSeed.resize(travelTime.size());
  }

  /// Evaluates a point, and keeps what the rows need.
  TensorDependence evaluate(std::int64_t point) {
    const TensorDependence d = dependences.at(point);
    perFactor[std::size_t(point)] = factorOf(point, d.perMetric);
    if (perSeed.empty()) return d;
    const int ball = dependences.ballOf(point, d.from);
    PerSeed& to = perSeed[std::size_t(point)];
    to = {ball < 0 ? -1 : dependences.seeds().ballsInWorld()[std::size_t(ball)].seed, {}};
    if (ball >= 0) dependences.addPerSeedMetric(point, ball, d, 1, to.metric);
    return d;
  }

  /// Adds the points of first order.
  void add(const TensorGraph& graph, std::span<const double> mass, Entries& row) const {
    for (std::size_t node = 0; node < mass.size(); ++node) {
      if (mass[node] == 0 || graph.isLost(node)) continue;
      const auto point = std::size_t(graph.point(node));
      row.factor.emplace_back(point, mass[node] * perFactor[point]);
      if (!perSeed.empty() && perSeed[point].seed >= 0)
        grid::add(row.perSeedMetric[perSeed[point].seed], mass[node], perSeed[point].metric);
    }
  }

  /// Adds a point with a refined time.
  void add(std::int64_t point, const RefinedTensorDependence& d, double mass, Entries& row) const {
    row.factor.emplace_back(point, mass * factorOf(point, d.perMetric));
    if (d.seed >= 0) grid::add(row.perSeedMetric[d.seed], mass, d.perSeedMetric);
    if (d.face >= 0)
      row.factor.emplace_back(d.used[0].point, mass * factorOf(d.used[0].point, d.faceMetric()));
  }

  JacobianRow join(Entries entries) const {
    for (const auto& [seed, sum] : entries.perSeedMetric) {
      const auto nearest = nearestPoints(problem, problem.seeds[std::size_t(seed)].at);
      for (const std::int64_t point : nearest)
        entries.factor.emplace_back(point, factorOf(point, sum) / double(nearest.size()));
    }
    auto& all = entries.factor;
    std::ranges::stable_sort(all, {}, &std::pair<std::int64_t, double>::first);
    JacobianRow row;
    for (std::size_t e = 0; e < all.size();) {
      const std::int64_t point = all[e].first;
      double weight = 0;
      for (; e < all.size() && all[e].first == point; ++e) weight += all[e].second;
      if (weight != 0) row.point.push_back(point), row.weight.push_back(weight);
    }
    return row;
  }

private:
  /// The derivative with respect to the metric at a seed.
  struct PerSeed {
    std::int32_t seed; ///< -1: none
    Symmetric3 metric;
  };

  const Problem& problem;
  const TensorDependences& dependences;
  Values<double> perFactor; ///< per point, derivative with respect to a factor on its slowness
  Values<PerSeed> perSeed;  ///< per point; empty: no balls

  /// Returns the derivative with respect to a factor on the slowness: the metric has its square.
  double factorOf(std::int64_t point, const Symmetric3& perMetric) const {
    const Symmetric3 metric = metricAt(problem, point);
    double sum = 0;
    for (std::size_t c = 0; c < 6; ++c) sum += (c < 3 ? 2 : 4) * metric[c] * perMetric[c];
    return sum;
  }
};

/// The points that all tips together depend on.
struct Reach {
  std::optional<RefinedMasses> refined; ///< of refined times, down to those that keep their first order times
  std::vector<std::int64_t> ends;       ///< the points of first order that are reached first: else the tips
  TensorGraph graph;                    ///< of first order; its first nodes are `ends`
  double lostWeight = 0;
};

/// Evaluates these points. Returns nothing if the monitor requested a stop.
std::optional<Reach> reachOf(const SolverInput& input, const TensorDependences& dependences, Rows& rows,
                             std::span<const float> travelTime, std::span<const std::int64_t> points,
                             bool isRefined, std::size_t reached, const Monitor& monitor) {
  std::vector<PointMass> masses; // of all tips together
  for (const std::int64_t point : points) masses.push_back({point, 1});
  std::optional<RefinedMasses> refined;
  if (isRefined) {
    const RefinedTensorDependences equations(input, dependences, travelTime);
    refined = passRefined(equations, masses, input.pool, monitor.part(0, 0.3));
    if (!refined) return std::nullopt;
    masses = refined->kept;
  }
  std::vector<std::int64_t> ends;
  for (const PointMass& m : masses) ends.push_back(m.point);
  Reach reach{std::move(refined), ends, TensorGraph(input.problem, ends, reached)};
  TensorGraph& graph = reach.graph;
  const auto evaluate = [&](std::int64_t point) { return rows.evaluate(point); };
  if (!graph.flood(evaluate, input.pool, monitor.part(0.3, 0.5)) || !graph.sort(monitor.part(0.8, 0.2)))
    return std::nullopt;
  std::vector<double> mass(graph.size(), 0);
  for (std::size_t node = 0; node < masses.size(); ++node) mass[node] = masses[node].mass;
  if (!graph.spread(mass, monitor.part(1, 0))) return std::nullopt;
  for (std::size_t node = 0; node < mass.size(); ++node)
    if (graph.isLost(node)) reach.lostWeight += mass[node];
  return reach;
}

/// Computes rows on one thread.
class RowMaker {
public:
  RowMaker(const Rows& allRows, const Reach& ofAll) : rows(allRows), reach(ofAll) {
    if (reach.refined) pass.emplace(reach.refined->ranks);
  }

  /// Returns the memory of one.
  static std::size_t bytesNeeded(const Reach& reach, std::size_t points) {
    return reach.graph.size() * sizeof(double) + (reach.refined ? OrderedPass<1>::bytesNeeded(points) : 0);
  }

  /// Returns the row of a point; nothing if the monitor requested a stop.
  /// @param tip  its number among all
  std::optional<JacobianRow> of(std::int64_t point, std::size_t tip, const Monitor& monitor) {
    mass.assign(reach.graph.size(), 0);
    Rows::Entries row;
    if (reach.refined) {
      if (!passRefinedTimes(point, row, monitor)) return std::nullopt;
    } else {
      mass[tip] = 1;
    }
    if (!reach.graph.spread(mass, monitor)) return std::nullopt;
    rows.add(reach.graph, mass, row);
    return rows.join(std::move(row));
  }

private:
  const Rows& rows;
  const Reach& reach;
  std::optional<OrderedPass<1>> pass; ///< of refined times
  std::vector<double> mass;           ///< per point of the graph

  bool passRefinedTimes(std::int64_t tip, Rows::Entries& row, const Monitor& monitor) {
    const RefinedTensorDependence* const found = reach.refined->dependence.data();
    const auto visit = [&](std::int64_t point, const OrderedPass<1>::Mass& arrived) {
      if (!found[point].isStart) return rows.add(point, found[point], arrived[0], row);
      const auto node = std::ranges::lower_bound(reach.ends, point) - reach.ends.begin();
      mass[std::size_t(node)] += arrived[0];
    };
    const OrderedPass<1>::Tip tips[] = {{tip, {1}}};
    return pass->run(tips, PointUses{found}, visit, monitor);
  }
};

} // namespace

std::vector<JacobianRow> tensorRows(SolverInput& input, std::span<const float> travelTime,
                                    std::span<const std::int64_t> points, const SensitivityOptions& options,
                                    const Monitor& monitor, double& lostWeight) {
  // 1. The points that the tips depend on.
  const bool isRefined = refinesTensors(input.problem, input.options) && !points.empty();
  const auto reached =
      std::size_t(std::ranges::count_if(travelTime, [](float u) { return std::isfinite(u); }));
  const std::size_t perNode = (input.options.factoring == SourceFactoring::Off ? 0 : 7) * sizeof(double),
                    ofRefined = isRefined ? refinedTensorBytes(travelTime.size()) : 0;
  requireHostMemory(TensorGraph::bytesNeeded(input.problem, reached) + reached * (perNode + sizeof(double)) +
                        travelTime.size() * (sizeof(double) + 5 * sizeof(std::int32_t) + 1) + ofRefined,
                    "the Jacobian");
  if (!monitor.report(0)) return {};
  FirstOrderTimes firstOrder;
  std::vector<PointMass> tips;
  for (const std::int64_t point : points) tips.push_back({point, 1});
  if (isRefined && !firstOrder.find(input.problem, options, tips, monitor.part(0, 0.05))) return {};
  const TensorDependences dependences(input, isRefined ? firstOrder.times() : travelTime);
  Rows rows(input, travelTime, dependences);
  const std::optional<Reach> reach =
      reachOf(input, dependences, rows, travelTime, points, isRefined, reached, monitor.part(0.05, 0.2));
  if (!reach) return {};
  lostWeight += reach->lostWeight;

  // 2. The rows, on one thread each.
  const std::size_t bytes = RowMaker::bytesNeeded(*reach, travelTime.size());
  int threads = int(std::clamp<std::int64_t>(std::ssize(points), 1, input.pool.size()));
  while (threads > 1 && !hasHostMemory(2 * std::size_t(threads) * bytes)) --threads;
  const Monitor rest = monitor.part(0.25, 0.75);
  Workers workers(threads, rest);
  std::vector<std::optional<RowMaker>> makers(std::size_t(workers.threads));
  constexpr std::int64_t checked = 1 << 20; // entries between two checks of the memory
  std::atomic<std::int64_t> entries{0};
  std::vector<JacobianRow> result(points.size());
  std::atomic<bool> stop{false};
  const bool done = workers.run(std::ssize(points), [&](std::int64_t tip, int worker) {
    std::optional<RowMaker>& maker = makers[std::size_t(worker)];
    if (!maker) maker.emplace(rows, *reach);
    const Monitor within{[&](double) { // worker 0 is the thread that reports
      if (worker == 0 && !rest.report(double(tip) / double(points.size()))) stop = true;
      return !stop;
    }};
    std::optional<JacobianRow> row = maker->of(points[std::size_t(tip)], std::size_t(tip), within);
    if (!row) return;
    const std::int64_t size = std::ssize(row->point), before = entries.fetch_add(size);
    result[std::size_t(tip)] = std::move(*row);
    if (before / checked != (before + size) / checked)
      requireHostMemory(std::size_t(before + size) * (sizeof(std::int64_t) + sizeof(double)),
                        "the Jacobian of " + std::to_string(points.size()) + " tips");
  });
  if (!done || stop) result.clear();
  return result;
}

} // namespace isochrone::image
