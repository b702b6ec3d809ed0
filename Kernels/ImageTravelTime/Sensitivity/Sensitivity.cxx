// Sensitivity.cxx - differentiate(): masses pass from the tips to the start values and contribute to the
// derivatives of the points on their path. Those of second order end where first order times are kept, and go
// on from there by the first order scheme.
#include "ImageTravelTime/ImageTravelTime.h"

#include "Error.h"
#include "Execution/Progress.h"
#include "Execution/ReportedLoop.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"
#include "ImageTravelTime/Sensitivity/AdjointTask.h"
#include "ImageTravelTime/Sensitivity/MassPass.h"
#include "ImageTravelTime/Sensitivity/SecondOrderDependences.h"
#include "ImageTravelTime/Sensitivity/SeedSlowness.h"
#include "ImageTravelTime/Sensitivity/TensorSensitivity.h"
#include "ImageTravelTime/Sensitivity/TipPlaces.h"
#include "ImageTravelTime/Validation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace isochrone::image {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend then rejects Cuda
void adjointOnCuda(AdjointTask&, const Monitor&) {}
#endif

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

/// Passes masses on to the points that keep their first order times, and adds the derivatives of the points
/// on their path and the rounding of their times. Returns the masses of those points; nothing if the monitor
/// requested a stop.
std::optional<std::vector<PointMass>>
addSecondOrder(const SolverInput& input, std::span<const float> firstOrder, std::span<const float> travelTime,
               std::span<const PointMass> masses, Sensitivities& result, const Monitor& monitor) {
  const Problem& p = input.problem;
  SecondOrderDependences dependences(input, firstOrder, travelTime);
  const std::optional<SecondOrderMasses> passed =
      passSecondOrder(dependences, masses, result.ranOn.backend, input.pool, monitor.part(0, 0.9));
  if (!passed) return std::nullopt;
  // Sums over blocks of fixed size, so that the bits do not depend on the threads.
  struct Sums {
    double rounding = 0;
    std::map<std::int32_t, double> perSeedSlowness;
  };
  constexpr std::int64_t block = 1 << 12;
  const std::int64_t points = std::ssize(passed->mass), blocks = (points + block - 1) / block;
  std::vector<Sums> parts(static_cast<std::size_t>(blocks));
  const auto add = [&](std::int64_t b) {
    Sums& sums = parts[std::size_t(b)];
    for (std::int64_t n = b * block; n < std::min(points, (b + 1) * block); ++n) {
      const double mass = passed->mass[std::size_t(n)];
      if (mass == 0) continue;
      const SecondOrderDependence& d = dependences.of(n);
      if (d.isStart) continue;
      result.speed[std::size_t(n)] += mass * d.perSlowness * slownessPerSpeed(p, n);
      sums.rounding += mass * double(d.rounding);
      if (d.seed >= 0) sums.perSeedSlowness[d.seed] += mass * d.perSeedSlowness;
    }
  };
  if (!execution::forEachReported(blocks, input.pool, monitor.part(0.9, 0.1), add, 256)) return std::nullopt;
  std::vector<double> perSeedSlowness(p.seeds.size(), 0);
  for (const Sums& sums : parts) {
    result.objective += sums.rounding;
    for (const auto& [seed, sum] : sums.perSeedSlowness) perSeedSlowness[std::size_t(seed)] += sum;
  }
  for (std::size_t seed = 0; seed < p.seeds.size(); ++seed)
    if (perSeedSlowness[seed] != 0) addAtSeed(p, std::int32_t(seed), perSeedSlowness[seed], result.speed);
  for (std::size_t seed = 0; seed < p.seeds.size(); ++seed)
    result.startValue[seed] += passed->startValue[seed];
  return passed->kept;
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
    for (std::size_t b = 0; b < onBalls.size(); ++b) {
      const std::int32_t seed = scheme.balls()[b].seed;
      addAtSeed(problem, seed, onBalls[b].perSeedSlowness, result.speed);
      result.startValue[std::size_t(seed)] += onBalls[b].perStart;
    }
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

  /// Adds the derivatives of the points of a tile, and adds up the others.
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
          const std::int64_t n = first + i;
          if (!hasTile || !pass.isReached(n)) continue;
          const double mass = *pass.massesOf(n);
          if (pass.isLost(n)) {
            sums.lost += mass;
            continue;
          }
          derivatives[std::size_t(row + i)] +=
              mass * dependences.perSlowness(n) * slownessPerSpeed(problem, row + i);
          sums.rounding += mass * double(dependences.rounding(n));
          if (!hasBall) continue;
          sums.perSeedSlowness += mass * dependences.perSeedSlowness(n);
          sums.perStart += mass * dependences.perStartValue(n);
        }
      }
  }
};

