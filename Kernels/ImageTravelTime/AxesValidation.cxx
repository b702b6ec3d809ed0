#include "ImageTravelTime/AxesValidation.h"

#include "Error.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"
#include "ImageTravelTime/Validation.h"

#include <algorithm>
#include <limits>
#include <string>

namespace isochrone::image {

namespace {

/// Spacings whose squares double precision can hold, and their maximum ratio.
constexpr double minSpacing = 1e-100, largestSpacing = 1e100, maxStepRatio = 1e12;

[[noreturn]] void rejectOnOrthogonal(const std::string& what) {
  throw Error(
      what +
      " is not possible on a rectilinear or spherical grid: choose a speed or slowness without a drift, "
      "order 1, and Additive or Off, or resample to an image");
}

} // namespace

StepRange requireSpacing(const Grid& g) {
  const Position h = g.spacing();
  StepRange step;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(h[axis] >= minSpacing && h[axis] <= largestSpacing))
      throw Error("the spacing must be positive and between " + text(minSpacing) + " and " +
                  text(largestSpacing) + ", got " + text(h[axis]) + ": use another unit of length");
    if (axis == 2 && g.nz == 1) continue;
    step.minimum = std::min(step.minimum, h[axis]), step.largest = std::max(step.largest, h[axis]);
  }
  if (step.largest / step.minimum > maxStepRatio)
    throw Error("the spacings must not differ by more than a factor of " + text(maxStepRatio) + ", got " +
                text(step.minimum) + " and " + text(step.largest) +
                ": use another unit of length on one axis");
  return step;
}

StepRange requireOrthogonalSteps(const Problem& p, const Options& options) {
  requireOrthogonal(p);
  const char* what = options.order == 2                                     ? "the second order"
                     : options.factoring == SourceFactoring::Multiplicative ? "multiplicative factoring"
                                                                            : nullptr;
  if (what) rejectOnOrthogonal(what);
  const auto [minimum, largest] = p.orthogonal->stepRange();
  if (!(minimum >= minSpacing && largest <= largestSpacing))
    throw Error("steps between coordinates must be between " + text(minSpacing) + " and " +
                text(largestSpacing) + ", got " + text(minimum) + " to " + text(largest) +
                ": use another unit of length");
  if (largest / minimum > maxStepRatio)
    throw Error("the lengths between neighbours must not differ by more than a factor of " +
                text(maxStepRatio) + ", got " + text(minimum) + " and " + text(largest) +
                ": remove points that lie so close together");
  return {minimum, largest};
}

void requirePeriodic(const Problem& p) {
  if (p.part.isDivided())
    throw Error("an image with periodic axes cannot be divided: give every process the whole image");
  if (p.seedSurface)
    throw Error(
        "seeds on a level set are not possible with periodic axes: make no axis periodic, or choose other "
        "seeds");
  if (hasTensorSpeeds(p))
    requireTensorSize(p);
  else
    requireSize(p.speed.size(), p.grid, quantity(p));
  requireDriftSize(p);
  requireSize(p.barriers.size(), p.grid, "barriers");
  requireSize(p.seedRegions.size(), p.grid, "seed regions");
}

void requireOrthogonal(const Problem& p) {
  if (hasTensors(p))
    rejectOnOrthogonal(hasDrift(p) ? "a drift" : isTilted(p) ? "a tilted medium" : "a tensor");
  if (p.part.isDivided()) rejectOnOrthogonal("a division into parts");
  if (isPeriodic(p)) rejectOnOrthogonal("a periodic axis, other than the full circle of longitudes,");
  if (p.seedSurface) rejectOnOrthogonal("a seed on a level set");
  if (p.orthogonal->points().sizes() != p.grid.sizes() || p.grid.spacing() != Position{1, 1, 1})
    throw Error("the problem of an orthogonal grid must have its " + std::to_string(p.orthogonal->size(0)) +
                " x " + std::to_string(p.orthogonal->size(1)) + " x " +
                std::to_string(p.orthogonal->size(2)) + " points, and spacings of 1");
  requireSize(p.speed.size(), p.grid, quantity(p));
  requireSize(p.barriers.size(), p.grid, "barriers");
  requireSize(p.seedRegions.size(), p.grid, "seed regions");
}

} // namespace isochrone::image
