#include "ImageTravelTime/Scheme/Tiling.h"

#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Scheme/TileData.h"

#include <algorithm>
#include <numeric>

namespace isochrone::image {

namespace {

/// Returns the number of points of the first tile before the first point of a periodic axis, so that the
/// first and the last tile have as many points. At least 1, for the layer of the margin.
std::int64_t beforeRing(std::int64_t points, std::int64_t tile, Tiling::Ring ring) {
  std::int64_t vacant = (points + tile - 1) / tile * tile - points;
  const bool odd = (points + vacant) / tile % 2 == 1;
  if (ring == Tiling::Ring::Even && odd && vacant + tile <= 2 * tile - 2) vacant += tile; // none is empty
  return vacant < 2 ? tile : vacant / 2;
}

} // namespace

std::array<int, 3> tileShape(const Grid& grid) {
  if (grid.nz == 1) return {PlaneTile::nx, PlaneTile::ny, PlaneTile::nz};
  return {SpaceTile::nx, SpaceTile::ny, SpaceTile::nz};
}

Tiling::Tiling(const Problem& problem, const std::array<int, 3>& shapeOfTile, Ring ring)
    : shape(shapeOfTile) {
  const grid::GridPart& part = problem.part;
  covered = {{0, 0, 0}, problem.grid.sizes()};
  if (part.isDivided() && !hasTensors(problem)) covered = grid::grown(part.own, 1, problem.grid.sizes());
  for (int a = 0; a < 3; ++a) {
    const std::int64_t before = (part.first[a] + covered.low[a]) % shape[a]; // aligned with the whole image
    first[a] = covered.low[a] - before;
    if (part.periodic && !hasTensors(problem) && covered.low[a] < part.own.low[a])
      first[a] = part.own.low[a] - beforeRing(part.own.size(a), shape[a], ring);
    number[a] = int((covered.high[a] - first[a] + shape[a] - 1) / shape[a]);
  }
  covered.low = first;
}

grid::Box Tiling::boxOf(int tile) const {
  const int at[3] = {tile % number[0], tile / number[0] % number[1], tile / (number[0] * number[1])};
  grid::Box box;
  for (int a = 0; a < 3; ++a) {
    box.low[a] = first[a] + std::int64_t(at[a]) * shape[a];
    box.high[a] = box.low[a] + shape[a];
  }
  return box;
}

void countUpdates(const Problem& problem, const Tiling& tiling, std::span<const std::int32_t> perTile,
                  const Options& options, execution::RoundPool& pool, Result& result) {
  const Grid& grid = problem.grid;
  const grid::Box own = grid::ownPoints(grid, problem.part);
  const std::int64_t sum = std::accumulate(perTile.begin(), perTile.end(), std::int64_t(0));
  const std::array<int, 3>& shape = tiling.shape;
  result.updatesPerPoint =
      double(sum) * shape[0] * shape[1] * shape[2] / double(std::max<std::int64_t>(own.points(), 1));
  if (!options.updateCounts) return;
  result.updates.resize(grid.points());
  pool.forEach(own.size(2), [&](std::int64_t layer) {
    const std::int64_t k = own.low[2] + layer;
    for (std::int64_t j = own.low[1]; j < own.high[1]; ++j) {
      const std::int64_t row = grid.index(0, j, k);
      for (std::int64_t i = own.low[0]; i < own.high[0]; ++i)
        result.updates[row + i] = perTile[tiling.tileOf({i, j, k})];
    }
  });
  grid::fillMargin<std::int32_t>(grid, problem.part, result.updates);
}

} // namespace isochrone::image
