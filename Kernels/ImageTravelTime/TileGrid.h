// TileGrid.h - the image as tiles: the memory that the sweeps work on, and the way there and back.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/TileSweep.h"

#include <array>
#include <memory>

namespace isochrone::image {

/// Travel times and squared slownesses, tile after tile. Sweeps measure in units of their own, so that float
/// neither overflows nor underflows whatever the user's units are.
class TileGrid {
public:
  TileGrid(const Problem& problem, int threads);

  std::array<int, 3> tiles{}; ///< on each axis
  int count = 0;              ///< of tiles; tile `count` stands for what lies beyond the border
  int nodes = 0;              ///< of a tile
  double unit = 1;            ///< of time
  float largestSpeed = 0;     ///< grid steps per unit of time

  TileField field() const;
  /// Index in the memory of the tiles.
  std::int64_t at(std::int64_t i, std::int64_t j, std::int64_t k) const;
  int tileOf(std::int64_t i, std::int64_t j, std::int64_t k) const;
  Position firstNode(int tile) const; ///< world units
  Position tileSize() const;          ///< from the first node to the last, world units
  double lengthUnit() const { return step; }
  float* value() const { return values.get(); }
  const float* slowness() const { return slownesses.get(); }
  /// Writes offset + unit * value in the order of the image; +infinity where nothing arrived or the value is
  /// beyond `latest`.
  void writeTo(std::span<float> travelTime, double offset, float latest, int threads) const;

  std::size_t bytes() const;
  static std::size_t bytesNeeded(const Grid& grid);

private:
  struct Free {
    void operator()(float* p) const;
  };
  using Memory = std::unique_ptr<float[], Free>;
  static Memory allocate(std::size_t floats);
  void fill(const Problem& problem, int threads);

  Grid grid;
  std::array<int, 3> shape{};
  double step = 1; ///< of length
  Memory values, slownesses;
};

} // namespace isochrone::image
