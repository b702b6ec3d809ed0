// OrthogonalTiles.h - what the rounds over the tiles of a rectilinear or spherical grid need beside those of
// an image: the terms of the axes per tile, and the points that are one place.
#pragma once

#include "ImageTravelTime/Host/OrthogonalSweep.h"
#include "ImageTravelTime/Host/TileGrid.h"
#include "ImageTravelTime/Seeds/OrthogonalSeeds.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

class OrthogonalTiles {
public:
  OrthogonalTiles(const SolverInput& input, const TileGrid& tiles);

  /// Returns whether nodes of the tile are factored.
  bool hasSeed(int tile) const { return seeds.has(tile); }
  const std::vector<double>& radii() const { return seeds.radii(); } ///< Result::ballRadius
  std::size_t bytes() const;

  /// Sweeps the tiles of a batch. All threads may call it concurrently, each with its own number.
  void sweep(const TileField& field, TileBatch& batch, float* scratch, int thread);

  /// Gives the points of each place the minimum of their values, after a round.
  /// @param lowered  called with each lowered point and its new value
  template <class Lowered>
  void couple(std::span<const std::int32_t> round, TileGrid& tiles, Lowered&& lowered) {
    for (const std::int32_t place : placesIn(round)) {
      const std::span<const GridIndex> points = pointsOf(place);
      float minimum = unreached;
      for (const GridIndex& p : points) minimum = std::min(minimum, tiles.value(p));
      for (const GridIndex& p : points)
        if (tiles.value(p) > minimum) tiles.lower(p, minimum), lowered(p, minimum);
    }
  }

private:
  const grid::OrthogonalGrid& grid;
  const Tiling& tiling;
  OrthogonalAxes axes;
  OrthogonalSeeds seeds;
  SweepOrthogonalTiles sweepTiles = chooseOrthogonalSweep();
  std::vector<OrthogonalBatch> batches; ///< per thread

  std::vector<GridIndex> placePoints;
  std::vector<std::size_t> placeEnds; ///< per place, the end of its points
  std::vector<std::vector<std::int32_t>> placesOfTile;
  std::vector<std::uint8_t> listed; ///< per place
  std::vector<std::int32_t> found;

  void listPlaces(const Problem& problem);
  std::span<const std::int32_t> placesIn(std::span<const std::int32_t> round);
  std::span<const GridIndex> pointsOf(std::int32_t place) const {
    const std::size_t begin = place == 0 ? 0 : placeEnds[std::size_t(place) - 1];
    return {placePoints.data() + begin, placeEnds[std::size_t(place)] - begin};
  }
  void fillAxes(const TileBatch& batch, OrthogonalBatch& all) const;
  void fillSeeds(const TileBatch& batch, OrthogonalBatch& all) const;
};

} // namespace isochrone::image
