#include "ImageTravelTime/Host/TileGrid.h"

#include "Bytes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

std::array<int, 3> shapeFor(const Grid& grid) {
  if (grid.nz == 1) return {PlaneTile::nx, PlaneTile::ny, PlaneTile::nz};
  return {SpaceTile::nx, SpaceTile::ny, SpaceTile::nz};
}

} // namespace

std::size_t TileGrid::bytesNeeded(const Problem& problem) {
  const auto shape = shapeFor(problem.grid);
  double tiles = 1;
  for (int a = 0; a < 3; ++a) {
    // The tiles of a part are not aligned with it, and cover a layer of neighbours.
    const double size = problem.part.isDivided() ? double(problem.part.own.size(a) + 1 + shape[a])
                                                 : double(problem.grid.sizes()[a]);
    tiles *= std::ceil(size / shape[a]);
  }
  const double perTile = 2. * shape[1] * shape[2] * (shape[0] + 1); // values, slownesses and sides
  const double bytes = (tiles + 1) * perTile * sizeof(float);
  return bytes < 9e18 ? std::size_t(bytes) : std::numeric_limits<std::size_t>::max();
}

TileGrid::TileGrid(const SolverInput& input)
    : tiling(input.problem, shapeFor(input.problem.grid)), count(tiling.count()),
      units(input.problem, input.speed), grid(input.problem.grid),
      own(grid::ownPoints(input.problem.grid, input.problem.part)) {
  const auto& shape = tiling.shape;
  nodes = shape[0] * shape[1] * shape[2];
  values.resize(std::size_t(count + 1) * nodes);
  slownesses.resize(std::size_t(count + 1) * nodes);
  sides.assign(std::size_t(count + 1) * 2 * shape[1] * shape[2], unreached);
  fill(input.problem, input.pool);
}

std::int64_t TileGrid::node(const GridIndex& point) const {
  const auto [i, j, k] = tiling.fromFirst(point);
  const auto& shape = tiling.shape;
  const std::int64_t inside = i % shape[0] + shape[0] * (j % shape[1] + shape[1] * (k % shape[2]));
  return std::int64_t(tiling.tileOf(point)) * nodes + inside;
}

void TileGrid::lower(const GridIndex& point, float time) {
  float& u = values[node(point)];
  u = std::min(u, time);
  const auto [i, j, k] = tiling.fromFirst(point);
  const auto& shape = tiling.shape;
  const std::int64_t side = shape[1] * shape[2], x = i % shape[0];
  float* low = &sides[2 * side * tiling.tileOf(point) + j % shape[1] + shape[1] * (k % shape[2])];
  if (x == 0) low[0] = u;
  if (x == shape[0] - 1) low[side] = u;
}

bool TileGrid::isOwn(int tile) const { return !grid::common(own, tiling.boxOf(tile)).empty(); }

/// Calls f(first node of the row in its first tile, j, k) for every row of the tiles. One thread visits the
/// rows that cross the same tiles, one after the other.
template <class F>
static void forEachRow(const Tiling& tiling, execution::RoundPool& pool, F&& f) {
  const auto& tiles = tiling.number;
  const auto& shape = tiling.shape;
  const std::int64_t nodes = shape[0] * shape[1] * shape[2], layers = std::int64_t(tiles[1]) * tiles[2];
  pool.forEach(layers, [&](std::int64_t layer) {
    for (int row = 0; row < shape[1] * shape[2]; ++row) {
      const std::int64_t j = tiling.first[1] + layer % tiles[1] * shape[1] + row % shape[1],
                         k = tiling.first[2] + layer / tiles[1] * shape[2] + row / shape[1];
      f(layer * tiles[0] * nodes + row * shape[0], j, k);
    }
  });
}

void TileGrid::fill(const Problem& problem, execution::RoundPool& pool) {
  const SquaredSlowness squared = units.squaredSlowness;
  const float constant = squared(float(problem.constantSpeed));
  const int width = tiling.shape[0];
  forEachRow(tiling, pool, [&](std::int64_t node, std::int64_t j, std::int64_t k) {
    const bool inside = j >= own.low[1] && j < own.high[1] && k >= own.low[2] && k < own.high[2];
    const std::int64_t row = inside ? grid.index(0, j, k) : 0;
    std::int64_t i = tiling.first[0];
    for (int tile = 0; tile < tiling.number[0]; ++tile, i += width, node += nodes) {
      float *u = values.data() + node, *s = slownesses.data() + node;
      std::fill_n(u, width, unreached);
      // The own points of this row of the tile.
      const int begin = int(std::clamp<std::int64_t>(own.low[0] - i, 0, width));
      const int end = inside ? int(std::clamp<std::int64_t>(own.high[0] - i, begin, width)) : begin;
      std::fill_n(s, begin, infinite);
      if (problem.speed.empty())
        std::fill(s + begin, s + end, constant);
      else
        for (int m = begin; m < end; ++m) s[m] = squared(problem.speed[row + i + m]);
      if (!problem.barriers.empty())
        for (int m = begin; m < end; ++m) s[m] = problem.barriers[row + i + m] ? infinite : s[m];
      std::fill(s + end, s + width, infinite);
    }
  });
  std::fill_n(values.data() + std::int64_t(count) * nodes, nodes, unreached);
  std::fill_n(slownesses.data() + std::int64_t(count) * nodes, nodes, infinite);
}

Values<float> TileGrid::takeTimes(double offset, float latest, execution::RoundPool& pool) {
  Values<float> times = std::move(slownesses);
  times.resize(grid.points());
  if (own.points() < grid.points()) std::fill(times.begin(), times.end(), infinite);
  const float add = float(offset), factor = float(units.time);
  const int width = tiling.shape[0];
  forEachRow(tiling, pool, [&](std::int64_t node, std::int64_t j, std::int64_t k) {
    if (j < own.low[1] || j >= own.high[1] || k < own.low[2] || k >= own.high[2]) return;
    float* row = times.data() + grid.index(0, j, k);
    for (std::int64_t i = tiling.first[0]; i < own.high[0]; i += width, node += nodes) {
      const float* u = values.data() + node;
      const int end = int(std::min<std::int64_t>(width, own.high[0] - i));
      for (int m = int(std::max<std::int64_t>(own.low[0] - i, 0)); m < end; ++m)
        row[i + m] = u[m] < unreached && u[m] <= latest ? add + factor * u[m] : infinite;
    }
  });
  return times;
}

std::size_t TileGrid::bytes() const { return bytesOf(values, sides); }

} // namespace isochrone::image
