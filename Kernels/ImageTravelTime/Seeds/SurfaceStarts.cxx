#include "ImageTravelTime/Seeds/SurfaceStarts.h"

#include "Execution/RoundPool.h"
#include "ImageTravelTime/Seeds/LineOfSight.h"
#include "Surface/Surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns L^T v of the Cholesky factor L of a metric: its length is the time along v.
Position stretched(const grid::Symmetric3& m, const Position& v) {
  const double xx = std::sqrt(m[0]), yx = m[3] / xx, zx = m[5] / xx;
  const double yy = std::sqrt(m[1] - yx * yx), zy = (m[4] - zx * yx) / yy;
  const double zz = std::sqrt(m[2] - zx * zx - zy * zy);
  return {xx * v[0] + yx * v[1] + zx * v[2], yy * v[1] + zy * v[2], zz * v[2]};
}

/// Returns the metric that defines the nearest point of a surface.
grid::Symmetric3 metricOf(const Problem& p, std::int64_t point) {
  if (hasTensors(p)) return metricAt(p, point);
  const double square = std::pow(slownessAt(p, point), 2);
  return {square, square, square, 0, 0, 0};
}

} // namespace

SurfaceStarts::SurfaceStarts(const Problem& p) : problem(p) {}

std::vector<SeedPoint> SurfaceStarts::starts(int threads) const {
  std::vector<SeedPoint> points;
  if (!problem.seedSurface) return points;
  const Grid& g = problem.grid;
  std::vector<std::int64_t> corners;
  std::int64_t before = -1;
  for (const std::int64_t cell : problem.seedSurface->cells) {
    if (cell == before) continue;
    before = cell;
    for (int k = 0; k < 8; ++k) {
      GridIndex at = g.indices(cell);
      for (int a = 0; a < 3; ++a) at[a] = std::min(at[a] + (k >> a & 1), g.sizes()[a] - 1);
      corners.push_back(g.index(at));
    }
  }
  std::ranges::sort(corners);
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  constexpr double cost = 4000; // ns for a corner
  execution::RoundPool pool(chooseThreads(threads, cost * double(corners.size())));
  std::vector<double> times(corners.size(), infinity);
  pool.forEach(std::int64_t(corners.size()), [&](std::int64_t i) {
    const std::int64_t corner = corners[std::size_t(i)];
    if (!isBarrier(problem, corner)) times[std::size_t(i)] = nearestTo(corner).time;
  });
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (times[i] < infinity) points.push_back({corners[i], problem.seeds[0].startValue + times[i], 0});
  return points;
}

Position SurfaceStarts::footOf(std::int64_t corner) const {
  Position at = nearestTo(corner).at;
  for (int a = 0; a < 3; ++a) at[a] -= double(problem.part.first[a]) * problem.grid.spacing()[a];
  return at;
}

Position SurfaceStarts::positionOf(std::int64_t point) const {
  Position p;
  for (int a = 0; a < 3; ++a)
    p[a] = double(problem.grid.indices(point)[a] + problem.part.first[a]) * problem.grid.spacing()[a];
  return p;
}

/// Searches the cells of the corner. Then the time to the nearest piece bounds how far a nearer one can be.
SurfaceStarts::Nearest SurfaceStarts::nearestTo(std::int64_t corner) const {
  const Grid& g = problem.grid;
  const GridIndex at = g.indices(corner);
  const grid::Symmetric3 metric = metricOf(problem, corner), inverse = grid::inverse(metric);
  Nearest nearest;
  GridIndex low = at, high = at;
  for (int a = 0; a < 3; ++a) --low[a];
  search(corner, metric, low, high, nearest);
  if (nearest.length == infinity) return nearest; // behind barriers
  for (int a = 0; a < 3; ++a) {
    const auto cells =
        std::int64_t(std::min(nearest.length * std::sqrt(inverse[a]) / g.spacing()[a], 1e9)) + 1;
    low[a] = at[a] - cells, high[a] = at[a] + cells - 1;
  }
  search(corner, metric, low, high, nearest);
  return nearest;
}

/// Lowers the time to that of the pieces in sight in some cells.
void SurfaceStarts::search(std::int64_t corner, const grid::Symmetric3& metric, const GridIndex& low,
                           const GridIndex& high, Nearest& nearest) const {
  const Grid& g = problem.grid;
  const surface::Surface& surface = *problem.seedSurface;
  const Position at = positionOf(corner);
  GridIndex first, last;
  for (int a = 0; a < 3; ++a) {
    first[a] = std::max<std::int64_t>(low[a], 0);
    last[a] = std::min(high[a], std::max<std::int64_t>(g.sizes()[a] - 2, 0));
  }
  for (std::int64_t k = first[2]; k <= last[2]; ++k)
    for (std::int64_t j = first[1]; j <= last[1]; ++j) {
      const auto begin = std::ranges::lower_bound(surface.cells, g.index(first[0], j, k));
      for (auto cell = begin; cell != surface.cells.end() && *cell <= g.index(last[0], j, k); ++cell) {
        const surface::Piece& piece = surface.pieces[std::size_t(cell - surface.cells.begin())];
        surface::Piece stretchedPiece;
        for (std::size_t c = 0; c < 3; ++c)
          stretchedPiece[c] = stretched(metric, grid::difference(piece[c], at));
        const surface::Foot foot = surface::footOn(stretchedPiece, {0, 0, 0});
        if (!(foot.distance < nearest.length)) continue;
        Position world{};
        GridCoordinates from, to = gridCoordinates(g.indices(corner));
        for (int a = 0; a < 3; ++a) {
          for (std::size_t c = 0; c < 3; ++c) world[a] += foot.weights[c] * piece[c][a];
          from[a] = std::clamp(world[a] / g.spacing()[a] - double(problem.part.first[a]), 0.,
                               double(g.sizes()[a] - 1));
        }
        if (!isClear(problem, from, to)) continue;
        nearest = {world, foot.distance, timeAlong(problem, corner, grid::difference(at, world))};
      }
    }
}

} // namespace isochrone::image
