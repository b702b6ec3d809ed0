// VertexStars.h - the mesh as solvers use it: every vertex with the tetrahedra around it.
//
// Vertices are renumbered along a space-filling curve, and tetrahedra by their lowest vertex, so that
// neighbours in space are close in memory. Barriers are omitted.
#pragma once

#include "Bytes.h"
#include "Execution/RoundPool.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Scheme/LocalSolver.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::mesh {

/// A vertex of a tetrahedron: 4 * tetrahedron + its position among the vertices.
using Corner = std::uint32_t;

struct VertexStars {
  std::int32_t vertexCount = 0; ///< without the additional last vertex, which is never reached
  Values<Tetrahedron> tetrahedra;
  Values<std::uint32_t> first; ///< per vertex, and one more: index of its first corner
  Values<Corner> corners;      ///< ascending per vertex
  Values<std::int32_t> number; ///< index here of each vertex of the problem
  double unit = 1;             ///< world time of one solver unit, a power of two
  float longEdge = 0;          ///< 95th percentile of the times along edges
  Barriers barriers;
  Straightened straightened;
  std::int64_t obtuseAngles = 0; ///< see Result
  bool unfinished = false;       ///< the monitor requested a stop: not usable

  std::span<const Corner> star(std::int32_t vertex) const {
    return {corners.data() + first[vertex], corners.data() + first[vertex + 1]};
  }
  /// Frees the data that only solvers working on it need.
  void releaseTetrahedra();
  std::size_t bytes() const { return bytesOf(tetrahedra, first, corners, number); }
};

/// The two cells of an unfolded triangle: on this side of the edge, and behind it.
using CellsOfUnfolded = std::array<std::uint32_t, 2>;

/// The cells of the tetrahedra of stars.
struct TetrahedronCells {
  Values<std::uint32_t> cell;            ///< of the first tetrahedra
  std::vector<CellsOfUnfolded> unfolded; ///< of the others, unfolded triangles (Unfolding.h)
};

/// Builds the stars of a mesh.
/// @param monitor  polled during the work; if it requests a stop, the result is unfinished
/// @param cells    filled unless null
/// @throws Error if the times along edges exceed the range of single precision
VertexStars makeVertexStars(const Problem& problem, execution::RoundPool& pool, const Monitor& monitor = {},
                            TetrahedronCells* cells = nullptr);

} // namespace isochrone::mesh
