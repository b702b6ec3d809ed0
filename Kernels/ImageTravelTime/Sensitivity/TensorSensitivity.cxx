#include "ImageTravelTime/Sensitivity/TensorSensitivity.h"

#include "Execution/HostDevice.h"
#include "Execution/ReportedLoop.h"
#include "ImageTravelTime/Sensitivity/RefinedTensorDependences.h"
#include "ImageTravelTime/Sensitivity/RefinedTensorSensitivity.h"
#include "ImageTravelTime/Sensitivity/SecondOrderDependences.h"
#include "ImageTravelTime/Sensitivity/TensorAdjointSolver.h"
#include "ImageTravelTime/Sensitivity/TensorGraph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace isochrone::image {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend then rejects Cuda
void tensorAdjointOnCuda(const TensorDependences&, execution::RoundPool&, TensorAdjointTask&,
                         const Monitor&) {}
#endif

namespace {

using grid::Symmetric3;

/// Points with their masses: all that passed them, or has arrived.
struct TensorMasses {
  Values<TensorDependence> dependence; ///< per point, if it has a mass
  Values<double> mass;                 ///< per point, 0 if it is lost
  double lostWeight = 0;
};

/// Returns the masses of points that use each other, and of those that these lead to, from the masses that
/// have arrived. Sets lost ones to 0. Returns false if the monitor requested a stop.
bool passWaiting(const Problem& problem, std::span<const std::int32_t> waiting, execution::RoundPool& pool,
                 const Monitor& monitor, TensorMasses& masses) {
  requireHostMemory(TensorGraph::bytesNeeded(problem, waiting.size()) + 2 * waiting.size() * sizeof(double),
                    "the sensitivities");
  const std::vector<std::int64_t> points(waiting.begin(), waiting.end());
  TensorGraph graph(problem, points, points.size());
  const auto evaluated = [&](std::int64_t point) { return masses.dependence[std::size_t(point)]; };
  std::vector<double> mass;
  for (const std::int64_t point : points) mass.push_back(masses.mass[std::size_t(point)]);
  if (!graph.flood(evaluated, pool, monitor.part(0, 0.5)) || !graph.sort(monitor.part(0.5, 0.2)) ||
      !graph.spread(mass, monitor.part(0.7, 0.3)))
    return false; // the graph has no other points: all that they use wait, too
  for (std::size_t node = 0; node < graph.size(); ++node) {
    double& to = masses.mass[std::size_t(graph.point(node))];
    to = mass[node];
    if (graph.isLost(node)) masses.lostWeight += std::exchange(to, 0);
  }
  return true;
}

/// Evaluates points, and passes the masses of tips on. Returns nothing if the monitor requested a stop.
std::optional<TensorMasses> massesOf(const SolverInput& input, const TensorDependences& dependences,
                                     adjoint::TipMasses tips, Backend backend, const Monitor& monitor) {
  const std::size_t points = dependences.times().size();
  TensorAdjointTask task;
  task.tips = std::move(tips);
  if (backend == Backend::Cuda) {
    tensorAdjointOnCuda(dependences, input.pool, task, monitor.part(0, 0.8));
  } else {
    task.dependence.resize(points);
    TensorDependence* const found = task.dependence.data();
    execution::HostDevice device(input.pool);
    passMasses(device, EvaluatedUses{&dependences, found}, found, points, task, monitor.part(0, 0.8));
  }
  if (task.aborted) return std::nullopt;
  TensorMasses masses{std::move(task.dependence), Values<double>(points), 0};
  input.pool.forEach(std::int64_t(points), [&](std::int64_t p) {
    masses.mass[std::size_t(p)] = double(task.mass[std::size_t(p)]) * task.tips.unit;
  });
  if (!task.waiting.empty() &&
      !passWaiting(input.problem, task.waiting, input.pool, monitor.part(0.8, 0.2), masses))
    return std::nullopt;
  return masses;
}

/// Completes the derivatives from the masses.
class Summation {
public:
  Summation(const SolverInput& solverInput, const TensorDependences& tensorDependences,
            const TensorMasses& tensorMasses)
      : input(solverInput), problem(input.problem), dependences(tensorDependences), masses(tensorMasses),
        balls(dependences.seeds().ballsInWorld()) {}

  /// Adds up in blocks of fixed size, so that the bits do not depend on the threads. Returns false if the
  /// monitor requested a stop.
  bool addTo(Sensitivities& result, const Monitor& monitor) const {
    constexpr std::int64_t block = 1 << 12;
    const std::int64_t points = std::ssize(masses.mass), blocks = (points + block - 1) / block;
    std::vector<Sums> parts(static_cast<std::size_t>(blocks));
    const auto addBlock = [&](std::int64_t b) {
      for (std::int64_t n = b * block; n < std::min(points, (b + 1) * block); ++n)
        if (masses.mass[std::size_t(n)] != 0) add(n, result.speed, parts[std::size_t(b)]);
    };
    if (!execution::forEachReported(blocks, input.pool, monitor, addBlock, 64)) return false;
    std::vector<Symmetric3> perSeedMetric(balls.size());
    result.lostWeight += masses.lostWeight;
    for (const Sums& part : parts) {
      result.objective += part.rounding, result.lostWeight += part.lost;
      for (const auto& [seed, sum] : part.perStart) result.startValue[std::size_t(seed)] += sum;
      for (const auto& [ball, sum] : part.perSeedMetric) grid::add(perSeedMetric[std::size_t(ball)], 1, sum);
    }
    for (std::size_t b = 0; b < balls.size(); ++b)
      dependences.addAtSeed(balls[b].seed, perSeedMetric[b], result.speed);
    return true;
  }

private:
  struct Sums {
    double rounding = 0, lost = 0;
    std::map<int, double> perStart;          ///< by seed
    std::map<int, Symmetric3> perSeedMetric; ///< by ball
  };

