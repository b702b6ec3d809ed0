// TileGrid.h - the image as tiles: the memory of the sweeps, and conversion from and to the order of the
// image.
#pragma once

#include "ImageTravelTime/Host/TileSweep.h"
#include "ImageTravelTime/Scheme/SolverUnits.h"
#include "ImageTravelTime/Scheme/Tiling.h"
#include "ImageTravelTime/Seeds/SolverInput.h"

namespace isochrone::image {

/// Travel times and squared slownesses, tile after tile. Sweeps use their own units, so that float neither
/// overflows nor underflows, whatever the user's units are. Points of other processes have an infinite
/// slowness, so that sweeps read their values but never change them.
class TileGrid {
public:
  explicit TileGrid(const SolverInput& input);

  Tiling tiling;
  int count = 0; ///< number of tiles; tile `count` stands for everything beyond the border
  int nodes = 0; ///< per tile
  SolverUnits units;

  TileField field() { return {values.data(), sides.data(), slownesses.data(), units.spacing, grid.nz == 1}; }
  float value(const GridIndex& point) const { return values[node(point)]; }
  /// Lowers the value of a point to `time` if it is above it.
  void lower(const GridIndex& point, float time);
  /// Returns whether a tile has points that this process computes.
  bool isOwn(int tile) const;
  /// Returns offset + unit * value in the order of the image; +infinity where unreached or where the value
  /// exceeds `latest`, and in the margin of a part. Reuses the memory of the slownesses, since new memory
  /// would take more time than writing to it.
  Values<float> takeTimes(double offset, float latest, execution::RoundPool& pool);

  std::size_t bytes() const; ///< work memory, without the times
  static std::size_t bytesNeeded(const Problem& problem);

private:
  /// Returns the index of a point in the memory of the tiles.
  std::int64_t node(const GridIndex& point) const;
  template <int width>
  void fill(const Problem& problem, execution::RoundPool& pool);
  template <int width>
  void copyTimes(double offset, float latest, execution::RoundPool& pool, Values<float>& times);

  Grid grid;
  grid::Box own; ///< the points that this process computes
  Values<float> values, slownesses;
  Values<float> sides; ///< copy of the two faces across x, each in one piece: see TileField
};

} // namespace isochrone::image
