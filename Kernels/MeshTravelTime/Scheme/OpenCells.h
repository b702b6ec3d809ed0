// OpenCells.h - the cells that waves pass, with their edge lengths in solver units.
#pragma once

#include "MeshTravelTime/Scheme/RoundedShape.h"
#include "MeshTravelTime/Scheme/VertexStars.h"

#include <cstdint>

namespace isochrone::mesh {

struct OpenCells {
  Values<std::uint32_t> lowest; ///< per cell: its lowest vertex; the number of vertices for a barrier
  Values<RoundedShape> shapes;  ///< undefined for barriers
};

/// Computes the edge lengths of all cells. Reads the numbers of the stars, and sets their unit, longEdge,
/// barriers, straightened and unfinished.
/// @throws Error if the times along edges exceed the range of single precision
OpenCells openCells(const Problem& problem, execution::RoundPool& pool, const Monitor& monitor,
                    VertexStars& stars);

} // namespace isochrone::mesh
