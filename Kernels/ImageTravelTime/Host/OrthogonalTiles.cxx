#include "ImageTravelTime/Host/OrthogonalTiles.h"

#include "Bytes.h"
#include "ImageTravelTime/Seeds/OpenPlaces.h"

#include <algorithm>

namespace isochrone::image {

OrthogonalTiles::OrthogonalTiles(const SolverInput& input, const TileGrid& tiles)
    : grid(*input.problem.orthogonal), tiling(tiles.tiling), axes(grid, tiles.units.length),
      seeds(input, tiles.units, axes, tiling), batches(std::size_t(input.pool.size())) {
  listPlaces(input.problem);
}

void OrthogonalTiles::listPlaces(const Problem& problem) {
  for (const std::vector<GridIndex>& place : openPlaces(problem)) {
    const auto number = std::int32_t(placeEnds.size());
    if (placesOfTile.empty()) placesOfTile.resize(std::size_t(tiling.count()));
    for (const GridIndex& p : place) {
      std::vector<std::int32_t>& list = placesOfTile[std::size_t(tiling.tileOf(p))];
      if (list.empty() || list.back() != number) list.push_back(number);
    }
    placePoints.insert(placePoints.end(), place.begin(), place.end());
    placeEnds.push_back(placePoints.size());
  }
  listed.assign(placeEnds.size(), 0);
}

std::span<const std::int32_t> OrthogonalTiles::placesIn(std::span<const std::int32_t> round) {
  found.clear();
  if (placesOfTile.empty()) return found;
  for (const std::int32_t tile : round)
    for (const std::int32_t place : placesOfTile[std::size_t(tile)])
      if (!listed[std::size_t(place)]) listed[std::size_t(place)] = 1, found.push_back(place);
  for (const std::int32_t place : found) listed[std::size_t(place)] = 0;
  return found;
}

/// Returns the tile of a lane. Lanes without one, which change nothing, read the terms of the first.
static int tileOf(const TileBatch& batch, int lane) { return batch.tile[lane < batch.count ? lane : 0]; }

/// Calls f(lane, axis, index in the tile, index in the grid) for the indices of the tiles of a batch. Indices
/// beyond the grid stand for the last one.
template <class F>
static void forEachIndex(const TileBatch& batch, const Tiling& tiling, const grid::OrthogonalGrid& grid,
                         F&& f) {
  for (int lane = 0; lane < batchTiles; ++lane) {
    const GridIndex first = tiling.boxOf(tileOf(batch, lane)).low;
    for (int a = 0; a < 3; ++a)
      for (int n = 0; n < tiling.shape[std::size_t(a)]; ++n)
        f(lane, a, n, std::min(first[std::size_t(a)] + n, grid.size(a) - 1));
  }
}

void OrthogonalTiles::fillAxes(const TileBatch& batch, OrthogonalBatch& all) const {
  all.curved = axes.isCurved();
  std::ranges::copy(axes.axisOf(), all.axis);
  forEachIndex(batch, tiling, grid, [&](int lane, int a, int n, std::int64_t index) {
    const AxisSteps<execution::Scalar>& steps = axes[a].steps[std::size_t(index)];
    AxisOfTiles& edge = all.edges[a];
    for (int up = 0; up < 2; ++up) edge.inverse[up][n][lane] = steps.inverse[up];
    if (all.curved) edge.inverseFactor[n][lane] = steps.inverseFactor;
  });
}

void OrthogonalTiles::fillSeeds(const TileBatch& batch, OrthogonalBatch& all) const {
  forEachIndex(batch, tiling, grid, [&](int lane, int a, int n, std::int64_t index) {
    const AxisShape<execution::Scalar>& shape = axes[a].shape[std::size_t(index)];
    const AxisFromSeed<execution::Scalar> from = seeds.fromSeed(tileOf(batch, lane), a, index);
    AxisOfTiles& edge = all.edges[a];
    edge.away[n][lane] = from.away;
    for (int up = 0; up < 2; ++up) edge.step[up][n][lane] = shape.step[up];
    if (!all.curved) return;
    edge.value[n][lane] = shape.value, edge.cosine[n][lane] = shape.cosine;
    edge.awayVersine[n][lane] = from.versine, edge.halfStep[n][lane] = shape.halfStep;
    for (int up = 0; up < 2; ++up)
      edge.lack[up][n][lane] = shape.lack[up], edge.versine[up][n][lane] = shape.versine[up];
  });
  for (int lane = 0; lane < batchTiles; ++lane) {
    const OrthogonalSeed<execution::Scalar> seed = seeds.seed(tileOf(batch, lane));
    all.seeds.slowness[lane] = seed.slowness, all.seeds.ball[lane] = seed.ball;
    all.seeds.radius[lane] = seed.radius, all.seeds.sine[lane] = seed.sine;
  }
}

void OrthogonalTiles::sweep(const TileField& field, TileBatch& batch, float* scratch, int thread) {
  OrthogonalBatch& all = batches[std::size_t(thread)];
  fillAxes(batch, all);
  batch.factoring = TileFactoring::Off;
  for (int lane = 0; lane < batch.count; ++lane)
    if (hasSeed(batch.tile[lane])) batch.factoring = TileFactoring::Additive;
  if (batch.factoring != TileFactoring::Off) fillSeeds(batch, all);
  sweepTiles(field, batch, all, scratch);
}

std::size_t OrthogonalTiles::bytes() const {
  return seeds.bytes() + bytesOf(placePoints, placeEnds, listed) + placePoints.size() * sizeof(std::int32_t);
}

} // namespace isochrone::image
