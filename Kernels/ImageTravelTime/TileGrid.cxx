#include "ImageTravelTime/TileGrid.h"

#include "Backend.h"
#include "ImageTravelTime/SolverUnits.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace isochrone::image {

namespace {

std::array<int, 3> shapeFor(const Grid& grid) {
  using Plane = TileShape<2>;
  using Space = TileShape<3>;
  if (grid.nz == 1) return {Plane::nx, Plane::ny, Plane::nz};
  return {Space::nx, Space::ny, Space::nz};
}

std::array<int, 3> tilesOf(const Grid& grid) {
  const auto shape = shapeFor(grid);
  const auto along = [](std::int64_t n, int size) { return int((n + size - 1) / size); };
  return {along(grid.nx, shape[0]), along(grid.ny, shape[1]), along(grid.nz, shape[2])};
}

} // namespace

void TileGrid::Free::operator()(float* p) const { std::free(p); }

TileGrid::Memory TileGrid::allocate(std::size_t floats) {
  // Large arrays on large pages: the first touch of small ones takes a sixth of the time of 256^3 points.
  constexpr std::size_t cacheLine = 64, largePage = std::size_t(1) << 21;
  const std::size_t bytes = floats * sizeof(float);
  const std::size_t page = bytes >= 4 * largePage ? largePage : cacheLine;
  const std::size_t whole = (bytes + page - 1) / page * page;
  auto* memory = static_cast<float*>(std::aligned_alloc(page, whole));
  if (!memory) throw std::bad_alloc();
#ifdef __linux__
  if (page == largePage) madvise(memory, whole, MADV_HUGEPAGE); // a wish: without it all works
#endif
  return Memory(memory);
}

std::size_t TileGrid::bytesNeeded(const Grid& grid) {
  const auto shape = shapeFor(grid);
  double nodes = 1; // of all tiles
  const std::int64_t size[3] = {grid.nx, grid.ny, grid.nz};
  for (int a = 0; a < 3; ++a) nodes *= std::ceil(double(size[a]) / shape[a]) * shape[a];
  const double bytes = (nodes + shape[0] * shape[1] * shape[2]) * 2 * sizeof(float);
  return bytes < 9e18 ? std::size_t(bytes) : std::numeric_limits<std::size_t>::max();
}

TileGrid::TileGrid(const Problem& problem, int threads) : grid(problem.grid), shape(shapeFor(problem.grid)) {
  const Grid& g = grid;
  requireHostMemory(bytesNeeded(g), "the travel times of " + std::to_string(g.nx) + " x " +
                                        std::to_string(g.ny) + " x " + std::to_string(g.nz) + " points");
  tiles = tilesOf(g);
  count = tiles[0] * tiles[1] * tiles[2]; // fits: that many tiles would take terabytes
  nodes = shape[0] * shape[1] * shape[2];
  values = allocate(std::size_t(count + 1) * nodes);
  slownesses = allocate(std::size_t(count + 1) * nodes);
  fill(problem, threads);
}

TileField TileGrid::field() const {
  const auto weight = [&](double h) { return float(step * step / (h * h)); };
  const auto length = [&](double h) { return float(h / step); };
  return {values.get(),
          slownesses.get(),
          {weight(grid.hx), weight(grid.hy), weight(grid.hz)},
          {length(grid.hx), length(grid.hy), length(grid.hz)},
          grid.hx == step && grid.hy == step && (grid.nz == 1 || grid.hz == step)};
}

std::int64_t TileGrid::at(std::int64_t i, std::int64_t j, std::int64_t k) const {
  const std::int64_t inside = i % shape[0] + shape[0] * (j % shape[1] + shape[1] * (k % shape[2]));
  return std::int64_t(tileOf(i, j, k)) * nodes + inside;
}

Position TileGrid::firstNode(int tile) const {
  const std::int64_t x = tile % tiles[0], y = tile / tiles[0] % tiles[1], z = tile / (tiles[0] * tiles[1]);
  return {double(x * shape[0]) * grid.hx, double(y * shape[1]) * grid.hy, double(z * shape[2]) * grid.hz};
}

Position TileGrid::tileSize() const {
  return {(shape[0] - 1) * grid.hx, (shape[1] - 1) * grid.hy, (shape[2] - 1) * grid.hz};
}

int TileGrid::tileOf(std::int64_t i, std::int64_t j, std::int64_t k) const {
  return int(i / shape[0] + tiles[0] * (j / shape[1] + tiles[1] * (k / shape[2])));
}

/// Visits the rows of all tiles: f(first node in tile memory, i, j, k), one thread a layer of tiles.
template <class F>
static void forEachTileRow(const std::array<int, 3>& tiles, const std::array<int, 3>& shape, int threads,
                           F&& f) {
  const int nodes = shape[0] * shape[1] * shape[2], layers = tiles[1] * tiles[2];
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int layer = 0; layer < layers; ++layer)
    for (int x = 0; x < tiles[0]; ++x)
      for (int row = 0; row < shape[1] * shape[2]; ++row) {
        const std::int64_t j = std::int64_t(layer % tiles[1]) * shape[1] + row % shape[1],
                           k = std::int64_t(layer / tiles[1]) * shape[2] + row / shape[1];
        f((std::int64_t(layer) * tiles[0] + x) * nodes + row * shape[0], std::int64_t(x) * shape[0], j, k);
      }
}

void TileGrid::fill(const Problem& problem, int threads) {
  const SolverUnits units(problem, threads);
  const SquaredSlowness squared = units.squaredSlowness;
  step = units.length, unit = units.time, largestSpeed = units.largestSpeed;
  const float constant = squared(float(problem.constantSpeed));
  forEachTileRow(tiles, shape, threads,
                 [&](std::int64_t node, std::int64_t i, std::int64_t j, std::int64_t k) {
                   float *u = values.get() + node, *s = slownesses.get() + node;
                   std::fill(u, u + shape[0], unreached);
                   std::fill(s, s + shape[0], infinite);
                   if (j >= grid.ny || k >= grid.nz) return;
                   const int inside = int(std::min<std::int64_t>(shape[0], grid.nx - i));
                   const std::int64_t first = grid.index(i, j, k);
                   if (problem.speed.empty())
                     std::fill(s, s + inside, constant);
                   else
                     for (int n = 0; n < inside; ++n) s[n] = squared(problem.speed[first + n]);
                   if (!problem.barriers.empty())
                     for (int n = 0; n < inside; ++n) s[n] = problem.barriers[first + n] ? infinite : s[n];
                 });
  std::fill_n(values.get() + std::int64_t(count) * nodes, nodes, unreached);
  std::fill_n(slownesses.get() + std::int64_t(count) * nodes, nodes, infinite);
}

void TileGrid::writeTo(std::span<float> travelTime, double offset, float latest, int threads) const {
  const float add = float(offset), factor = float(unit);
  forEachTileRow(tiles, shape, threads,
                 [&](std::int64_t node, std::int64_t i, std::int64_t j, std::int64_t k) {
                   if (j >= grid.ny || k >= grid.nz) return;
                   const int inside = int(std::min<std::int64_t>(shape[0], grid.nx - i));
                   const float* u = values.get() + node;
                   float* out = travelTime.data() + grid.index(i, j, k);
                   for (int n = 0; n < inside; ++n)
                     out[n] = u[n] < unreached && u[n] <= latest ? add + factor * u[n] : infinite;
                 });
}

std::size_t TileGrid::bytes() const { return bytesNeeded(grid); }

} // namespace isochrone::image