/// Returns the memory of the derivatives on the host, apart from that of the first order solve, which is
/// freed before.
std::size_t bytesNeeded(const SolverInput& input, bool isSecondOrder, bool isOnHost) {
  const Problem& p = input.problem;
  const auto points = std::size_t(p.grid.points());
  const bool mayHaveBalls = input.options.factoring != SourceFactoring::Off;
  const std::size_t ofResult = points * sizeof(double);
  std::size_t ofFirst = points * sizeof(double);
  if (isOnHost) ofFirst += Dependences::bytesNeeded(p, mayHaveBalls) + MassPass<1>::bytesNeeded(p);
  if (!isSecondOrder) return ofResult + ofFirst;
  const std::size_t ofSecond = SecondOrderDependences::bytesNeeded(points, false) +
                               secondOrderPassBytes(points, input.options.factoring);
  return ofResult + points * sizeof(float) + std::max(ofFirst, ofSecond);
}

/// Passes the masses of points to the start values by the first order scheme, on the host, and adds the
/// contributions of the points on their path. Returns false if the monitor requested a stop.
bool passOnHost(const SolverInput& input, const DependenceScheme& scheme, std::span<const float> travelTime,
                std::span<const PointMass> masses, const Monitor& monitor, Sensitivities& result) {
  Dependences dependences(input, scheme, travelTime);
  MassPass<1> pass(dependences, &input.pool);
  std::vector<MassPass<1>::Tip> at;
  for (const PointMass& m : masses) at.push_back({dependences.order.numberOf(m.point), {m.mass}});
  if (!pass.flood(std::move(at), monitor.part(0, 0.5)) || !pass.spread(monitor.part(0.5, 0.4))) return false;
  return Summation(input, scheme, dependences, pass).addTo(result, monitor.part(0.9, 0.1));
}

/// The same on a CUDA device. If there are no derivatives yet, sets those of all points.
bool passOnCuda(const SolverInput& input, const DependenceScheme& scheme, std::span<const float> travelTime,
                std::span<const PointMass> masses, const Monitor& monitor, Sensitivities& result) {
  AdjointTask task(input, scheme, travelTime, masses);
  if (task.masses.tips.empty()) {
    result.speed.resize(travelTime.size(), 0);
    return true;
  }
  adjointOnCuda(task, monitor);
  if (!task.aborted) task.addTo(result);
  return !task.aborted;
}

/// Returns the backend of the derivatives of a checked problem.
BackendChoice chooseFor(const SolverInput& input, Backend requested) {
  if (refinesTensors(input.problem, input.options))
    return {Backend::Host,
            "those of order 2 or multiplicative factoring with tensors are computed on the host"};
  if (hasTensorSpeeds(input.problem)) return chooseBackend(requested, tensorAdjointBytes(input));
  if (input.options.factoring == SourceFactoring::Multiplicative)
    return {Backend::Host, "those with multiplicative factoring are computed on the host"};
  const std::size_t ofSecond = input.options.order == 2 ? secondOrderDeviceBytes(input) : 0;
  return chooseBackend(requested, std::max(adjointBytes(input), ofSecond));
}

