// VertexCells.h - the cells around each vertex, by the problem's indices, barriers included.
#pragma once

#include "Execution/RoundPool.h"
#include "MeshTravelTime/MeshTravelTime.h"

#include <cstdint>
#include <span>

namespace isochrone::mesh {

struct VertexCells {
  Values<std::uint32_t> first; ///< per vertex, and one more: index of its first cell
  Values<std::uint32_t> cells; ///< ascending per vertex

  std::span<const std::uint32_t> around(std::int64_t vertex) const {
    return {cells.data() + first[vertex], cells.data() + first[vertex + 1]};
  }
};

VertexCells makeVertexCells(const Problem& problem, execution::RoundPool& pool);

/// The same on the calling thread.
VertexCells makeVertexCells(const Problem& problem);

} // namespace isochrone::mesh
