#include "ImageTravelTime/Sensitivity/TensorRows.h"

#include "Backend.h"
#include "Grid/SymmetricDerivatives.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Sensitivity/TensorGraph.h"
#include "Workers.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

namespace isochrone::image {

namespace {

using grid::Symmetric3;

/// Makes rows from masses.
class Rows {
public:
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
    PerSeed& to = perSeed[std::size_t(point)] = {dependences.ballOf(point, d.from), {}};
    dependences.addPerSeedMetric(point, d, 1, to.metric);
    return d;
  }

  JacobianRow of(const TensorGraph& graph, std::span<const double> mass) const {
    std::vector<std::pair<std::int64_t, double>> entries;
    const auto balls = dependences.seeds().ballsInWorld();
    std::vector<Symmetric3> sums(balls.size());
    for (std::size_t node = 0; node < mass.size(); ++node) {
      if (mass[node] == 0 || graph.isLost(node)) continue;
      const std::int64_t point = graph.point(node);
      entries.emplace_back(point, mass[node] * perFactor[std::size_t(point)]);
      if (perSeed.empty() || perSeed[std::size_t(point)].ball < 0) continue;
      const PerSeed& of = perSeed[std::size_t(point)];
      grid::add(sums[std::size_t(of.ball)], mass[node], of.metric);
    }
    for (std::size_t b = 0; b < balls.size(); ++b) {
      const auto nearest = nearestPoints(problem, problem.seeds[std::size_t(balls[b].seed)].at);
      for (const std::int64_t point : nearest)
        entries.emplace_back(point, factorOf(point, sums[b]) / double(nearest.size()));
    }
    std::ranges::stable_sort(entries, {}, &std::pair<std::int64_t, double>::first);
    JacobianRow row;
    for (std::size_t e = 0; e < entries.size();) {
      const std::int64_t point = entries[e].first;
      double weight = 0;
      for (; e < entries.size() && entries[e].first == point; ++e) weight += entries[e].second;
      if (weight != 0) row.point.push_back(point), row.weight.push_back(weight);
    }
    return row;
  }

private:
  /// The derivative with respect to the metric at the seed of a ball.
  struct PerSeed {
    int ball; ///< -1: none
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
                                    std::span<const std::int64_t> points, const Monitor& monitor,
                                    double& lostWeight) {
  // 1. The points that the tips depend on.
  const auto reached =
      std::size_t(std::ranges::count_if(travelTime, [](float u) { return std::isfinite(u); }));
  const std::size_t perNode = (input.options.factoring == SourceFactoring::Off ? 0 : 7) * sizeof(double);
  requireHostMemory(TensorGraph::bytesNeeded(input.problem, reached) + reached * (perNode + sizeof(double)) +
                        travelTime.size() * (sizeof(double) + sizeof(std::int32_t) + 1),
                    "the Jacobian");
  const TensorDependences dependences(input, travelTime);
  Rows rows(input, travelTime, dependences);
  TensorGraph graph(input.problem, points, reached);
  if (!monitor.report(0) ||
      !graph.flood([&](std::int64_t point) { return rows.evaluate(point); }, input.pool,
                   monitor.part(0, 0.15)) ||
      !graph.sort(monitor.part(0.15, 0.05)))
    return {};
  std::vector<double> mass(graph.size(), 0);
  std::fill_n(mass.begin(), points.size(), 1);
  if (!graph.spread(mass, monitor.part(0.2, 0))) return {};
  for (std::size_t node = 0; node < mass.size(); ++node) lostWeight += graph.isLost(node) ? mass[node] : 0;

  // 2. The rows, on one thread each.
  const std::size_t bytes = graph.size() * sizeof(double);
  int threads = int(std::clamp<std::int64_t>(std::ssize(points), 1, input.pool.size()));
  while (threads > 1 && !hasHostMemory(2 * std::size_t(threads) * bytes)) --threads;
  const Monitor rest = monitor.part(0.2, 0.8);
  Workers workers(threads, rest);
  std::vector<std::vector<double>> masses(std::size_t(workers.threads));
  constexpr std::int64_t checked = 1 << 20; // entries between two checks of the memory
  std::atomic<std::int64_t> entries{0};
  std::vector<JacobianRow> result(points.size());
  std::atomic<bool> stop{false};
  const bool done = workers.run(std::ssize(points), [&](std::int64_t tip, int worker) {
    std::vector<double>& own = masses[std::size_t(worker)];
    own.assign(graph.size(), 0);
    own[std::size_t(tip)] = 1;
    const Monitor within{[&](double) { // worker 0 is the thread that reports
      if (worker == 0 && !rest.report(double(tip) / double(points.size()))) stop = true;
      return !stop;
    }};
    if (!graph.spread(own, within)) return;
    JacobianRow& row = result[std::size_t(tip)] = rows.of(graph, own);
    const std::int64_t size = std::ssize(row.point), before = entries.fetch_add(size);
    if (before / checked != (before + size) / checked)
      requireHostMemory(std::size_t(before + size) * (sizeof(std::int64_t) + sizeof(double)),
                        "the Jacobian of " + std::to_string(points.size()) + " tips");
  });
  if (!done || stop) result.clear();
  return result;
}

} // namespace isochrone::image
