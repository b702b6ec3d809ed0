#include "ImageTravelTime/Scheme/Tiling.h"

#include <numeric>

namespace isochrone::image {

std::array<int, 3> tilesOf(const Grid& grid, const std::array<int, 3>& shape) {
  const GridIndex size = grid.sizes();
  std::array<int, 3> tiles;
  for (int a = 0; a < 3; ++a) tiles[a] = int((size[a] + shape[a] - 1) / shape[a]);
  return tiles;
}

void countUpdates(const Grid& grid, std::span<const std::int32_t> perTile, const std::array<int, 3>& shape,
                  const Options& options, Result& result) {
  const std::int64_t sum = std::accumulate(perTile.begin(), perTile.end(), std::int64_t(0));
  result.updatesPerPoint = double(sum) * shape[0] * shape[1] * shape[2] / double(grid.points());
  if (!options.updateCounts) return;
  result.updates.resize(grid.points());
  const std::array<int, 3> number = tilesOf(grid, shape);
#pragma omp parallel for schedule(static) num_threads(chooseThreads(options.threads))
  for (std::int64_t row = 0; row < grid.ny * grid.nz; ++row) {
    const std::int64_t j = row % grid.ny, k = row / grid.ny;
    const std::int32_t* tiles = &perTile[number[0] * (j / shape[1] + number[1] * (k / shape[2]))];
    for (std::int64_t i = 0; i < grid.nx; ++i) result.updates[grid.index(i, j, k)] = tiles[i / shape[0]];
  }
}

} // namespace isochrone::image
