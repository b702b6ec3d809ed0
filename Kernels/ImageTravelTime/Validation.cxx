#include "ImageTravelTime/Validation.h"

#include "Error.h"
#include "ImageTravelTime/AxesValidation.h"
#include "ImageTravelTime/Scheme/TensorStencil.h"
#include "ImageTravelTime/TiltedValidation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace isochrone::image {

std::string nameOf(const Problem& p, std::int64_t point) {
  const auto [i, j, k] = p.grid.indices(point);
  if (p.pointName) return p.pointName(i, j, k);
  return "point (" + std::to_string(i) + ", " + std::to_string(j) + ", " + std::to_string(k) + ")";
}

const char* quantity(const Problem& p) {
  if (hasTensorSpeeds(p)) return "speed in the tensors";
  return p.speedType == SpeedType::Slowness ? "slowness" : "speed";
}

void requireSize(std::size_t size, const Grid& grid, const char* what) {
  if (size && std::int64_t(size) != grid.points())
    throw Error(std::string(what) + " must have a value for each of " + std::to_string(grid.points()) +
                " points, got " + std::to_string(size));
}

namespace {

/// Maximum ratio of speeds whose squares float can hold together, with room for the values.
constexpr double widestRange = 1e12;

/// Maximum ratio of the largest to the smallest speed of a tensor, in grid steps. The reach of a stencil, in
/// points, is up to about this ratio.
constexpr double maxAnisotropy = 200;

/// Maximum drift, as a share of the speed. Near 1 the one-form is 1 / (1 - share^2) times as large as the
/// times of steps, whose digits single precision loses.
constexpr double maxDrift = 0.999;

/// Times that single precision can hold, with room for derived values.
constexpr double minTime = 1e-30, largestTime = 1e30;

/// Speeds and slownesses whose scales to the solver's units single precision can hold.
constexpr double minSpeed = 1e-35, largestSpeed = 1e35;

bool masked(const Problem& p, std::int64_t point) { return !p.barriers.empty() && p.barriers[point]; }

/// @throws Error if the speeds are too far apart for float
void requireRange(const Problem& p, const SpeedRange& speed) {
  if (speed.fastest / speed.slowest > widestRange)
    throw Error(std::string(quantity(p)) + " varies by more than a factor of " + text(widestRange) +
                " between points: make such slow points barriers");
}

void requireSpeeds(const Problem& p, double minimum, double largest) {
  for (const double v : {minimum, largest})
    if (!(v >= minSpeed && v <= largestSpeed))
      throw Error(std::string(quantity(p)) + " must be between " + text(minSpeed) + " and " +
                  text(largestSpeed) + ", got " + text(v) + ": use other units of length or time");
}

/// @param minimum, largest  times of grid steps
/// @throws Error if single precision cannot hold travel times composed of them
void requireTimes(const Problem& p, double minimum, double largest) {
  if (minimum >= minTime && largest <= largestTime) return;
  const bool tooLittle = minimum < minTime;
  throw Error("a step of the grid takes a time of " + text(tooLittle ? minimum : largest) +
              ": single precision needs " + text(minTime) + " to " + text(largestTime) + "; with a " +
              quantity(p) + " and a spacing like these, use other units of length or time");
}

/// Throws an error that names the first invalid value of `speed`.
void rejectSpeed(const Problem& p) {
  const bool slowness = p.speedType == SpeedType::Slowness;
  for (std::size_t i = 0; i < p.speed.size(); ++i) {
    const float v = p.speed[i];
    const bool bad = v < 0 || (slowness ? v == 0 : std::isinf(v));
    if (bad && !masked(p, std::int64_t(i)))
      throw Error(
          std::string(quantity(p)) + " must be " +
          (slowness ? "positive (+infinity in barriers)" : "finite and not negative (0 in barriers)") +
          ", got " + text(v) + " at " + nameOf(p, std::int64_t(i)));
  }
}

/// Checks what solves in parts support.
void requirePartOptions(const Problem& p, const Options& options) {
  if (!p.part.isDivided()) return;
  const bool whole = !p.part.periodic; // what only a whole image can have
  const char* what = whole && hasTensorSpeeds(p)                            ? "tensors"
                     : whole && isTilted(p)                                 ? "a tilted medium"
                     : whole && hasDrift(p)                                 ? "a drift"
                     : options.order == 2                                   ? "the second order"
                     : options.factoring == SourceFactoring::Multiplicative ? "multiplicative factoring"
                                                                            : nullptr;
  if (what && p.part.periodic)
    throw Error(std::string(what) +
                " is not possible with periodic axes: choose order 1, and Additive or Off");
  if (what) throw Error(std::string(what) + " cannot be solved in parts: give every process the whole image");
}

void requireTensorOptions(const Problem& p, const Options& options) {
  requireTensorSize(p);
  const std::int64_t points = p.grid.points();
  if (refinesTensors(p, options) && points > UINT32_MAX)
    throw Error("second order and multiplicative source factoring with tensors take at most " +
                std::to_string(UINT32_MAX) + " points, got " + std::to_string(points) +
                ": choose order 1, and Additive or Off");
}

void requireDriftOptions(const Options& options) {
  const char* what = options.order == 2 ? "the second order"
                     : options.factoring == SourceFactoring::Multiplicative
                         ? "multiplicative source factoring"
                         : nullptr;
  if (what)
    throw Error(std::string(what) + " is not possible in a drift, whose points do not depend on earlier ones "
                                    "alone: choose order 1, and Additive or Off");
}

/// Throws an error about points where the drift is too fast.
void rejectDrift(const Problem& p, std::int64_t count, std::int64_t first) {
  const grid::Vector3 drift = driftAt(p, first);
  const double share = std::sqrt(driftShare(speedMetricAt(p, first), drift));
  throw Error("the drift must be below " + text(maxDrift) + " of the speed: at " + nameOf(p, first) +
              (count > 1 ? ", the first of " + std::to_string(count) + " such points," : "") + " it is " +
              text(std::sqrt(grid::dot(drift, drift))) + ", " + text(share) +
              " of the speed in its direction; raise the speed, or make such points barriers");
}

/// Requires one seed at the surface, and a cell of the grid for each piece.
void requireSurface(const Problem& p) {
  const surface::Surface& surface = *p.seedSurface;
  if (p.seeds.size() != 1 || !p.seeds[0].isRegion || !p.seedRegions.empty())
    throw Error("a front from a surface needs one seed, a region without points, got " +
                std::to_string(p.seeds.size()) + " seeds");
  if (surface.cells.size() != surface.pieces.size())
    throw Error("the seed surface must have a cell for each of " + std::to_string(surface.pieces.size()) +
                " pieces, got " + std::to_string(surface.cells.size()));
  for (const std::int64_t cell : surface.cells)
    if (cell < 0 || cell >= p.grid.points())
      throw Error("the cells of the seed surface must be among the " + std::to_string(p.grid.points()) +
                  " points of the grid, got " + std::to_string(cell));
}

void requireSeeds(const Problem& p) {
  requireSize(p.seedRegions.size(), p.grid, "seed regions");
  for (const std::int32_t s : p.seedRegions) {
    if (s >= std::int64_t(p.seeds.size()))
      throw Error("the seed regions name seed " + std::to_string(s) + ", but there are " +
                  std::to_string(p.seeds.size()) + " seeds");
    if (s >= 0 && !p.seeds[s].isRegion)
      throw Error("the seed regions name seed " + std::to_string(s) + ", which is a point, not a region");
  }
  if (p.seedSurface) requireSurface(p);
  for (std::size_t s = 0; s < p.seeds.size(); ++s) {
    const double start = p.seeds[s].startValue;
    if (!std::isfinite(start))
      throw Error("the start value must be finite, got " + text(start) + " at seed " + std::to_string(s));
    if (std::abs(start) > largestTime)
      throw Error("the start value must be within " + text(largestTime) + ", got " + text(start) +
                  " at seed " + std::to_string(s) + ": make start values relative to the earliest one");
  }
}

/// Returns the range of the speed of a problem without tensors.
/// @throws Error if a speed is negative or infinite, or the range is too wide for float
SpeedRange rangeOfSpeed(const Problem& p, execution::RoundPool& pool) {
  const std::int64_t n = std::int64_t(p.speed.size());
  const bool slowness = p.speedType == SpeedType::Slowness;
  if (n == 0) {
    const double speed = slowness ? 1 / p.constantSpeed : p.constantSpeed;
    return {speed, speed};
  }
  // The forbidden value: 0 for a slowness, +infinity for a speed. NaN compares false.
  const float forbidden = slowness ? 0 : std::numeric_limits<float>::infinity();
  constexpr float maximum = std::numeric_limits<float>::max();
  struct Range {
    float minimum = maximum, largest = 0, bad = 0; // bad: not 0 if a value is negative or forbidden
  };
  const auto rangeIn = [&](std::int64_t begin, std::int64_t end, int) {
    const float *speed = p.speed.data(), none = forbidden;
    const std::uint8_t* barriers = p.barriers.empty() ? nullptr : p.barriers.data();
    float minimum = maximum, largest = 0, bad = 0;
    constexpr std::int64_t piece = 1024; // prefetched while the one before is read
    for (std::int64_t first = begin; first < end; first += piece) {
      for (std::int64_t line = 0; line < piece; line += 16) __builtin_prefetch(speed + first + piece + line);
#pragma omp simd reduction(+ : bad) reduction(min : minimum) reduction(max : largest)
      for (std::int64_t i = first; i < std::min(first + piece, end); ++i) {
        const float v = barriers && barriers[i] ? std::numeric_limits<float>::quiet_NaN() : speed[i];
        const bool counts = (v > 0) & (v <= maximum);
        const float low = counts ? v : maximum, high = counts ? v : 0;
        minimum = low < minimum ? low : minimum;
        largest = high > largest ? high : largest;
        bad += ((v < 0) | (v == none)) ? 1.f : 0.f;
      }
    }
    return Range{minimum, largest, bad};
  };
  auto [minimum, largest, bad] = pool.reduce(n, Range(), rangeIn, [](Range& all, const Range& part) {
    all.minimum = std::min(all.minimum, part.minimum), all.largest = std::max(all.largest, part.largest);
    all.bad += part.bad;
  });
  if (bad != 0) rejectSpeed(p);
  double extremes[2] = {minimum, -largest};
  p.part.allMin(extremes);
  minimum = float(extremes[0]), largest = float(-extremes[1]);
  if (largest == 0) return {}; // only barriers
  requireRange(p, {minimum, largest});
  requireSpeeds(p, minimum, largest);
  return slowness ? SpeedRange{1 / double(largest), 1 / double(minimum)} : SpeedRange{minimum, largest};
}

/// Returns the range of the speed of a problem with a metric at every point.
/// @throws Error unless all tensors are positive definite, not too anisotropic and not too different
SpeedRange rangeOfTensors(const Problem& p, execution::RoundPool& pool) {
  const std::int64_t points = p.grid.points();
  struct Range {
    std::int64_t bad = 0, firstBad, adrift = 0, firstAdrift, flat; // adrift: too fast, or no tilted medium
    double largest = 0, slowest = 0, drift = 0; // squares of speed, slowness, and share of the speed
  };
  const Range none{0, points, 0, points, points};
  const auto rangeIn = [&](std::int64_t begin, std::int64_t end, int) {
    Range range = none;
    for (std::int64_t n = begin; n < end; ++n) {
      if (isBarrier(p, n)) continue;
      if (hasTensorSpeeds(p) && !grid::isPositiveDefinite(tensorAt(p, n))) {
        if (range.bad++ == 0) range.firstBad = n;
        continue;
      }
      if (isTilted(p) && !p.thomsen.isValid(p.grid, n)) {
        if (range.adrift++ == 0) range.firstAdrift = n;
        continue;
      }
      if (hasDrift(p)) {
        const double share = driftShare(speedMetricAt(p, n), driftAt(p, n));
        if (!(share < maxDrift * maxDrift)) {
          if (range.adrift++ == 0) range.firstAdrift = n;
          continue;
        }
        range.drift = std::max(range.drift, share);
      }
      const grid::Symmetric3 d = gridTensorAt(p, n);
      // Each trace lies between the largest eigenvalue and three times this eigenvalue.
      const double fast = grid::trace(d) / 2, slow = grid::trace(grid::inverse(d)) / 2;
      if (!(fast * slow * tangentRatio(p, n) < maxAnisotropy * maxAnisotropy))
        range.flat = std::min(range.flat, n);
      range.largest = std::max(range.largest, fast), range.slowest = std::max(range.slowest, slow);
    }
    return range;
  };
  const auto [bad, firstBad, adrift, firstAdrift, flat, largest, slowest, drift] =
      pool.reduce(points, none, rangeIn, [](Range& all, const Range& part) {
        all.bad += part.bad, all.firstBad = std::min(all.firstBad, part.firstBad);
        all.adrift += part.adrift, all.firstAdrift = std::min(all.firstAdrift, part.firstAdrift);
        all.flat = std::min(all.flat, part.flat);
        all.largest = std::max(all.largest, part.largest), all.slowest = std::max(all.slowest, part.slowest);
        all.drift = std::max(all.drift, part.drift);
      });
  if (bad > 0)
    throw Error(std::to_string(bad) + (bad == 1 ? " tensor is" : " tensors are") +
                " not positive definite, the first at " + nameOf(p, firstBad) +
                ": correct them, or make such points barriers (zeros or NaN)");
  if (adrift > 0)
    isTilted(p) ? p.thomsen.reject(adrift, firstAdrift, nameOf(p, firstAdrift))
                : rejectDrift(p, adrift, firstAdrift);
  if (flat < points)
    throw Error(
        "the " +
        std::string(hasDrift(p)   ? "speed in the drift"
                    : isTilted(p) ? "medium"
                                  : "tensor") +
        " at " + nameOf(p, flat) + " is too anisotropic: in grid steps one direction is more than about " +
        std::to_string(int(maxAnisotropy)) +
        " times faster than another; reduce that, or resample the image with a finer spacing along the "
        "slow direction");
  if (largest == 0) return {}; // only barriers
  const SpeedRange speed{1 / std::sqrt(slowest), std::sqrt(largest), std::sqrt(drift)};
  requireRange(p, speed);
  return speed;
}

} // namespace

