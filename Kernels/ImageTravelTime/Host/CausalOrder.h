// CausalOrder.h - visits the points of an image after the points that they depend on.
//
// A point depends on its earlier neighbours, so the first order times define an acyclic graph. Any thread
// visits points whose neighbours are done, and may make other points ready. Nothing is sorted, and the result
// does not depend on the threads or their timing.
#pragma once

#include "Execution/RoundPool.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace isochrone::image {

/// The one or two other points in a difference along an axis.
struct UpstreamNeighbour {
  int sign = 0;           ///< +1: they lie on the lower side of the axis; 0: neither neighbour is earlier
  std::int64_t near = -1; ///< the earlier neighbour
  std::int64_t far = -1;  ///< the point behind it, if it is not later than the neighbour
};

class CausalOrder {
public:
  /// @param times  first order times: +infinity where unreached, -infinity where the value is given
  CausalOrder(const Grid& grid, std::span<const float> times);

  /// Returns the upstream points of a point on an axis.
  /// @param at  index of the point on the axis
  UpstreamNeighbour upstream(std::int64_t point, int axis, std::int64_t at) const;

  /// Calls visit(point) for every point whose time is finite. Returns false if the monitor requested a stop.
  bool run(execution::RoundPool& pool, const Monitor& monitor,
           const std::function<void(std::int64_t)>& visit);

private:
  void countDependencies(std::int64_t point, std::vector<std::int64_t>& ready);
  void release(std::int64_t done, std::vector<std::int64_t>& ready);
  void releaseOne(std::int64_t point, std::vector<std::int64_t>& ready);

  Grid grid;
  std::span<const float> times;
  GridIndex size, stride;
  std::vector<std::uint8_t> open; ///< per point: number of unfinished points that it depends on
};

} // namespace isochrone::image
