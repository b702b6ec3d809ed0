// CausalOrder.h - visits the points of an image after the points that they depend on.
//
// A point depends on its earlier neighbours, so the first order times define an acyclic graph. Any thread
// visits points whose neighbours are done, and may make other points ready. Nothing is sorted, and the result
// does not depend on the threads or their timing.
#pragma once

#include "Execution/RoundPool.h"
#include "ImageTravelTime/Scheme/UpstreamNeighbours.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace isochrone::image {

class CausalOrder {
public:
  /// @param times  as for UpstreamNeighbours
  CausalOrder(const Grid& grid, std::span<const float> times);

  /// Calls visit(point) for every point whose time is finite. Returns false if the monitor requested a stop.
  bool run(execution::RoundPool& pool, const Monitor& monitor,
           const std::function<void(std::int64_t)>& visit);

private:
  void countDependencies(std::int64_t point, std::vector<std::int64_t>& ready);
  void release(std::int64_t done, std::vector<std::int64_t>& ready);
  void releaseOne(std::int64_t point, std::vector<std::int64_t>& ready);

  UpstreamNeighbours upstream;
  Grid grid;
  std::span<const float> times;
  GridIndex size, stride;
  std::vector<std::uint8_t> open; ///< per point: number of unfinished points that it depends on
};

} // namespace isochrone::image
