// Sensitivity.cxx - differentiate(): masses pass from the tips to the start values and contribute to the
// derivatives of the points on their path.
#include "ImageTravelTime/ImageTravelTime.h"

#include "Error.h"
#include "Execution/Progress.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"
#include "ImageTravelTime/Sensitivity/MassPass.h"
#include "ImageTravelTime/Sensitivity/TensorSensitivity.h"
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
  const auto place = [](const PointMass& m) { return std::tuple(m.point, m.mass); };
  if (!std::ranges::is_sorted(masses, {}, place)) std::ranges::sort(masses, {}, place);
  std::vector<PointMass> sums;
  for (const PointMass& m : masses)
    if (!sums.empty() && sums.back().point == m.point)
      sums.back().mass += m.mass;
    else
      sums.push_back(m);
  return sums;
}

/// Sums over the points of a tile.
struct Sums {
  double rounding = 0, lost = 0;
  double perSeedSlowness = 0, perStart = 0; ///< at the seed of the tile's ball
};

/// Completes the derivatives from the masses.
class Summation {
public:
  Summation(const SolverInput& solverInput, const DependenceScheme& dependenceScheme,
            const Dependences& pointDependences, const MassPass<1>& massPass)
      : input(solverInput), problem(input.problem), scheme(dependenceScheme), dependences(pointDependences),
        order(dependences.order), pass(massPass) {}

  /// Returns false if the monitor requested a stop.
  bool addTo(Sensitivities& result, const Monitor& monitor) {
    result.speed.resize(std::size_t(problem.grid.points()));
    std::vector<Sums> parts(std::size_t(order.tiles()));
    execution::Progress progress(monitor);
    constexpr std::int64_t slice = 1 << 13, batch = 16; // tiles between two reports, and per job
    for (std::int64_t first = 0; first < order.tiles(); first += slice) {
      const std::int64_t count = std::min(slice, order.tiles() - first);
      input.pool.forRanges(count, batch, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t tile = first + begin; tile < first + end; ++tile)
          add(int(tile), result.speed, parts[std::size_t(tile)]);
      });
      if (!progress.report([&] { return double(first + count) / double(order.tiles()); })) return false;
    }
    std::vector<Sums> onBalls(scheme.balls().size());
    for (const std::int32_t tile : pass.tiles()) {
      const Sums& part = parts[std::size_t(tile)];
      result.objective += part.rounding;
      result.lostWeight += part.lost;
      if (const int ball = dependences.ballOf(tile); ball >= 0) {
        onBalls[std::size_t(ball)].perSeedSlowness += part.perSeedSlowness;
        onBalls[std::size_t(ball)].perStart += part.perStart;
      }
    }
    for (std::size_t b = 0; b < onBalls.size(); ++b) addSeed(scheme.balls()[b], onBalls[b], result);
    for (const SeedPoint& start : scheme.startPoints()) {
      const std::int64_t n = order.numberOf(start.point);
      if (pass.hasTile(order.tileOf(n)) && pass.isReached(n) && dependences.from(n) == TimeFrom::Start)
        result.startValue[std::size_t(start.seed)] += *pass.massesOf(n);
    }
    return true;
  }

