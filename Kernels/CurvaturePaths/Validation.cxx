#include "CurvaturePaths/Validation.h"

#include "Backend.h"
#include "CurvaturePaths/Scheme/HeadingStencils.h"
#include "Execution/RoundPool.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace isochrone::curvature {

namespace {

constexpr int fewestHeadings = 4;
/// Bounds on lengths and travel times in the user's units, and on the ratio of turning radii to grid steps.
/// Beyond them, squares and products leave the floating-point range.
constexpr double minSize = 1e-30, maxSize = 1e30, maxRatio = 1e15;
constexpr double maxCostRatio = 1e28; // the squares of both extremes stay in range
constexpr double maxStart = 1e38;     // within single precision
constexpr double minRelaxation = 0.02, maxRelaxation = 0.5;

/// "point (3, 4)" or "point (3, 4), heading 5"
std::string placeName(const Problem& p, std::int64_t index, bool withHeading) {
  const std::int64_t plane = index % p.grid.planePoints();
  const std::string point = pointName(p, plane % p.grid.nx, plane / p.grid.nx);
  return withHeading ? point + ", heading " + std::to_string(index / p.grid.planePoints()) : point;
}

void validateGrid(const StateGrid& g) {
  if (g.nx < 1 || g.ny < 1)
    fail("the image must have at least one point along each axis, got ", g.nx, " x ", g.ny);
  if (g.headings < fewestHeadings)
    fail("the number of headings must be at least ", fewestHeadings, ", got ", g.headings);
  for (double h : {g.hx, g.hy})
    if (!(h > 0) || !std::isfinite(h))
      fail("the spacing of the image must be positive, got ", g.hx, " x ", g.hy);
  if (std::min(g.hx, g.hy) < minSize || std::max(g.hx, g.hy) > maxSize)
    fail("the spacing of the image must be from ", minSize, " to ", maxSize, ", got ", g.hx, " x ", g.hy,
         ": use another unit of length");
  if (std::max(g.hx, g.hy) > maxRatio * std::min(g.hx, g.hy))
    fail("the spacings of the image may differ by at most a factor of ", maxRatio, ", got ", g.hx, " x ",
         g.hy, ": resample the image");
  constexpr std::int64_t maximum = std::int64_t(1) << 31; // rows and columns have 32-bit indices
  if (g.nx >= maximum || g.ny >= maximum)
    fail("an image axis may have at most ", maximum - 1, " points, got ", g.nx, " x ", g.ny);
  const double points = double(g.nx) * double(g.ny) * g.headings;
  if (points * sizeof(float) > 9e18)
    fail("the state space of ", g.nx, " x ", g.ny, " points x ", g.headings, " headings has ", points,
         " states, more than can be addressed: use a smaller image or fewer headings");
}

void validateSize(const StateGrid& g, const Field& field, const char* name) {
  const std::int64_t n = std::int64_t(field.values.size());
  if (n != 0 && n != g.planePoints() && n != g.points())
    fail("the ", name, " has ", n, " values, but the image has ", g.planePoints(), " points and ", g.points(),
         " with its ", g.headings, " headings: give one value per point of either");
}

/// Returns the index of the first value, in storage order and outside walls, that fails `good`; -1 if all
/// pass.
template <class Good>
std::int64_t firstBad(const Problem& p, const Field& field, Good&& good) {
  const std::int64_t n = std::int64_t(field.values.size()), plane = p.grid.planePoints();
  const auto firstIn = [&](std::int64_t begin, std::int64_t end, int) -> std::int64_t {
    for (std::int64_t i = begin; i < end; ++i)
      if (!good(field.values[i]) && (p.walls.empty() || !p.walls[i % plane])) return i;
    return -1;
  };
  execution::RoundPool pool(chooseThreads(0, double(n)));
  return pool.reduce(n, std::int64_t(-1), firstIn, [](std::int64_t& first, std::int64_t later) {
    if (first < 0) first = later;
  });
}

template <class Good>
void validateValues(const Problem& p, const Field& field, const char* name, const char* rule,
                    const char* remedy, Good&& good) {
  validateSize(p.grid, field, name);
  if (field.values.empty()) {
    if (!good(field.constant)) fail("the ", name, " must be ", rule, ", got ", field.constant, remedy);
    return;
  }
  const std::int64_t bad = firstBad(p, field, good);
  if (bad < 0) return;
  const bool perHeading = field.isPerState(p.grid);
  fail("the ", name, " must be ", rule, ", got ", field.values[bad], " at ", placeName(p, bad, perHeading),
       remedy);
}

/// Checks turning radii and shifts relative to the grid.
void validateTurning(const Problem& p) {
  const double h = std::min(p.grid.hx, p.grid.hy), wide = std::max(p.grid.hx, p.grid.hy);
  const double minimum = h / maxRatio, maximum = maxRatio * wide, maxShift = maxRatio / wide;
  std::ostringstream radii, shifts;
  radii << "positive and finite, from " << minimum << " to " << maximum << " on this grid";
  shifts << "finite, from " << -maxShift << " to " << maxShift << " on this grid";
  validateValues(p, p.turningRadius, "turning radius", radii.str().c_str(), "",
                 [=](double v) { return v >= minimum && v <= maximum; });
  validateValues(p, p.curvatureShift, "curvature shift", shifts.str().c_str(), "",
                 [=](double v) { return std::abs(v) <= maxShift; });
}

/// Checks the ratio of the costs, and the travel times that they give.
void validateTimes(const Problem& p) {
  const Range cost = rangeOf(p, p.cost);
  if (!(cost.lo <= cost.hi)) return; // walls everywhere
  if (cost.hi > maxCostRatio * cost.lo)
    fail("the cost ranges from ", cost.lo, " to ", cost.hi, ", a ratio above ", maxCostRatio,
         ", beyond single precision: mark places that no path may enter as walls instead");
  const StateGrid& g = p.grid;
  const double minimum = cost.lo * std::min(g.hx, g.hy);
  const double maximum = cost.hi * (double(g.nx) * g.hx + double(g.ny) * g.hy);
  if (minimum < minSize || maximum > maxSize)
    fail("the cost, ", cost.lo, " to ", cost.hi, ", gives travel times from ", minimum,
         " for a grid step to ", maximum, " across the image, which must be between ", minSize, " and ",
         maxSize, ": use another unit of length or of cost");
}

} // namespace

