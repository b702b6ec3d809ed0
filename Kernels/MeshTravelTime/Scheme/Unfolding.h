// Unfolding.h - triangles that replace obtuse angles: the triangle behind the opposite edge, unfolded.
//
// Seen from a vertex x with an obtuse angle, the opposite edge is the longest one, and the time interpolated
// along it is late. The triangle behind it is rotated about the edge into the plane of the first one (R.
// Kimmel, J. Sethian: Computing geodesic paths on manifolds, PNAS 95, 1998, section 4). If its apex c then
// lies within the angle, x and c and either end of the edge form two more triangles. Their sides lie on the
// surface, so that they are cells like others, and every rule of the solver holds for them.
#pragma once

#include "MeshTravelTime/Scheme/RoundedShape.h"
#include "MeshTravelTime/Scheme/VertexStars.h"

#include <array>
#include <cstdint>
#include <vector>

namespace isochrone::mesh {

struct OpenCells;

/// An edge between a and b with a triangle on each side, by squared lengths.
struct EdgeBetweenTriangles {
  double edge;         ///< between a and b
  double toA, toB;     ///< from x
  double fromA, fromB; ///< to c
};

/// The line from x to c in the plane of both triangles.
struct LineAcross {
  double square;  ///< squared length
  double atA = 0; ///< weight of a where it crosses the edge; 0 or less, 1 or more: it does not
};

/// Unfolds two triangles.
LineAcross unfold(const EdgeBetweenTriangles& triangles);

/// Returns whether the angle at x is obtuse.
inline bool isObtuse(const EdgeBetweenTriangles& t) { return t.edge > (t.toA + t.toB) * (1 + 1e-6); }

/// Returns whether the line crosses the edge away from its ends.
inline bool crosses(const LineAcross& line) { return line.atA > 1e-3 && line.atA < 1 - 1e-3; }

/// Returns whether two cells see an edge between them equally long: waves then pass it straight.
inline bool sameLength(double edge, double other) {
  return edge > other * (1 - 1e-9) && edge < other * (1 + 1e-9);
}

struct UnfoldedTriangle {
  RoundedShape shape;
  std::array<std::int64_t, 3> vertex; ///< x, an end of the edge, c
  CellsOfUnfolded cells;
};

/// Returns the triangles for all obtuse angles of open triangles.
std::vector<UnfoldedTriangle> unfoldObtuseAngles(const Problem& problem, const OpenCells& cells,
                                                 const VertexStars& stars, execution::RoundPool& pool);

/// Returns the number of obtuse angles of open triangles.
std::int64_t countObtuseAngles(const Problem& problem, const OpenCells& cells, const VertexStars& stars,
                               execution::RoundPool& pool);

} // namespace isochrone::mesh
