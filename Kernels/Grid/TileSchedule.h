// TileSchedule.h - the choice of the tiles that the next round works on.
//
// A tile is active if a new value next to it may lower one of its own values. Its key is the minimum of such
// new values. A round takes the active tiles of one checkerboard colour whose key lies within a band above
// the minimum key. Tiles of one colour share no face, so the result does not depend on their order or on the
// number of threads. The band keeps the work near the front, where values are final or almost final.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::grid {

inline constexpr int faceCount = 6; ///< -x, +x, -y, +y, -z, +z

class TileSchedule {
public:
  /// @param tiles    number of tiles on each axis
  /// @param band     width of the band, in the unit of the keys
  /// @param threads  number of threads that call activate concurrently
  TileSchedule(const std::array<int, 3>& tiles, float band, int threads);

  int count() const { return number[0] * number[1] * number[2]; }
  std::array<int, 3> position(int tile) const {
    return {tile % number[0], tile / number[0] % number[1], tile / (number[0] * number[1])};
  }
  /// Returns the tile behind a face, or -1 at the border of the grid.
  int neighbour(int tile, int face) const;

  /// Marks a tile that a value `key` next to it may change. All threads may call it concurrently, each with
  /// its own number.
  void activate(int tile, float key, int thread);

  /// Returns the tiles of the next round and deactivates them. They are ordered by group(tile), an unsigned
  /// number, and then by tile number. Empty if no tile is active with a key up to `limit`.
  template <class Group>
  std::span<const std::int32_t> nextRound(float limit, Group&& group) {
    choose(limit);
    for (std::uint64_t& tile : chosen) tile |= std::uint64_t(group(int(tile))) << 32;
    return takeChosen();
  }
  /// Reactivates an unfinished tile of this round with the key that it had.
  void putBack(int tile, int thread) { activate(tile, reachedKeys[tile], thread); }
  float minKey() const { return minimum; } ///< minimum key of the last round; values below it are final
  /// Returns the minimum key of all active tiles; the maximum float if none is active.
  float pending() const;
  std::size_t bytes() const;

private:
  int colour(int tile) const {
    const auto p = position(tile);
    return (p[0] + p[1] + p[2]) & 1;
  }
  void choose(float limit);
  std::span<const std::int32_t> takeChosen();
  float bandEnd();

  std::array<int, 3> number;
  float band, minimum = 0;
  int nextColour = 0;
  std::vector<float> keys;          ///< per tile, unreachable if inactive
  std::vector<float> reachedKeys;   ///< keys of the tiles of the last round
  std::vector<std::uint8_t> listed; ///< per tile, 1 if active
  std::vector<std::int32_t> waiting, round;
  std::vector<std::vector<std::int32_t>> fresh; ///< per thread, tiles activated since the last round
  std::vector<float> ranked;
  std::vector<std::uint64_t> chosen; ///< group in the upper 32 bits, tile in the lower
};

} // namespace isochrone::grid
