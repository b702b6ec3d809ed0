#include "MeshTravelTime/Scheme/VertexCells.h"

namespace isochrone::mesh {

VertexCells makeVertexCells(const Problem& p) {
  const std::int64_t vertices = p.vertexCount();
  VertexCells to;
  to.first.assign(std::size_t(vertices) + 2, 0); // one ahead, so that filling moves each begin to its place
  for (const std::int64_t v : p.cells)
    if (v >= 0) ++to.first[v + 2];
  for (std::int64_t v = 0; v < vertices; ++v) to.first[v + 2] += to.first[v + 1];
  to.cells.resize(to.first[vertices + 1]);
  for (std::size_t i = 0; i < p.cells.size(); ++i)
    if (const std::int64_t v = p.cells[i]; v >= 0) to.cells[to.first[v + 1]++] = std::int32_t(i / 4);
  to.first.resize(std::size_t(vertices) + 1);
  return to;
}

} // namespace isochrone::mesh