private:
  const SolverInput& input;
  const Problem& problem;
  const DependenceScheme& scheme;
  const Dependences& dependences;
  const TileOrder& order;
  const MassPass<1>& pass;

  /// Returns dslowness/dspeed, or 1 if the problem has slownesses.
  double factorAt(std::int64_t point) const {
    if (problem.speedType == SpeedType::Slowness) return 1;
    const double slowness = slownessAt(problem, point);
    return -slowness * slowness;
  }

  /// Writes the derivatives of the points of a tile, and adds up the others.
  void add(int tile, Values<double>& derivatives, Sums& sums) const {
    const grid::Box box = order.boxOf(tile);
    const GridIndex sizes = problem.grid.sizes();
    const auto [nx, ny, nz] = order.shape();
    const auto count = std::min<std::int64_t>(nx, sizes[0] - box.low[0]);
    const bool hasTile = pass.hasTile(tile), hasBall = dependences.ballOf(tile) >= 0;
    std::int64_t first = order.firstOf(tile);
    for (std::int64_t k = box.low[2]; k < box.low[2] + nz; ++k)
      for (std::int64_t j = box.low[1]; j < box.low[1] + ny; ++j, first += nx) {
        if (j >= sizes[1] || k >= sizes[2]) continue;
        const std::int64_t row = problem.grid.index(box.low[0], j, k);
        for (std::int64_t i = 0; i < count; ++i) {
          double& derivative = derivatives[std::size_t(row + i)];
          derivative = 0;
          const std::int64_t n = first + i;
          if (!hasTile || !pass.isReached(n)) continue;
          const double mass = *pass.massesOf(n);
          if (pass.isLost(n)) {
            sums.lost += mass;
            continue;
          }
          derivative = mass * dependences.perSlowness(n) * factorAt(row + i);
          sums.rounding += mass * double(dependences.rounding(n));
          if (!hasBall) continue;
          sums.perSeedSlowness += mass * dependences.perSeedSlowness(n);
          if (dependences.from(n) == TimeFrom::SeedBound) sums.perStart += mass;
        }
      }
  }

  /// Adds the derivatives with respect to the slowness at a seed, the mean of its nearest points, and to its
  /// start value.
  void addSeed(const SeedBall& ball, const Sums& on, Sensitivities& result) const {
    const std::vector<std::int64_t> nearest =
        nearestPoints(problem, problem.seeds[std::size_t(ball.seed)].at);
    for (const std::int64_t point : nearest)
      result.speed[std::size_t(point)] += on.perSeedSlowness / double(nearest.size()) * factorAt(point);
    result.startValue[std::size_t(ball.seed)] += on.perStart;
  }
};

} // namespace

void requireDifferentiable(const Problem& given, const SensitivityOptions& options) {
  const Problem p = withoutZeroDrift(given);
  const char* what = isTilted(p)          ? "a tilted medium"
                     : hasDrift(p)        ? "a drift"
                     : p.orthogonal       ? "rectilinear and spherical grids"
                     : isPeriodic(p)      ? "periodic axes"
                     : p.part.isDivided() ? "parts of an image"
                     : p.seedSurface      ? "a seed surface"
                     : options.factoring == SourceFactoring::Multiplicative ? "multiplicative factoring"
                     : options.order != 1                                   ? "the second order"
                                                                            : nullptr;
  if (what)
    throw Error(
        "sensitivities are not available with " + std::string(what) +
        ": they need an isotropic speed or tensors on a whole image, order 1, and factoring Additive or "
        "Off");
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
  SolverInput input(problem, solved);
  Sensitivities result;
  const std::vector<PointMass> masses = massesOf(problem, travelTime, tips, result.tips);
  result.startValue.assign(problem.seeds.size(), 0);
  const auto stopped = [&] {
    Sensitivities none;
    none.aborted = true;
    return none;
  };
  if (hasTensorSpeeds(problem)) {
    differentiateTensors(input, travelTime, masses, monitor, result);
    return result.aborted ? stopped() : std::move(result);
  }
  const DependenceScheme scheme(input, travelTime);
  requireHostMemory(Dependences::bytesNeeded(problem, !scheme.balls().empty()) +
                        MassPass<1>::bytesNeeded(problem) + 2 * travelTime.size() * sizeof(double),
                    "the sensitivities");
  if (!monitor.report(0)) return stopped();

  // 2. Find the points that the tips depend on, and pass their masses to the start values.
  Dependences dependences(input, scheme, travelTime);
  MassPass<1> pass(dependences, &input.pool);
  std::vector<MassPass<1>::Tip> at;
  for (const PointMass& m : masses) at.push_back({dependences.order.numberOf(m.point), {m.mass}});
  if (!pass.flood(std::move(at), monitor.part(0, 0.5)) || !pass.spread(monitor.part(0.5, 0.4)))
    return stopped();

  // 3. Sum the contributions of the points.
  for (const PointMass& m : masses) result.objective += m.mass * double(travelTime[std::size_t(m.point)]);
  Summation summation(input, scheme, dependences, pass);
  if (!summation.addTo(result, monitor.part(0.9, 0.1)) || !monitor.report(1)) return stopped();
  return result;
}

} // namespace isochrone::image
