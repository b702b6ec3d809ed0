#include "ImageTravelTime/Host/TileGrid.h"

#include "ImageTravelTime/Scheme/Tiling.h"

#include <algorithm>
#include <limits>

namespace isochrone::image {

namespace {

std::array<int, 3> shapeFor(const Grid& grid) {
  if (grid.nz == 1) return {PlaneTile::nx, PlaneTile::ny, PlaneTile::nz};
  return {SpaceTile::nx, SpaceTile::ny, SpaceTile::nz};
}

} // namespace

std::size_t TileGrid::bytesNeeded(const Grid& grid) {
  const auto shape = shapeFor(grid);
  double tiles = 1;
  const GridIndex size = grid.sizes();
  for (int a = 0; a < 3; ++a) tiles *= std::ceil(double(size[a]) / shape[a]);
  const double perTile = 2. * shape[1] * shape[2] * (shape[0] + 1); // values, slownesses and sides
  const double bytes = (tiles + 1) * perTile * sizeof(float);
  return bytes < 9e18 ? std::size_t(bytes) : std::numeric_limits<std::size_t>::max();
}

TileGrid::TileGrid(const SolverInput& input)
    : units(input.problem, input.speed), grid(input.problem.grid), tileShape(shapeFor(grid)) {
  tiles = tilesOf(grid, tileShape);
  count = tiles[0] * tiles[1] * tiles[2]; // cannot overflow: 2^31 tiles would take terabytes
  nodes = tileShape[0] * tileShape[1] * tileShape[2];
  values.resize(std::size_t(count + 1) * nodes);
  slownesses.resize(std::size_t(count + 1) * nodes);
  sides.assign(std::size_t(count + 1) * 2 * tileShape[1] * tileShape[2], unreached);
  fill(input.problem, input.threads);
}

std::int64_t TileGrid::node(const GridIndex& point) const {
  const auto [i, j, k] = point;
  const std::int64_t inside =
      i % tileShape[0] + tileShape[0] * (j % tileShape[1] + tileShape[1] * (k % tileShape[2]));
  return std::int64_t(tileOf(point)) * nodes + inside;
}

void TileGrid::lower(const GridIndex& point, float time) {
  float& u = values[node(point)];
  u = std::min(u, time);
  const auto [i, j, k] = point;
  const std::int64_t side = tileShape[1] * tileShape[2], x = i % tileShape[0];
  float* low = &sides[2 * side * tileOf(point) + j % tileShape[1] + tileShape[1] * (k % tileShape[2])];
  if (x == 0) low[0] = u;
  if (x == tileShape[0] - 1) low[side] = u;
}

int TileGrid::tileOf(const GridIndex& point) const {
  const auto [i, j, k] = point;
  return int(i / tileShape[0] + tiles[0] * (j / tileShape[1] + tiles[1] * (k / tileShape[2])));
}

/// Calls f(first node of the row in its first tile, j, k) for every row of the image. One thread visits the
/// rows that cross the same tiles, one after the other.
template <class F>
static void forEachRow(const std::array<int, 3>& tiles, const std::array<int, 3>& shape, int threads, F&& f) {
  const std::int64_t nodes = shape[0] * shape[1] * shape[2], layers = tiles[1] * tiles[2];
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t layer = 0; layer < layers; ++layer)
    for (int row = 0; row < shape[1] * shape[2]; ++row) {
      const std::int64_t j = layer % tiles[1] * shape[1] + row % shape[1],
                         k = layer / tiles[1] * shape[2] + row / shape[1];
      f(layer * tiles[0] * nodes + row * shape[0], j, k);
    }
}

void TileGrid::fill(const Problem& problem, int threads) {
  const SquaredSlowness squared = units.squaredSlowness;
  const float constant = squared(float(problem.constantSpeed));
  forEachRow(tiles, tileShape, threads, [&](std::int64_t node, std::int64_t j, std::int64_t k) {
    const bool inside = j < grid.ny && k < grid.nz;
    const std::int64_t first = inside ? grid.index(0, j, k) : 0;
    for (std::int64_t i = 0; i < std::int64_t(tiles[0]) * tileShape[0]; i += tileShape[0], node += nodes) {
      float *u = values.data() + node, *s = slownesses.data() + node;
      std::fill_n(u, tileShape[0], unreached);
      const int n = inside ? int(std::min<std::int64_t>(tileShape[0], grid.nx - i)) : 0;
      if (problem.speed.empty())
        std::fill_n(s, n, constant);
      else
        for (int m = 0; m < n; ++m) s[m] = squared(problem.speed[first + i + m]);
      if (!problem.barriers.empty())
        for (int m = 0; m < n; ++m) s[m] = problem.barriers[first + i + m] ? infinite : s[m];
      std::fill(s + n, s + tileShape[0], infinite);
    }
  });
  std::fill_n(values.data() + std::int64_t(count) * nodes, nodes, unreached);
  std::fill_n(slownesses.data() + std::int64_t(count) * nodes, nodes, infinite);
}

Values<float> TileGrid::takeTimes(double offset, float latest, int threads) {
  Values<float> times = std::move(slownesses);
  times.resize(grid.points());
  const float add = float(offset), factor = float(units.time);
  forEachRow(tiles, tileShape, threads, [&](std::int64_t node, std::int64_t j, std::int64_t k) {
    if (j >= grid.ny || k >= grid.nz) return;
    float* row = times.data() + grid.index(0, j, k);
    for (std::int64_t i = 0; i < grid.nx; i += tileShape[0], node += nodes) {
      const float* u = values.data() + node;
      const int n = int(std::min<std::int64_t>(tileShape[0], grid.nx - i));
      for (int m = 0; m < n; ++m)
        row[i + m] = u[m] < unreached && u[m] <= latest ? add + factor * u[m] : infinite;
    }
  });
  return times;
}

std::size_t TileGrid::bytes() const { return bytesNeeded(grid) - grid.points() * sizeof(float); }

} // namespace isochrone::image
