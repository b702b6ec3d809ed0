#include "ImageTravelTime/Sensitivity/TensorSensitivity.h"

#include "Backend.h"
#include "Grid/SymmetricDerivatives.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Sensitivity/TensorGraph.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

namespace {

using grid::Symmetric3;

/// Completes the derivatives from the masses.
class Summation {
public:
  Summation(const SolverInput& solverInput, const TensorDependences& tensorDependences,
            const TensorGraph& tensorGraph, std::span<const double> massOfNodes, Sensitivities& sensitivities)
      : problem(solverInput.problem), pool(solverInput.pool), dependences(tensorDependences),
        graph(tensorGraph), mass(massOfNodes), result(sensitivities) {}

  /// Multiplies the derivatives of the points' times by their masses.
  void scale() const {
    const auto components = std::size_t(componentsOf(problem));
    pool.forEach(std::int64_t(graph.size()), [&](std::int64_t n) {
      const auto node = std::size_t(n);
      double* const of = &result.speed[std::size_t(graph.point(node)) * components];
      for (std::size_t c = 0; c < components; ++c) of[c] *= graph.isLost(node) ? 0 : mass[node];
    });
  }

  /// Adds the derivatives with respect to start values, and by the metrics at seeds, the means of their
  /// nearest points. Adds up in blocks, so that the bits do not depend on the threads.
  void addSeeds() const {
    for (std::size_t node = 0; node < graph.size(); ++node) {
      const TensorTimeFrom from = graph.from(node);
      if (graph.isLost(node)) result.lostWeight += mass[node];
      if (from == TensorTimeFrom::Start || from == TensorTimeFrom::NearStart)
        result.startValue[std::size_t(dependences.seedOf(graph.point(node)))] += mass[node];
    }
    const auto balls = dependences.seeds().ballsInWorld();
    if (balls.empty()) return;
    constexpr std::int64_t block = 1 << 12;
    const auto size = std::int64_t(graph.size());
    std::vector<std::vector<Symmetric3>> parts(std::size_t((size + block - 1) / block));
    pool.forRanges(size, block, [&](std::int64_t begin, std::int64_t end, int) {
      std::vector<Symmetric3>& part = parts[std::size_t(begin / block)];
      part.assign(balls.size(), {});
      for (auto node = std::size_t(begin); node < std::size_t(end); ++node) addPerSeed(node, part);
    });
    std::vector<Symmetric3> sums(balls.size());
    for (const std::vector<Symmetric3>& part : parts)
      for (std::size_t b = 0; b < sums.size(); ++b) grid::add(sums[b], 1, part[b]);
    const auto components = std::size_t(componentsOf(problem));
    for (std::size_t b = 0; b < sums.size(); ++b) {
      const std::vector<std::int64_t> nearest =
          nearestPoints(problem, problem.seeds[std::size_t(balls[b].seed)].at);
      for (const std::int64_t point : nearest)
        dependences.addPerComponent(point, sums[b], 1 / double(nearest.size()),
                                    &result.speed[std::size_t(point) * components]);
    }
  }

private:
  const Problem& problem;
  execution::RoundPool& pool;
  const TensorDependences& dependences;
  const TensorGraph& graph;
  std::span<const double> mass;
  Sensitivities& result;

  void addPerSeed(std::size_t node, std::vector<Symmetric3>& sums) const {
    const std::int64_t point = graph.point(node);
    const int ball = graph.isLost(node) ? -1 : dependences.ballOf(point, graph.from(node));
    if (ball < 0) return;
    std::array<TensorDependence::Used, 2 * maxTerms> used;
    const auto to = graph.usedBy(node);
    for (std::size_t e = 0; e < to.size(); ++e)
      used[e] = {graph.point(std::size_t(to[e])), graph.sharesOf(node)[e]};
    dependences.addPerSeedMetric(point, graph.from(node), {used.data(), to.size()}, mass[node],
                                 sums[std::size_t(ball)]);
  }
};

} // namespace

void differentiateTensors(SolverInput& input, std::span<const float> travelTime,
                          std::span<const PointMass> masses, const Monitor& monitor, Sensitivities& result) {
  const Problem& problem = input.problem;
  const auto components = std::size_t(componentsOf(problem));
  const auto reached =
      std::size_t(std::ranges::count_if(travelTime, [](float u) { return std::isfinite(u); }));
  requireHostMemory(TensorGraph::bytesNeeded(problem, reached) + reached * (sizeof(double) + sizeof(float)) +
                        travelTime.size() * (components * sizeof(double) + sizeof(std::int32_t) + 1),
                    "the sensitivities");
  result.aborted = !monitor.report(0);
  if (result.aborted) return;

  // 1. Find the points that the tips depend on. Their derivatives wait in the result for the masses.
  const TensorDependences dependences(input, travelTime);
  result.speed.resize(travelTime.size() * components);
  input.pool.forEach(std::int64_t(result.speed.size()),
                     [&](std::int64_t n) { result.speed[std::size_t(n)] = 0; });
  Values<float> rounding; // per point: the time that the equation gives it minus its rounded time
  rounding.resize(travelTime.size());
  std::vector<std::int64_t> tips;
  for (const PointMass& m : masses) tips.push_back(m.point);
  TensorGraph graph(problem, tips, reached);
  const auto keep = [&](std::int64_t point, const TensorDependence& d) {
    const auto n = std::size_t(point);
    dependences.addPerComponent(point, d.perMetric, 1, &result.speed[n * components]);
    const double since = double(travelTime[n]) - input.earliest;
    rounding[n] = d.from == TensorTimeFrom::Nothing ? 0.f : float(d.value - since);
  };
  result.aborted = !graph.flood(dependences, input.pool, monitor.part(0, 0.6), keep);
  if (result.aborted) return;

  // 2. Pass the masses of the tips to the start values.
  std::vector<double> mass(graph.size(), 0);
  for (std::size_t t = 0; t < masses.size(); ++t) mass[t] = masses[t].mass;
  result.aborted = !graph.sort(monitor.part(0.6, 0.2)) || !graph.spread(mass, monitor.part(0.8, 0.1));
  if (result.aborted) return;

  // 3. Sum the contributions of the points.
  for (const PointMass& m : masses) result.objective += m.mass * double(travelTime[std::size_t(m.point)]);
  for (std::size_t node = 0; node < graph.size(); ++node)
    if (!graph.isLost(node))
      result.objective += mass[node] * double(rounding[std::size_t(graph.point(node))]);
  const Summation summation(input, dependences, graph, mass, result);
  summation.scale();
  result.aborted = !monitor.report(0.95);
  if (result.aborted) return;
  summation.addSeeds();
  result.aborted = !monitor.report(1);
}

} // namespace isochrone::image
