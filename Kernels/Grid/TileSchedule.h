// TileSchedule.h - which tiles of a grid to work on next.
//
// A tile is active if a new value next to it may lower one of its own; its key is the least such value. A
// round takes the active tiles of one colour of the checkerboard whose key lies within a band above the least
// key: tiles of one colour share no face, so they can be worked on in any order and by any number of threads
// with the same result, and the band keeps the work near the front, where values are final or almost.
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
  /// @param threads  that call activate at the same time
  TileSchedule(const std::array<int, 3>& tiles, float band, int threads);

  int count() const { return number[0] * number[1] * number[2]; }
  std::array<int, 3> position(int tile) const {
    return {tile % number[0], tile / number[0] % number[1], tile / (number[0] * number[1])};
  }
  /// The tile behind a face, -1 at the border of the grid.
  int neighbour(int tile, int face) const;

  /// Marks a tile that a value `key` next to it may change. May be called by all threads at once, each with
  /// its own number.
  void activate(int tile, float key, int thread);

  /// The tiles of the next round, ordered by group(tile), an unsigned, and then by number; empty if none is
  /// active. They are no longer active.
  template <class Group>
  std::span<const std::int32_t> nextRound(Group&& group) {
    choose();
    for (std::uint64_t& tile : chosen) tile |= std::uint64_t(group(int(tile))) << 32;
    return takeChosen();
  }
  /// Puts a tile of this round back with the key it had: its work is not finished.
  void putBack(int tile, int thread) { activate(tile, reachedKeys[tile], thread); }
  float leastKey() const { return least; } ///< of the last round: no value below it will change any more
  std::size_t bytes() const;

private:
  int colour(int tile) const {
    const auto p = position(tile);
    return (p[0] + p[1] + p[2]) & 1;
  }
  void choose();
  std::span<const std::int32_t> takeChosen();
  float limit();

  std::array<int, 3> number;
  float band, least = 0;
  int nextColour = 0;
  std::vector<float> keys;          ///< per tile, unreachable if it is not active
  std::vector<float> reachedKeys;   ///< of the tiles of the last round
  std::vector<std::uint8_t> listed; ///< per tile: it is active
  std::vector<std::int32_t> waiting, round;
  std::vector<std::vector<std::int32_t>> fresh; ///< per thread, activated since the last round
  std::vector<float> ranked;
  std::vector<std::uint64_t> chosen; ///< tiles, below 32 bits of their group
};

} // namespace isochrone::grid
