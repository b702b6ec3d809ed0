#include "ImageTravelTime/Scheme/UpdateCounts.h"

#include <numeric>

namespace isochrone::image {

void countUpdates(const Grid& grid, std::span<const std::int32_t> perTile, const std::array<int, 3>& shape,
                  const Options& options, Result& result) {
  const std::int64_t sum = std::accumulate(perTile.begin(), perTile.end(), std::int64_t(0));
  result.updatesPerPoint = double(sum) * shape[0] * shape[1] * shape[2] / double(grid.points());
  if (!options.updateCounts) return;
  result.updates.resize(grid.points());
  const std::int64_t tilesX = (grid.nx + shape[0] - 1) / shape[0],
                     tilesY = (grid.ny + shape[1] - 1) / shape[1];
#pragma omp parallel for schedule(static) num_threads(chooseThreads(options.threads))
  for (std::int64_t row = 0; row < grid.ny * grid.nz; ++row) {
    const std::int64_t j = row % grid.ny, k = row / grid.ny;
    const std::int32_t* tiles = &perTile[tilesX * (j / shape[1] + tilesY * (k / shape[2]))];
    for (std::int64_t i = 0; i < grid.nx; ++i) result.updates[grid.index(i, j, k)] = tiles[i / shape[0]];
  }
}

} // namespace isochrone::image
