#include "DistanceTransform/Validation.h"

#include "DistanceTransform/Scheme/Tiling.h"
#include "Error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

namespace isochrone::distance {

namespace {

/// Returns the length of the shortest step on an axis, and of the axis.
std::pair<double, double> lengthsOf(const Problem& problem, int axis) {
  const std::int64_t n = problem.grid.sizes()[axis];
  const double h = problem.grid.spacing()[axis];
  const grid::OrthogonalGrid* grid = problem.rectilinear;
  if (!grid) return {h, h * double(n - 1)};
  double minimum = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 1; i < n; ++i)
    minimum = std::min(minimum, grid->coordinate(axis, double(i)) - grid->coordinate(axis, double(i - 1)));
  return {minimum, grid->coordinate(axis, double(n - 1)) - grid->coordinate(axis, 0)};
}

/// Requires that the number types of the solver and of the result can hold the distances.
void requireRepresentable(const Problem& problem, const Options& options) {
  double minimum = std::numeric_limits<double>::infinity(), sum = 0;
  for (int a = 0; a < 3; ++a)
    if (const std::int64_t n = problem.grid.sizes()[a]; n > 1) {
      const auto [step, whole] = lengthsOf(problem, a);
      minimum = std::min(minimum, step);
      sum = std::hypot(sum, whole);
    }
  if (sum == 0) return;
  // Their squares must be finite as well, on a rectilinear grid their cubes.
  const double least = problem.rectilinear ? 1e-100 : 1e-140, greatest = problem.rectilinear ? 1e100 : 1e140;
  if (minimum < least || sum > greatest)
    fail("distances must be between ", text(least), " and ", text(greatest), ", but range from ",
         text(minimum), " to ", text(sum), ": use another unit of length");
  if (options.distance && !options.doublePrecision &&
      (minimum < std::numeric_limits<float>::min() || sum > std::numeric_limits<float>::max()))
    fail("distances from ", text(minimum), " to ", text(sum),
         " exceed single precision: request double precision, or use another unit of length");
}

/// Requires finite corners, and values at all of them or none.
void requirePieces(const surface::Surface& surface) {
  constexpr double largest = 1e140; // its square must be finite as well
  for (std::size_t i = 0; i < surface.pieces.size(); ++i)
    for (const Position& corner : surface.pieces[i])
      for (const double c : corner)
        if (!(std::abs(c) <= largest))
          fail("the corners of the surface must be between -1e140 and 1e140, got ", text(c), " in piece ", i,
               ": remove it, or use another unit of length");
  const std::size_t count = surface.pieces.size() * 3 * std::size_t(surface.components);
  if (surface.values.size() != count)
    fail("the surface must have ", surface.components, " values at each of 3 corners of ",
         surface.pieces.size(), " pieces, got ", surface.values.size(), " values");
}

/// Requires a problem with periodic axes that can be solved.
/// @param maxOnAxis  maximum number of points of an axis
void requirePeriodic(const Problem& problem, std::int64_t maxOnAxis) {
  if (!isPeriodic(problem)) return;
  if (problem.isShared())
    fail("an image with periodic axes cannot be divided: give every process the whole image");
  if (problem.surface)
    fail("distances to a surface are not possible with periodic axes: make no axis periodic, or choose "
         "sites at points");
  for (int a = 0; a < 3; ++a)
    if (isPeriodic(problem, a) && problem.grid.sizes()[a] > maxOnAxis / copiesAlong)
      fail("a periodic axis may have at most ", maxOnAxis / copiesAlong, " points, got ",
           problem.grid.sizes()[a], " along ", "xyz"[a],
           ": use a coarser image, or make the axis not periodic");
}

/// Requires a rectilinear grid that can be solved.
void requireRectilinear(const Problem& problem) {
  const grid::OrthogonalGrid* grid = problem.rectilinear;
  if (!grid) return;
  if (grid->isSpherical())
    fail("distances in a spherical grid are not those of its coordinates: choose Cartesian coordinates, or "
         "resample to an image in space");
  if (grid->points().sizes() != problem.grid.sizes() || problem.grid.spacing() != Position{1, 1, 1})
    fail("a rectilinear grid must have the sizes of the image, and the image spacings of 1");
  if (isPeriodic(problem))
    fail("a rectilinear grid has no periodic axes: make no axis periodic, or resample to an image");
  if (problem.isShared()) fail("a rectilinear grid cannot be divided: give every process the whole grid");
  if (problem.surface)
    fail("distances to a surface are not possible on a rectilinear grid: resample to an image, or choose "
         "sites at points");
}

} // namespace

void validate(const Problem& problem, const Options& options) {
  const Grid& g = problem.grid;
  // Limits at which squared distances are still exact in double: along several axes, and along one.
  const bool isLine = (g.nx > 1) + (g.ny > 1) + (g.nz > 1) < 2;
  const std::int64_t maxOnAxis = isLine ? std::numeric_limits<std::int32_t>::max() / 2 : 1 << 24;
  for (const auto& [n, h, axis] : {std::tuple{g.nx, g.hx, 'x'}, {g.ny, g.hy, 'y'}, {g.nz, g.hz, 'z'}}) {
    if (n < 1) fail("the image must have points, got ", n, " along ", axis);
    if (n > maxOnAxis)
      fail("an axis may have at most ", maxOnAxis, " points, got ", n, " along ", axis,
           ": use a coarser image");
    if (!(h > 0) || std::isinf(h))
      fail("the spacing must be positive and finite, got ", text(h), " along ", axis);
  }
  if (const std::int64_t points = problem.box().points(); std::int64_t(problem.sites.size()) != points)
    fail("sites must have a value for each of ", points, " points, got ", problem.sites.size());
  if (problem.isShared() && options.backend == Backend::Cuda)
    fail("CUDA solves undivided images only: choose the backend Host for an image that is divided");
  requirePeriodic(problem, maxOnAxis);
  requireRectilinear(problem);
  if (problem.surface) requirePieces(*problem.surface);
  requireRepresentable(problem, options);
  if (!(options.maximumDistance >= 0))
    fail("the maximum distance must not be negative (0: no limit), got ", text(options.maximumDistance));
}

std::size_t resultBytes(const Problem& problem, const Options& options) {
  const std::size_t perPoint = (options.distance ? options.doublePrecision ? 8 : 4 : 0) +
                               (options.squaredDistance ? 8 : 0) + (options.nearestSite ? 8 : 0);
  return perPoint * std::size_t(problem.box().points());
}

std::string nameOf(const Problem& problem) {
  const Box box = problem.box();
  const auto size = [&](int a) { return std::to_string(box.end[a] - box.begin[a]); };
  return "the distances of " + size(0) + " x " + size(1) + " x " + size(2) + " points";
}

} // namespace isochrone::distance