  const SolverInput& input;
  const Problem& problem;
  const TensorDependences& dependences;
  const TensorMasses& masses;
  std::span<const SeedBall> balls;

  /// Adds a point with a mass.
  void add(std::int64_t point, Values<double>& derivatives, Sums& sums) const {
    const double mass = masses.mass[std::size_t(point)];
    const TensorDependence& d = masses.dependence[std::size_t(point)];
    if (d.from == TensorTimeFrom::Nothing) {
      sums.lost += mass;
      return;
    }
    const auto components = std::size_t(componentsOf(problem));
    dependences.addPerComponent(point, d.perMetric, mass, &derivatives[std::size_t(point) * components]);
    sums.rounding += mass * (d.value - (double(dependences.times()[std::size_t(point)]) - input.earliest));
    if (d.from == TensorTimeFrom::Start || d.from == TensorTimeFrom::NearStart)
      sums.perStart[dependences.seedOf(point)] += mass;
    if (const int ball = dependences.ballOf(point, d.from); ball >= 0)
      dependences.addPerSeedMetric(point, ball, d, mass, sums.perSeedMetric[ball]);
  }
};

} // namespace

void differentiateTensors(SolverInput& input, std::span<const float> travelTime,
                          std::vector<PointMass> masses, const SensitivityOptions& options,
                          const Monitor& monitor, Sensitivities& result) {
  // 1. Check the memory: of derivatives, points that masses reach, and masses.
  const Problem& problem = input.problem;
  const bool isRefined = refinesTensors(problem, input.options) && !masses.empty();
  const std::size_t points = travelTime.size(), values = points * std::size_t(componentsOf(problem));
  const std::size_t ofFirst = points * (sizeof(TensorDependence) + 2 * sizeof(double)) +
                              adjoint::levelBytes(points),
                    ofTimes = points * 4 * sizeof(float); // of first order twice, distances to barriers twice
  requireHostMemory(values * sizeof(double) + ofTimes +
                        (isRefined ? std::max(ofFirst, refinedTensorBytes(points)) : ofFirst),
                    "the sensitivities");
  result.speed.resize(values);
  input.pool.forEach(std::int64_t(values), [&](std::int64_t n) { result.speed[std::size_t(n)] = 0; });
  for (const PointMass& m : masses) result.objective += m.mass * double(travelTime[std::size_t(m.point)]);
  result.aborted = !monitor.report(0);
  if (result.aborted) return;

  // 2. If times are refined, pass the masses to points that keep their first order times.
  FirstOrderTimes firstOrder;
  if (isRefined) {
    result.aborted = !firstOrder.find(problem, options, masses, monitor.part(0, 0.2));
    if (result.aborted) return;
  }
  const TensorDependences dependences(input, isRefined ? firstOrder.times() : travelTime);
  const double begun = isRefined ? 0.6 : 0;
  if (isRefined) {
    std::optional<std::vector<PointMass>> kept =
        addRefinedTensors(input, dependences, travelTime, masses, monitor.part(0.2, 0.4), result);
    result.aborted = !kept;
    if (result.aborted) return;
    masses = std::move(*kept);
  }

  // 3. Pass the masses to the start values, and sum the contributions of the points.
  std::vector<adjoint::StateWeight> weights;
  for (const PointMass& m : masses) weights.push_back({int(m.point), 0, m.mass});
  adjoint::TipMasses tips = adjoint::massesOf(weights);
  const Monitor rest = monitor.part(begun, 1 - begun);
  if (!tips.tips.empty()) {
    const std::optional<TensorMasses> passed =
        massesOf(input, dependences, std::move(tips), result.ranOn.backend, rest.part(0, 0.9));
    result.aborted = !passed || !Summation(input, dependences, *passed).addTo(result, rest.part(0.9, 0.1));
  }
  result.aborted = result.aborted || !monitor.report(1);
}

std::size_t tensorAdjointBytes(const SolverInput& input) {
  const Problem& p = input.problem;
  const auto points = std::size_t(p.grid.points());
  if (points >= std::size_t(std::numeric_limits<int>::max())) return tooManyForDevice;
  // Times, distances to barriers, marks of special points and their list; some of these at a time.
  const std::size_t evaluating = p.speed.size_bytes() + points * (sizeof(float) + 2 * sizeof(int) + 2) +
                                 (sizeof(TensorDependence) << 16);
  return points * sizeof(TensorDependence) + std::max(evaluating, adjoint::levelBytes(points));
}

} // namespace isochrone::image
