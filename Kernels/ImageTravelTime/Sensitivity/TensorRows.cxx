#include "ImageTravelTime/Sensitivity/TensorRows.h"

#include "Backend.h"
#include "Grid/SymmetricDerivatives.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Sensitivity/OrderedPass.h"
#include "ImageTravelTime/Sensitivity/RefinedTensorSensitivity.h"
#include "ImageTravelTime/Sensitivity/TensorGraph.h"
#include "ImageTravelTime/Tensors/TensorRefinement.h"
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
    dependences.addPerSeedMetric(point, d, 1, to.metric);
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

  /// Adds a point of second order.
  void add(std::int64_t point, const RefinedTensorDependence& d, double mass, Entries& row) const {
    row.factor.emplace_back(point, mass * factorOf(point, d.perMetric));
    if (d.seed >= 0) grid::add(row.perSeedMetric[d.seed], mass, d.perSeedMetric);
    if (d.face < 0) return;
    Symmetric3 perMetric{};
    perMetric[std::size_t(d.face)] = d.perFaceMetric;
    row.factor.emplace_back(d.used[0].point, mass * factorOf(d.used[0].point, perMetric));
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

} // namespace

std::vector<JacobianRow> tensorRows(SolverInput& input, std::span<const float> travelTime,
                                    std::span<const std::int64_t> points, const SensitivityOptions& options,
                                    const Monitor& monitor, double& lostWeight) {
  const bool isRefined = refinesTensors(input.problem, input.options) && !points.empty();
  const auto reached =
      std::size_t(std::ranges::count_if(travelTime, [](float u) { return std::isfinite(u); }));
  const std::size_t perNode = (input.options.factoring == SourceFactoring::Off ? 0 : 7) * sizeof(double),
                    perPoint = isRefined ? sizeof(RefinedTensorDependence) + 2 * sizeof(double) : 0;
  requireHostMemory(TensorGraph::bytesNeeded(input.problem, reached) + reached * (perNode + sizeof(double)) +
                        travelTime.size() * (perPoint + sizeof(double) + sizeof(std::int32_t) + 1),
                    "the Jacobian");
  if (!monitor.report(0)) return {};

  // 1. If times are refined, the points that the tips depend on down to those that keep their first order
  // times.
  FirstOrderTimes firstOrder;
  std::vector<PointMass> masses; // of all tips together
  for (const std::int64_t point : points) masses.push_back({point, 1});
  if (isRefined && !firstOrder.find(input.problem, options, masses, monitor.part(0, 0.05))) return {};
  const TensorDependences dependences(input, isRefined ? firstOrder.times() : travelTime);
  std::optional<RefinedMasses> refined;
  if (isRefined) {
    const RefinedTensorDependences equations(input, firstOrder.times(), travelTime);
    refined = passRefined(equations, masses, input.pool, monitor.part(0.05, 0.05));
    if (!refined) return {};
    masses = refined->kept;
  }

  // 2. The points of first order.
  Rows rows(input, travelTime, dependences);
  std::vector<std::int64_t> ends;
  for (const PointMass& m : masses) ends.push_back(m.point);
  TensorGraph graph(input.problem, ends, reached);
  if (!graph.flood([&](std::int64_t point) { return rows.evaluate(point); }, input.pool,
                   monitor.part(0.1, 0.1)) ||
      !graph.sort(monitor.part(0.2, 0.05)))
    return {};
  std::vector<double> mass(graph.size(), 0);
  for (std::size_t node = 0; node < masses.size(); ++node) mass[node] = masses[node].mass;
  if (!graph.spread(mass, monitor.part(0.25, 0))) return {};
  for (std::size_t node = 0; node < mass.size(); ++node) lostWeight += graph.isLost(node) ? mass[node] : 0;

  // 3. The rows, on one thread each.
  const std::size_t bytes =
      graph.size() * sizeof(double) + (isRefined ? OrderedPass<1>::bytesNeeded(travelTime.size()) : 0);
  int threads = int(std::clamp<std::int64_t>(std::ssize(points), 1, input.pool.size()));
  while (threads > 1 && !hasHostMemory(2 * std::size_t(threads) * bytes)) --threads;
  const Monitor rest = monitor.part(0.25, 0.75);
  Workers workers(threads, rest);
  std::vector<std::vector<double>> nodeMasses(std::size_t(workers.threads));
  std::vector<std::optional<OrderedPass<1>>> passes(std::size_t(workers.threads));
  constexpr std::int64_t checked = 1 << 20; // entries between two checks of the memory
  std::atomic<std::int64_t> entries{0};
  std::vector<JacobianRow> result(points.size());
  std::atomic<bool> stop{false};
  const bool done = workers.run(std::ssize(points), [&](std::int64_t tip, int worker) {
    std::vector<double>& own = nodeMasses[std::size_t(worker)];
    own.assign(graph.size(), 0);
    const Monitor within{[&](double) { // worker 0 is the thread that reports
      if (worker == 0 && !rest.report(double(tip) / double(points.size()))) stop = true;
      return !stop;
    }};
    Rows::Entries row;
    if (isRefined) {
      std::optional<OrderedPass<1>>& pass = passes[std::size_t(worker)];
      if (!pass) pass.emplace(refined->ranks);
      const RefinedTensorDependence* const found = refined->dependence.data();
      const auto visit = [&](std::int64_t point, const OrderedPass<1>::Mass& arrived) {
        if (!found[point].isStart) return rows.add(point, found[point], arrived[0], row);
        own[std::size_t(std::ranges::lower_bound(ends, point) - ends.begin())] += arrived[0];
      };
      const OrderedPass<1>::Tip tips[] = {{points[std::size_t(tip)], {1}}};
      if (!pass->run(tips, RefinedTensorUses{found}, visit, within)) return;
    } else {
      own[std::size_t(tip)] = 1;
    }
    if (!graph.spread(own, within)) return;
    rows.add(graph, own, row);
    JacobianRow& joined = result[std::size_t(tip)] = rows.join(std::move(row));
    const std::int64_t size = std::ssize(joined.point), before = entries.fetch_add(size);
    if (before / checked != (before + size) / checked)
      requireHostMemory(std::size_t(before + size) * (sizeof(std::int64_t) + sizeof(double)),
                        "the Jacobian of " + std::to_string(points.size()) + " tips");
  });
  if (!done || stop) result.clear();
  return result;
}

} // namespace isochrone::image
