// Sources.h - seeds and tips on a surface: vertices, points of edges, and points of triangles.
#pragma once

#include "MeshTravelTime/Exact/Window.h"

#include <array>
#include <cstdint>
#include <vector>

namespace isochrone::mesh {

/// A point of a surface in a triangle that it lies in or on.
struct SurfacePoint {
  std::int32_t face;
  std::array<std::int32_t, 3> sides; ///< of the triangle
  std::array<double, 3> x, y;        ///< per side: the point is at (x, -y) in its frame
  std::array<double, 3> toApex;      ///< per side: distance to its apex
};

/// Returns the triangles that a place lies in or on; none if it is a vertex.
std::vector<SurfacePoint> pointsAt(const Surface& surface, const Place& place);

/// Returns the place of a seed or tip: a vertex, or a position in a cell.
Place placeOn(const Problem& problem, std::int64_t vertex, std::int64_t cell, const Position& at);

/// Visits the windows of a source in or on a triangle, on the edges that do not hold it.
template <class Limit, class Visit>
void visitFrom(const Surface& s, const SurfacePoint& point, double start, std::int32_t label,
               const Limit& limit, const Visit& visit) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Side& side = s.sides[std::size_t(point.sides[k])];
    const SurfaceEdge& e = s.edges[std::size_t(side.edge)];
    Window w{side.edge, side.face, label, 0, e.length, point.x[k], point.y[k], start};
    if (point.y[k] > 0 && cut(w, e.length, limit(e.low), limit(e.high))) visit(w);
  }
}

} // namespace isochrone::mesh
