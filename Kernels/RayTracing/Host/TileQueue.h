// TileQueue.h - which tile to work on next, where tiles that touch must not be worked on at the same time.
//
// A tile waits if a new value beside it may lower one of its own; its key is the least such value. The tile
// with the least key comes first. Not for several threads at once: the caller holds a lock.
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <vector>

namespace isochrone::rays {

class TileQueue {
public:
  /// @param tiles   along each axis
  /// @param window  tiles whose key is that much later than the earliest are not begun: most of their
  ///                values would change again
  TileQueue(const std::array<int, 3>& tiles, double window);

  int count() const { return number[0] * number[1] * number[2]; }
  std::array<int, 3> position(int tile) const {
    return {tile % number[0], tile / number[0] % number[1], tile / (number[0] * number[1])};
  }
  /// The tile at an offset of -1, 0 or 1 along each axis, -1 if there is none.
  int neighbour(int tile, const std::array<int, 3>& offset) const;

  /// A value `key` may have news for the tile.
  void offer(int tile, double key);
  /// The tile to work on now, -1 if there is none until another one is done. It waits no more.
  int take();
  void done(int tile);
  bool idle() const { return working.empty(); } ///< nobody works: if there is none to take, all are done
  std::size_t bytes() const;

private:
  using Entry = std::pair<double, int>; ///< key, tile

  void occupy(int tile, int change);

  std::array<int, 3> number;
  double window;
  std::vector<double> keys;           ///< per tile; +infinity: it does not wait
  std::vector<std::uint8_t> occupied; ///< per tile: how many tiles that touch it, or are it, are worked on
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> waiting; ///< and outdated entries
  std::vector<Entry> working, setAside;
};

} // namespace isochrone::rays
