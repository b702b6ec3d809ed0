// Sensitivity.cxx - differentiate(): masses pass from the tips to the start values and contribute to the
// derivatives of the points on their path.
#include "ImageTravelTime/ImageTravelTime.h"

#include "Error.h"
#include "Execution/Progress.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"
#include "ImageTravelTime/Sensitivity/DependenceGraph.h"
#include "ImageTravelTime/Sensitivity/TipPlaces.h"
#include "ImageTravelTime/Validation.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace isochrone::image {

namespace {

/// Returns the placements of the tips, and the total weight of each point, by point.
std::vector<PointMass> massesOf(const Problem& p, std::span<const float> travelTime,
                                std::span<const WeightedTip> tips, std::vector<Placement>& places) {
  std::vector<PointMass> masses;
  for (std::size_t t = 0; t < tips.size(); ++t) {
    if (!std::isfinite(tips[t].weight))
      throw Error("the weight of a tip must be finite, got " + text(tips[t].weight) + " at tip " +
                  std::to_string(t));
    places.push_back(placeTip(p, travelTime, tips[t].at));
    if (places.back().point >= 0) masses.push_back({places.back().point, tips[t].weight});
  }
  // By weight, too, so that the sum does not depend on the order of the tips.
  std::ranges::sort(masses, {}, [](const PointMass& m) { return std::tuple(m.point, m.mass); });
  std::vector<PointMass> sums;
  for (const PointMass& m : masses)
    if (!sums.empty() && sums.back().point == m.point)
      sums.back().mass += m.mass;
    else
      sums.push_back(m);
  return sums;
}

/// Sums over a range of points.
struct Sums {
  double rounding = 0, lost = 0;
  std::vector<DependenceScheme::OnSeed> onSeed; ///< times mass, one entry for each run of points in a ball
};

/// Completes the derivatives from the masses.
class Summation {
public:
  Summation(const SolverInput& solverInput, const DependenceScheme& dependences,
            DependenceGraph& dependenceGraph)
      : input(solverInput), problem(input.problem), scheme(dependences), graph(dependenceGraph) {}

  /// Returns false if the monitor requested a stop.
  bool addTo(Sensitivities& result, const Monitor& monitor) {
    Values<double> perSlowness = graph.takePerSlowness();
    const std::int64_t points = problem.grid.points();
    constexpr std::int64_t length = 1 << 14; // does not depend on the threads, nor do the sums
    std::vector<Sums> parts(std::size_t((points + length - 1) / length));
    execution::Progress progress(monitor);
    constexpr std::int64_t slice = 64 * length; // points between two reports
    for (std::int64_t first = 0; first < points; first += slice) {
      const std::int64_t count = std::min(slice, points - first);
      input.pool.forRanges(count, length, [&](std::int64_t begin, std::int64_t end, int) {
        Sums& sums = parts[std::size_t((first + begin) / length)];
        for (std::int64_t p = first + begin; p < first + end; ++p) add(p, perSlowness[std::size_t(p)], sums);
      });
      if (!progress.report([&] { return double(first + count) / double(points); })) return false;
    }
    std::vector<DependenceScheme::OnSeed> onBalls(scheme.balls().size());
    for (const Sums& part : parts) {
      result.objective += part.rounding;
      result.lostWeight += part.lost;
      for (const auto& [ball, slowness, start] : part.onSeed) {
        onBalls[std::size_t(ball)].perSlowness += slowness;
        onBalls[std::size_t(ball)].perStart += start;
      }
    }
    for (std::size_t b = 0; b < onBalls.size(); ++b)
      addSeed(scheme.balls()[b], onBalls[b], perSlowness, result);
    for (const SeedPoint& start : scheme.startPoints())
      if (graph.isReached(start.point) && graph.from(start.point) == TimeFrom::Start)
        result.startValue[std::size_t(start.seed)] += graph.massOf(start.point);
    result.speed = std::move(perSlowness);
    return true;
  }

private:
  const SolverInput& input;
  const Problem& problem;
  const DependenceScheme& scheme;
  DependenceGraph& graph;

  /// Returns dslowness/dspeed, or 1 if the problem has slownesses.
  double factorAt(std::int64_t point) const {
    if (problem.speedType == SpeedType::Slowness) return 1;
    const double slowness = slownessAt(problem, point);
    return -slowness * slowness;
  }

