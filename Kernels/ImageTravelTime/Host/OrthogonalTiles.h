// OrthogonalTiles.h - what the rounds over the tiles of a rectilinear or spherical grid need beside those of
// an image: the axes of the tiles, the seeds that their nodes are factored with, and the points that are one
// place.
#pragma once

#include "ImageTravelTime/Host/OrthogonalSweep.h"
#include "ImageTravelTime/Host/TileGrid.h"
#include "ImageTravelTime/Seeds/OrthogonalBalls.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

class OrthogonalTiles {
public:
  OrthogonalTiles(const SolverInput& input, const TileGrid& tiles);

  /// Returns whether nodes of the tile are factored.
  bool hasSeed(int tile) const { return !ballOfTile.empty() && ballOfTile[std::size_t(tile)] >= 0; }
  const std::vector<double>& radii() const { return ballRadii; } ///< Result::ballRadius
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
  /// The axis of a grid, for each index: single precision, in the solver's units.
  struct Axis {
    std::vector<double> coordinate; ///< length or radians
    std::vector<double> step[2];    ///< below and above; at the ends that of the other side
  };

  const grid::OrthogonalGrid& grid;
  const Tiling& tiling;
  double unit;         ///< length
  double slownessUnit; ///< from world units
  int axisOfRole[3]{0, 1, 2};
  Axis axis[3];
  std::vector<OrthogonalBall> balls;
  std::vector<double> ballRadii;
  std::vector<std::int32_t> ballOfTile; ///< -1: none; empty without factoring
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
  void chooseBalls(const SolverInput& input);
  GridIndex firstOf(int tile) const { return tiling.boxOf(tile).low; }
  void fillAxes(const TileBatch& batch, EdgesOfTiles& edges) const;
  void fillSeeds(const TileBatch& batch, OrthogonalBatch& all) const;
  void fillFromSeed(const GridIndex& first, const OrthogonalBall* ball, int lane, OrthogonalBatch& all) const;
};

} // namespace isochrone::image
