// VertexStars.h - the mesh as solvers use it: every vertex with the tetrahedra around it.
//
// Vertices are renumbered along a space-filling curve, and tetrahedra by their least vertex, so that what is
// near in space is near in memory. Barriers are left out.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Scheme/LocalSolver.h"

#include <cstdint>
#include <span>

namespace isochrone::mesh {

/// A vertex of a tetrahedron: 4 * tetrahedron + place among its vertices.
using Corner = std::uint32_t;

struct VertexStars {
  std::int32_t vertexCount = 0; ///< and one more vertex, the last one, that nothing reaches
  Values<Tetrahedron> tetrahedra;
  Values<std::uint32_t> first; ///< per vertex, and one more: where its corners begin
  Values<Corner> corners;      ///< ascending for each vertex
  Values<std::int32_t> order;  ///< number in the problem of each vertex
  Values<std::int32_t> number; ///< number here of each vertex of the problem
  double unit = 1;             ///< world time of one unit of the solver, a power of two
  float longEdge = 0;          ///< 95th percentile of the edges' times
  Barriers barriers;
  Straightened straightened;
  bool unfinished = false; ///< the monitor said stop: of no use

  std::span<const Corner> star(std::int32_t vertex) const {
    return {corners.data() + first[vertex], corners.data() + first[vertex + 1]};
  }
  /// Frees what only solvers on it need.
  void releaseTetrahedra();
  std::size_t bytes() const;
};

/// @param monitor  asked while it works; where it says stop, the result is unfinished
/// @throws Error if the times along edges span more than single precision holds
VertexStars makeVertexStars(const Problem& problem, int threads, const Monitor& monitor = {});

} // namespace isochrone::mesh