Sensitivities differentiateWhereChosen(const Problem& given, std::span<const float> travelTime,
                                       std::span<const WeightedTip> tips, const SensitivityOptions& options,
                                       const Monitor& monitor) {
  // 1. Check, place the tips and the seeds.
  requireDriftSize(given);
  const Problem problem = withoutZeroDrift(given);
  requireDifferentiable(problem, options);
  requireTravelTime(problem.grid, travelTime);
  Options solved;
  solved.factoring = options.factoring;
  solved.order = options.order;
  solved.threads = options.threads;
  SolverInput input(problem, solved);
  Sensitivities result;
  result.ranOn = chooseFor(input, options.backend);
  std::vector<PointMass> masses = massesOf(problem, travelTime, tips, result.tips);
  result.startValue.assign(problem.seeds.size(), 0);
  const auto stopped = [&] {
    Sensitivities none;
    none.aborted = true;
    return none;
  };
  if (hasTensorSpeeds(problem)) {
    differentiateTensors(input, travelTime, std::move(masses), options, monitor, result);
    return result.aborted ? stopped() : std::move(result);
  }
  const bool isSecondOrder = options.order == 2 && !masses.empty();
  const bool isOnHost = result.ranOn.backend == Backend::Host;
  requireHostMemory(bytesNeeded(input, isSecondOrder, isOnHost), "the sensitivities");
  if (!monitor.report(0)) return stopped();
  if (isOnHost || isSecondOrder) {
    result.speed.resize(travelTime.size());
    input.pool.forRanges(std::ssize(result.speed), [&](std::int64_t begin, std::int64_t end, int) {
      std::fill(result.speed.begin() + begin, result.speed.begin() + end, 0);
    });
  }
  for (const PointMass& m : masses) result.objective += m.mass * double(travelTime[std::size_t(m.point)]);

  // 2. With second order, pass the masses to points that keep their first order times.
  FirstOrderTimes firstOrder;
  const double begun = isSecondOrder ? 0.6 : 0;
  if (isSecondOrder) {
    if (!firstOrder.find(problem, options, masses, monitor.part(0, 0.2))) return stopped();
    std::optional<std::vector<PointMass>> kept =
        addSecondOrder(input, firstOrder.times(), travelTime, masses, result, monitor.part(0.2, 0.4));
    if (!kept) return stopped();
    masses = std::move(*kept);
    travelTime = firstOrder.times();
  }

  // 3. Pass the masses on by the first order scheme.
  const DependenceScheme scheme(input, travelTime);
  const auto pass = isOnHost ? passOnHost : passOnCuda;
  if (!pass(input, scheme, travelTime, masses, monitor.part(begun, 1 - begun), result) || !monitor.report(1))
    return stopped();
  return result;
}

} // namespace

void requireDifferentiable(const Problem& given, const SensitivityOptions& options) {
  const Problem p = withoutZeroDrift(given);
  const char* what = isTilted(p)          ? "a tilted medium"
                     : hasDrift(p)        ? "a drift"
                     : p.orthogonal       ? "rectilinear and spherical grids"
                     : isPeriodic(p)      ? "periodic axes"
                     : p.part.isDivided() ? "parts of an image"
                     : p.seedSurface      ? "a seed surface"
                                          : nullptr;
  if ((options.order == 2 || hasTensorSpeeds(p)) && p.grid.points() > std::numeric_limits<int>::max())
    fail("sensitivities of the second order or with tensors are available for fewer than 2^31 points, got ",
         p.grid.points(), ": use a smaller or a coarser image");
  if (what)
    throw Error("sensitivities are not available with " + std::string(what) +
                ": they need an isotropic speed or tensors, and a whole image");
}

Sensitivities differentiate(const Problem& problem, std::span<const float> travelTime,
                            std::span<const WeightedTip> tips, const SensitivityOptions& options,
                            const Monitor& monitor) {
  return solveWithFallback(options, [&](const SensitivityOptions& o) {
    return differentiateWhereChosen(problem, travelTime, tips, o, monitor);
  });
}

} // namespace isochrone::image
