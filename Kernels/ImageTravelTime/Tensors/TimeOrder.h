// TimeOrder.h - visits the points of an image in the order of their first order times.
//
// With tensors the points that depend on a point are not known without lists of users, so the points are
// sorted. The threads take short runs of them in order, and wait for the points that they need.
#pragma once

#include "Execution/RoundPool.h"
#include "Monitor.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace isochrone::image {

class TimeOrder {
public:
  /// @param times  fewer than 2^32, of which those that are not finite are not visited
  TimeOrder(std::span<const float> times, execution::RoundPool& pool);

  /// Calls visit(point) for the points, in the last twentieth of the progress of a solve. Returns false if
  /// the monitor requested a stop.
  bool run(const Monitor& monitor, const std::function<void(std::int64_t)>& visit);

  /// Waits, within a visit, until an earlier point has been visited.
  void waitFor(std::int64_t point);

private:
  execution::RoundPool& pool;
  std::vector<std::uint64_t> sorted; ///< time in the upper half, point in the lower
  std::vector<std::uint8_t> done;    ///< per point
  std::atomic<bool> stopped{false};
};

} // namespace isochrone::image
