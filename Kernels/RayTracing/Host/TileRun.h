// TileRun.h - one run on the host: tiles in the order of their times, each relaxed until none of its times
// changes.
#pragma once

#include "Execution/RoundPool.h"
#include "Monitor.h"
#include "RayTracing/Host/TilePlan.h"
#include "RayTracing/Host/TileQueue.h"
#include "RayTracing/Host/TileWorkspace.h"
#include "Values.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::rays {

template <class Real>
class TileRun {
public:
  /// Sets all times to +infinity.
  TileRun(const TilePlan<Real>& plan, Values<Real>& times, execution::RoundPool& pool);

  /// Lowers the time of a point, of the margin too, and marks it as pending in the rows and tiles within
  /// reach.
  void lower(std::int64_t point, Real time);

  /// Relaxes tiles until none waits with a change up to `limit`, or until `relaxations` is used up. Returns
  /// false if the monitor requests a stop.
  /// @param relaxations  number of edges; decreased
  /// @param spaces  one per thread of the pool
  /// @param monitor  receives the share of visited tiles, from the calling thread
  bool advance(double limit, std::atomic<std::int64_t>& relaxations, execution::RoundPool& pool,
               std::span<TileWorkspace<Real>> spaces, const Monitor& monitor);

  /// Returns the minimum time of the changes that wait; +infinity: none.
  double pending() { return queue.pending(); }

  /// Returns the share of visited tiles: only a part of the work, but it never decreases.
  double share() const { return double(reached) / std::max(queue.count(), 1); }
  Real time(std::int64_t point) const { return times[std::size_t(point)]; }
  /// Returns the number of visits of a tile so far.
  int visits(int tile) const { return visited[std::size_t(tile)]; }
  std::size_t bytes() const;

private:
  class Team;
  void publish(int tile, const TileWorkspace<Real>& space);

  const TilePlan<Real>& plan;
  Values<Real>& times;
  TileQueue queue;
  std::vector<std::uint16_t> pendingBits; ///< per row of each tile, see RelaxTileDispatch.h
  std::vector<int> visited;               ///< per tile
  std::atomic<int> reached = 0;           ///< number of visited tiles
};

} // namespace isochrone::rays