std::string pointName(const Problem& p, std::int64_t i, std::int64_t j) {
  if (p.pointName) return p.pointName(i, j);
  return "point (" + std::to_string(i) + ", " + std::to_string(j) + ")";
}

void validate(const Problem& p) {
  validateGrid(p.grid);
  if (isPeriodic(p) && p.part.isDivided())
    fail("a plane with periodic axes cannot be divided: give every process the whole plane");
  if (!p.walls.empty() && std::int64_t(p.walls.size()) != p.grid.planePoints())
    fail("the walls have ", p.walls.size(), " values, but the image has ", p.grid.planePoints(), " points");
  const auto positive = [](double v) { return v > 0 && v <= double(std::numeric_limits<float>::max()); };
  validateValues(p, p.cost, "cost", "positive and finite",
                 ": mark places that no path may enter as walls instead", positive);
  validateTurning(p);
  validateTimes(p);
  if (!(p.relaxation >= minRelaxation && p.relaxation <= maxRelaxation))
    fail("the relaxation must be between ", minRelaxation, " and ", maxRelaxation, ", got ", p.relaxation);
  if (!(p.balancedRadius >= 0) || !std::isfinite(p.balancedRadius))
    fail("the balanced radius must be 0 or a length, got ", p.balancedRadius);
  for (std::size_t i = 0; i < p.seeds.size(); ++i)
    if (!(std::abs(p.seeds[i].startValue) <= maxStart))
      fail("the start value of seed ", i, " must be finite, and at most ", maxStart, ", got ",
           p.seeds[i].startValue, ": use another unit of time");
}

void requireMemory(const Problem& p) {
  const grid::Box window = windowOf(p);
  requireHostMemory(std::size_t(window.points()) * std::size_t(p.grid.headings) * sizeof(float),
                    "the travel times of " + std::to_string(window.size(0)) + " x " +
                        std::to_string(window.size(1)) + " points x " + std::to_string(p.grid.headings) +
                        " headings");
}

void requireAllStates(const Problem& p, const char* what) {
  requireNotPeriodic(p, what);
  if (p.part.isDivided())
    fail(what, " cannot be computed in parts of a plane: give every process all states");
}

void requireNotPeriodic(const Problem& p, const char* what) {
  if (isPeriodic(p)) fail(what, " cannot be computed with periodic axes: make no axis periodic");
}

void requireUsableSeed(const Problem& p, const std::vector<Placement>& seeds) {
  if (seeds.empty()) fail("there is no seed: give at least one point where paths start");
  const auto count = [&](Placement::Status status) {
    return std::count_if(seeds.begin(), seeds.end(), [&](const Placement& s) { return s.status == status; });
  };
  if (count(Placement::Status::Inside) > 0) return;
  fail("no seed can be used: of ", seeds.size(), ", ", count(Placement::Status::Outside),
       " lie outside the image (", pointName(p, 0, 0), " to ", pointName(p, p.grid.nx - 1, p.grid.ny - 1),
       ") or have a position or heading that is not finite, and ", count(Placement::Status::InWall),
       " in walls: move a seed to a free point of the image");
}

} // namespace isochrone::curvature