void requireTensorSize(const Problem& p) {
  const std::int64_t points = p.grid.points(), values = points * componentsOf(p);
  if (std::int64_t(p.speed.size()) != values)
    throw Error("tensors must have " + std::to_string(componentsOf(p)) + " values for each of " +
                std::to_string(points) + " points, " + std::to_string(values) + " in all, got " +
                std::to_string(p.speed.size()));
}

void requireDriftSize(const Problem& p) {
  const std::int64_t points = p.grid.points(), values = points * driftComponents(p);
  if (!p.drift.empty() && std::int64_t(p.drift.size()) != values)
    throw Error("the drift must have " + std::to_string(driftComponents(p)) + " values for each of " +
                std::to_string(points) + " points, " + std::to_string(values) + " in all, got " +
                std::to_string(p.drift.size()));
}

SpeedRange validate(const Problem& p, const Options& options, execution::RoundPool& pool) {
  const Grid& g = p.grid;
  for (const std::int64_t n : {g.nx, g.ny, g.nz})
    if (n < 1) throw Error("the image must have at least one point on each axis");
  const StepRange step = p.orthogonal ? requireOrthogonalSteps(p, options) : requireSpacing(g);
  const bool isotropic = !hasTensorSpeeds(p);
  if (isotropic && !(p.constantSpeed > 0 && std::isfinite(p.constantSpeed)))
    throw Error(std::string(quantity(p)) + " must be positive and finite, got " + text(p.constantSpeed));
  if (isotropic && p.speed.empty()) requireSpeeds(p, p.constantSpeed, p.constantSpeed);
  if (std::isnan(options.stoppingTime) || options.stoppingTime < 0)
    throw Error("the stopping time must be positive, or 0 for none, got " + text(options.stoppingTime));
  if (options.order != 1 && options.order != 2)
    throw Error("the order must be 1 or 2, got " + std::to_string(options.order));
  if (isotropic)
    requireSize(p.speed.size(), g, quantity(p));
  else
    requireTensorOptions(p, options);
  if (isTilted(p)) requireThomsenOptions(p, options);
  if (hasDrift(p)) requireDriftOptions(options);
  requireSize(p.barriers.size(), g, "barriers");
  requirePartOptions(p, options);
  requireSeeds(p);
  SpeedRange speed;
  if (isotropic) speed = rangeOfSpeed(p, pool);
  if (!hasTensors(p)) {
    requireTimes(p, step.minimum / speed.fastest, step.largest / speed.slowest);
    return speed;
  }
  speed = rangeOfTensors(p, pool);
  requireTimes(p, 1 / speed.fastest, 1 / speed.slowest);
  return speed;
}

void rejectSeeds(const Problem& p, const std::vector<Placement>& seeds) {
  if (seeds.empty() && p.seedRegions.empty()) throw Error("there are no seeds: give at least one");
  if (p.seedSurface)
    throw Error(
        "no point beside the seed surface can be used: " +
        std::string(p.seedSurface->pieces.empty()
                        ? "no cell is crossed by the iso value, choose one within the range of the array"
                        : "it lies in barriers, give its points a positive speed"));
  if (!p.seedRegions.empty())
    throw Error(
        "no point of the seed region can be used: the region is empty or lies in barriers, give it points "
        "where the speed is positive");
  const auto outside = std::ranges::count(seeds, Placement::Status::Outside, &Placement::status);
  throw Error("no seed can be used: " + std::to_string(outside) + " of " + std::to_string(seeds.size()) +
              " lie outside the image (" + nameOf(p, 0) + " to " + nameOf(p, p.grid.points() - 1) +
              "), the others in barriers: move one to a point where the speed is positive");
}

} // namespace isochrone::image
