// TensorReaders.h - the tiles whose points read values of a tile.
#pragma once

#include "ImageTravelTime/Scheme/Tiling.h"
#include "ImageTravelTime/Tiles/TensorTerms.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

/// A box of points within a tile: minimum and maximum index on each axis, four bits each.
using PackedBox = std::uint32_t;

/// A tile that reads another one.
struct TensorReader {
  int tile;
  PackedBox read;  ///< the points that it reads
  PackedBox reads; ///< its own points that read them
};

struct TensorReaders {
  /// A tile that reads copies of points, in the margin of a periodic image, reads the tiles of the points.
  /// @param tiling  tiles of at most 16 points on each axis, powers of two
  TensorReaders(const TensorTerms& terms, const Tiling& tiling, execution::RoundPool& pool);

  std::vector<int> first; ///< per tile, index of its first reader; one more at the end
  std::vector<TensorReader> readers;

  std::span<const TensorReader> of(int tile) const {
    return {readers.data() + first[tile], readers.data() + first[tile + 1]};
  }
};

/// Returns whether a box holds point (x, y, z) of its tile.
inline bool holds(PackedBox box, const std::array<int, 3>& at) {
  for (int a = 0; a < 3; ++a)
    if (at[a] < int(box >> (4 * a) & 15) || at[a] > int(box >> (12 + 4 * a) & 15)) return false;
  return true;
}

} // namespace isochrone::image
