#include "MeshTravelTime/Scheme/VertexCells.h"

#include "MeshTravelTime/Scheme/SortedBy.h"

#include <utility>

namespace isochrone::mesh {

VertexCells makeVertexCells(const Problem& p, execution::RoundPool& pool) {
  const auto forEachCorner = [&](const auto& visit) { // the missing ones of triangles are left out
    for (std::size_t i = 0; i < p.cells.size(); ++i) visit(std::uint32_t(i / 4), std::uint32_t(p.cells[i]));
  };
  SortedIndices cells = sortedBy(p.cells.size(), std::uint32_t(p.vertexCount()), pool, forEachCorner);
  return {std::move(cells.first), std::move(cells.order)};
}

VertexCells makeVertexCells(const Problem& p) {
  execution::RoundPool caller(1);
  return makeVertexCells(p, caller);
}

} // namespace isochrone::mesh
