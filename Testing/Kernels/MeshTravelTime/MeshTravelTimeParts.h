// MeshTravelTimeParts.h - meshes divided into parts, as held by processes.
#pragma once

#include "MeshTravelTimeCases.h"

namespace isochrone::mesh {

/// Some cells of a mesh as a separate mesh.
struct Part {
  MeshCase mesh;
  std::vector<std::int64_t> whole; ///< number of each vertex in the whole mesh
};

inline Part partOf(const MeshCase& c, const std::vector<int>& owner, int which) {
  Part part;
  MeshCase& m = part.mesh;
  m.problem = c.problem;
  std::vector<std::int64_t> number(std::size_t(c.vertexCount()), -1), cell(std::size_t(c.cellCount()), -1);
  const auto copy = [](const std::vector<double>& from, std::vector<double>& to, std::int64_t i, int n) {
    if (!from.empty()) to.insert(to.end(), from.begin() + n * i, from.begin() + n * (i + 1));
  };
  const auto copyArrays = [&](bool ofVertices, std::int64_t i) {
    const Problem& p = c.problem;
    if (p.speed.ofVertices == ofVertices) copy(c.speed, m.speed, i, p.speed.components);
    if (p.fibre.ofVertices == ofVertices) copy(c.fibre, m.fibre, i, 3);
    if (p.sheet.ofVertices == ofVertices) copy(c.sheet, m.sheet, i, 3);
    if (p.tensor.ofVertices == ofVertices) copy(c.tensor, m.tensor, i, 6);
  };
  for (std::int64_t t = 0; t < c.cellCount(); ++t) {
    if (owner[std::size_t(t)] != which) continue;
    cell[std::size_t(t)] = m.cellCount();
    for (std::size_t k = 0; k < 4; ++k) {
      const std::int64_t v = c.cells[std::size_t(4 * t) + k];
      if (v >= 0 && number[std::size_t(v)] < 0) {
        number[std::size_t(v)] = m.vertexCount();
        copy(c.points, m.points, v, 3);
        copyArrays(true, v);
        part.whole.push_back(v);
      }
      m.cells.push_back(v < 0 ? v : number[std::size_t(v)]);
    }
    copyArrays(false, t);
    if (!c.hidden.empty()) m.hidden.push_back(c.hidden[std::size_t(t)]);
  }
  m.problem.seeds.clear();
  for (Seed s : c.problem.seeds) {
    (s.vertex >= 0 ? s.vertex : s.cell) =
        s.vertex >= 0 ? number[std::size_t(s.vertex)] : cell[std::size_t(s.cell)];
    m.problem.seeds.push_back(s); // otherwise it is in another part
  }
  m.link();
  return part;
}

} // namespace isochrone::mesh
