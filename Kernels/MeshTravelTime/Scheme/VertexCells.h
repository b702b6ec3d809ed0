// VertexCells.h - the cells around each vertex, in the numbers of the problem, barriers included.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <cstdint>
#include <span>

namespace isochrone::mesh {

struct VertexCells {
  Values<std::uint32_t> first; ///< per vertex, and one more: where its cells begin
  Values<std::int32_t> cells;  ///< ascending for each vertex

  std::span<const std::int32_t> around(std::int64_t vertex) const {
    return {cells.data() + first[vertex], cells.data() + first[vertex + 1]};
  }
};

VertexCells makeVertexCells(const Problem& problem);

} // namespace isochrone::mesh
