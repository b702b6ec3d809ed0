// TileGrid.h - the image as tiles: the memory that the sweeps work on, and the way there and back.
#pragma once

#include "ImageTravelTime/Host/TileSweep.h"
#include "ImageTravelTime/Scheme/SolverUnits.h"

#include <array>

namespace isochrone::image {

/// Travel times and squared slownesses, tile after tile. Sweeps measure in units of their own, so that float
/// neither overflows nor underflows whatever the user's units are.
class TileGrid {
public:
  TileGrid(const Problem& problem, int threads);

  std::array<int, 3> tiles{}; ///< on each axis
  int count = 0;              ///< of tiles; tile `count` stands for what lies beyond the border
  int nodes = 0;              ///< of a tile
  SolverUnits units;

  TileField field();
  int tileOf(std::int64_t i, std::int64_t j, std::int64_t k) const;
  const std::array<int, 3>& shape() const { return tileShape; } ///< nodes of a tile on each axis
  float value(std::int64_t i, std::int64_t j, std::int64_t k) const { return values[at(i, j, k)]; }
  /// Lowers the value of a node to `time` if it is above it.
  void lower(std::int64_t i, std::int64_t j, std::int64_t k, float time);
  /// offset + unit * value in the order of the image; +infinity where nothing arrived or the value is beyond
  /// `latest`. Takes the memory of the slownesses: new memory would cost more time than writing to it.
  Values<float> takeTimes(double offset, float latest, int threads);

  std::size_t bytes() const; ///< besides that of the times
  static std::size_t bytesNeeded(const Grid& grid);

private:
  /// Index in the memory of the tiles.
  std::int64_t at(std::int64_t i, std::int64_t j, std::int64_t k) const;
  void fill(const Problem& problem, int threads);

  Grid grid;
  std::array<int, 3> tileShape{};
  Values<float> values, slownesses;
  Values<float> sides; ///< again the values of the two faces across x, each in one piece: see TileField
};

} // namespace isochrone::image