  /// Adds the part of a point.
  void add(std::int64_t point, double& derivative, Sums& sums) const {
    const TimeFrom from = graph.isReached(point) ? graph.from(point) : TimeFrom::Nothing;
    if (from == TimeFrom::Nothing) {
      if (graph.isReached(point)) sums.lost += graph.massOf(point);
      derivative = 0;
      return;
    }
    const double mass = graph.massOf(point);
    derivative *= mass * factorAt(point);
    sums.rounding += mass * graph.roundingOf(point);
    if (scheme.balls().empty()) return;
    const DependenceScheme::OnSeed on =
        scheme.onSeed(point, from, graph.sidesOf(point), graph.sharesOf(point));
    if (on.ball < 0) return;
    if (sums.onSeed.empty() || sums.onSeed.back().ball != on.ball) sums.onSeed.push_back({on.ball, 0, 0});
    sums.onSeed.back().perSlowness += mass * on.perSlowness;
    sums.onSeed.back().perStart += mass * on.perStart;
  }

  /// Adds the derivatives with respect to the slowness at a seed, the mean of its nearest points, and to its
  /// start value.
  void addSeed(const SeedBall& ball, const DependenceScheme::OnSeed& on, Values<double>& derivatives,
               Sensitivities& result) const {
    const std::vector<std::int64_t> nearest =
        nearestPoints(problem, problem.seeds[std::size_t(ball.seed)].at);
    for (const std::int64_t point : nearest)
      derivatives[std::size_t(point)] += on.perSlowness / double(nearest.size()) * factorAt(point);
    result.startValue[std::size_t(ball.seed)] += on.perStart;
  }
};

} // namespace

void requireDifferentiable(const Problem& given, const SensitivityOptions& options) {
  const Problem p = withoutZeroDrift(given);
  const char* what = hasTensorSpeeds(p)   ? "tensors"
                     : isTilted(p)        ? "a tilted medium"
                     : hasDrift(p)        ? "a drift"
                     : p.orthogonal       ? "rectilinear and spherical grids"
                     : isPeriodic(p)      ? "periodic axes"
                     : p.part.isDivided() ? "parts of an image"
                     : p.seedSurface      ? "a seed surface"
                     : options.factoring == SourceFactoring::Multiplicative ? "multiplicative factoring"
                     : options.order != 1                                   ? "the second order"
                                                                            : nullptr;
  if (what)
    throw Error("sensitivities are not available with " + std::string(what) +
                ": they need an isotropic speed on a whole image, order 1, and factoring Additive or Off");
}

Sensitivities differentiate(const Problem& given, std::span<const float> travelTime,
                            std::span<const WeightedTip> tips, const SensitivityOptions& options,
                            const Monitor& monitor) {
  // 1. Check, place the tips and the seeds.
  requireDriftSize(given);
  const Problem problem = withoutZeroDrift(given);
  requireDifferentiable(problem, options);
  requireTravelTime(problem.grid, travelTime);
  Options solved;
  solved.factoring = options.factoring;
  solved.threads = options.threads;
  const SolverInput input(problem, solved);
  Sensitivities result;
  const std::vector<PointMass> masses = massesOf(problem, travelTime, tips, result.tips);
  result.startValue.assign(problem.seeds.size(), 0);
  requireHostMemory(DependenceGraph::bytesNeeded(problem.grid), "the sensitivities");
  const auto stopped = [&] {
    Sensitivities none;
    none.aborted = true;
    return none;
  };
  if (!monitor.report(0)) return stopped();

  // 2. Find the points that the tips depend on, and pass their masses to the start values.
  const DependenceScheme scheme(input, travelTime);
  DependenceGraph graph(input, scheme, travelTime);
  const Monitor collecting = monitor.part(0, 0.5), spreading = monitor.part(0.5, 0.45);
  if (!graph.collect(masses, collecting) || !graph.spread(masses, spreading)) return stopped();

  // 3. Sum the contributions of the points.
  for (const PointMass& m : masses) result.objective += m.mass * double(travelTime[std::size_t(m.point)]);
  if (!Summation(input, scheme, graph).addTo(result, monitor.part(0.95, 0.05)) || !monitor.report(1))
    return stopped();
  return result;
}

} // namespace isochrone::image
