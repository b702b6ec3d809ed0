// TileQueue.h - chooses the next tile, such that adjacent tiles are never worked on at the same time.
//
// A tile waits if a new value next to it may lower one of its own. Its key is the minimum such value. The
// tile with the minimum key comes first. Not thread-safe: the caller holds a lock.
#pragma once

#include "Grid/ImageGrid.h"

#include <cstdint>
#include <queue>
#include <vector>

namespace isochrone::rays {

class TileQueue {
public:
  /// @param tiles  one point per tile
  /// @param window  tiles whose key exceeds the earliest key by more than this are not started: most of their
  ///                values would change again
  TileQueue(const ImageGrid& tiles, double window);

  int count() const { return int(tiles.points()); }

  /// Queues the tile with a key, unless it waits with an earlier one.
  void offer(int tile, double key);
  /// Returns the tile to work on now and removes it from the queue; -1 if none with a key up to `limit` is
  /// available until another one is done.
  int take(double limit);
  void done(int tile);
  /// Returns whether no tile is being worked on. If take() then returns -1, all tiles up to the limit are
  /// done.
  bool idle() const { return working.empty(); }
  /// Returns the minimum key of the tiles that wait; +infinity if none does.
  double pending();
  std::size_t bytes() const;

private:
  using Entry = std::pair<double, int>; ///< key, tile

  void occupy(int tile, int change);
  void dropOutdated();

  ImageGrid tiles;
  double window;
  std::vector<double> keys;           ///< per tile; +infinity: not waiting
  std::vector<std::uint8_t> occupied; ///< per tile: number of active tiles that are, or touch, this one
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> waiting; ///< includes outdated entries
  std::vector<Entry> working, setAside;
};

} // namespace isochrone::rays
