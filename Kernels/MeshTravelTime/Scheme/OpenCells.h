// OpenCells.h - the cells that waves pass, with their edge lengths in solver units.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Scheme/RoundedShape.h"

#include <cstdint>

namespace isochrone::mesh {

struct OpenCells {
  Values<std::uint32_t> lowest; ///< per cell: its lowest vertex; the number of vertices for a barrier
  Values<RoundedShape> shapes;  ///< undefined for barriers
  double unit = 1;              ///< world time of one solver unit, a power of two
  float longEdge = 0;           ///< 95th percentile of the times along edges
  Barriers barriers;
  Straightened straightened;
  bool unfinished = false; ///< the monitor requested a stop: not usable

  std::int64_t count() const {
    return std::int64_t(lowest.size()) - barriers.closed - barriers.noFrame - barriers.notDefinite;
  }
};

/// Computes the edge lengths of all cells.
/// @param number  per vertex of the problem: its index for `lowest`
/// @throws Error if the times along edges exceed the range of single precision
OpenCells openCells(const Problem& problem, const Values<std::int32_t>& number, int threads,
                    const Monitor& monitor);

} // namespace isochrone::mesh
