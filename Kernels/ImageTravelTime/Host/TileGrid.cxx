#include "ImageTravelTime/Host/TileGrid.h"

#include "Bytes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

std::size_t TileGrid::bytesNeeded(const Problem& problem) {
  const auto shape = tileShape(problem.grid);
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
    : tiling(input.problem, tileShape(input.problem.grid)), count(tiling.count()),
      units(input.problem, input.speed), grid(input.problem.grid),
      own(grid::ownPoints(input.problem.grid, input.problem.part)) {
  const auto& shape = tiling.shape;
  nodes = shape[0] * shape[1] * shape[2];
  values.resize(std::size_t(count + 1) * nodes);
  slownesses.resize(std::size_t(count + 1) * nodes);
  sides.resize(std::size_t(count + 1) * 2 * shape[1] * shape[2]);
  if (grid.nz == 1)
    fill<PlaneTile::nx>(input.problem, input.pool);
  else
    fill<SpaceTile::nx>(input.problem, input.pool);
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

/// Calls f(tile, row, point) for every row of every tile, with its first point. One thread visits the tiles
/// of a row along x, one after the other.
template <class F>
static void forEachRow(const Tiling& tiling, execution::RoundPool& pool, F&& f) {
  const std::int64_t nx = tiling.number[0], ny = tiling.number[1];
  const auto& shape = tiling.shape;
  pool.forEach(ny * tiling.number[2], [&](std::int64_t line) {
    const GridIndex first{tiling.first[0], tiling.first[1] + line % ny * shape[1],
                          tiling.first[2] + line / ny * shape[2]};
    for (std::int64_t tile = line * nx; tile < (line + 1) * nx; ++tile)
      for (int row = 0; row < shape[1] * shape[2]; ++row)
        f(tile, row,
          GridIndex{first[0] + (tile - line * nx) * shape[0], first[1] + row % shape[1],
                    first[2] + row / shape[1]});
  });
}

/// Points beyond the present one that are prefetched in a row of the image: the rows of a tile lie too far
/// apart for the hardware. A tenth of the time of a solve at constant speed.
static constexpr int prefetched = 32;

template <int width>
void TileGrid::fill(const Problem& problem, execution::RoundPool& pool) {
  const SquaredSlowness squared = units.squaredSlowness;
  const float constant = squared(float(problem.constantSpeed));
  const std::int64_t rows = nodes / width;
  forEachRow(tiling, pool, [&](std::int64_t tile, int row, const GridIndex& first) {
    const auto [i, j, k] = first;
    float *u = values.data() + (tile * rows + row) * width, *s = slownesses.data() + (u - values.data());
    std::fill_n(u, width, unreached);
    sides[std::size_t(2 * tile * rows + row)] = sides[std::size_t((2 * tile + 1) * rows + row)] = unreached;
    const bool inside = j >= own.low[1] && j < own.high[1] && k >= own.low[2] && k < own.high[2];
    // The own points of this row of the tile.
    const int begin = int(std::clamp<std::int64_t>(own.low[0] - i, 0, width));
    const int end = inside ? int(std::clamp<std::int64_t>(own.high[0] - i, begin, width)) : begin;
    const std::int64_t at = inside ? grid.index(i, j, k) : 0;
    const float* speed = problem.speed.empty() ? nullptr : problem.speed.data() + at;
    if (speed) __builtin_prefetch(speed + prefetched);
    if (speed && begin == 0 && end == width) {
      for (int m = 0; m < width; ++m) s[m] = squared(speed[m]);
    } else {
      std::fill_n(s, begin, infinite);
      for (int m = begin; m < end; ++m) s[m] = speed ? squared(speed[m]) : constant;
      std::fill(s + end, s + width, infinite);
    }
    if (!problem.barriers.empty())
      for (int m = begin; m < end; ++m) s[m] = problem.barriers[std::size_t(at + m)] ? infinite : s[m];
  });
  const std::int64_t border = std::int64_t(count) * nodes;
  std::fill_n(values.data() + border, nodes, unreached);
  std::fill_n(slownesses.data() + border, nodes, infinite);
  std::fill(sides.begin() + 2 * std::int64_t(count) * rows, sides.end(), unreached);
}

template <int width>
void TileGrid::copyTimes(double offset, float latest, execution::RoundPool& pool, Values<float>& times) {
  const float add = float(offset), factor = float(units.time);
  const std::int64_t rows = nodes / width;
  const auto timeOf = [=](float u) { return (u < unreached) & (u <= latest) ? add + factor * u : infinite; };
  forEachRow(tiling, pool, [&](std::int64_t tile, int row, const GridIndex& first) {
    const auto [i, j, k] = first;
    if (j < own.low[1] || j >= own.high[1] || k < own.low[2] || k >= own.high[2]) return;
    const float* u = values.data() + (tile * rows + row) * width;
    float* to = times.data() + grid.index(i, j, k);
    const int begin = int(std::clamp<std::int64_t>(own.low[0] - i, 0, width)),
              end = int(std::clamp<std::int64_t>(own.high[0] - i, begin, width));
    __builtin_prefetch(to + prefetched, 1);
    if (begin == 0 && end == width)
      for (int m = 0; m < width; ++m) to[m] = timeOf(u[m]);
    else
      for (int m = begin; m < end; ++m) to[m] = timeOf(u[m]);
  });
}

Values<float> TileGrid::takeTimes(double offset, float latest, execution::RoundPool& pool) {
  Values<float> times = std::move(slownesses);
  times.resize(grid.points());
  if (own.points() < grid.points()) std::fill(times.begin(), times.end(), infinite);
  if (grid.nz == 1)
    copyTimes<PlaneTile::nx>(offset, latest, pool, times);
  else
    copyTimes<SpaceTile::nx>(offset, latest, pool, times);
  return times;
}

std::size_t TileGrid::bytes() const { return bytesOf(values, sides); }

} // namespace isochrone::image
