// Window.h - an interval of an edge and the straight lines that reach it from one point: the unit of exact
// distances.
//
// Mitchell, Mount, Papadimitriou: The discrete geodesic problem, SIAM J. Comput. 16 (1987). A shortest path
// is straight where the triangles that it crosses are unfolded, and bends only at vertices. A window holds
// all paths from one source (a seed, or a vertex where paths bend) through the same triangles to an edge.
//
// A window may be cut only where another path to the same point is shorter by more than rounding
// (`rounding`). So the window on each shortest path remains, whatever the order of work, and every vertex
// gets the length of its shortest path.
#pragma once

#include "MeshTravelTime/Exact/Surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace isochrone::mesh {

/// Bound of the rounding errors of a distance, relative to it: 1e-16 for each of some thousand triangles.
inline constexpr double rounding = 4e-12;
/// Windows narrower than this part of their edge are left out; their lines differ from those of their
/// neighbours by less than rounding.
inline constexpr double narrow = 1e-12;

/// Returns the length of a vector. Lengths are in units of the surface, so that squares do not overflow.
inline double lengthOf(double x, double y) { return std::sqrt(x * x + y * y); }

struct Window {
  std::int32_t edge;
  std::int32_t face;  ///< it comes from this triangle, and enters the others at the edge
  std::int32_t label; ///< of the source, for the user of the window
  double a, b;        ///< the interval, in the frame of the edge
  double x, y;        ///< the unfolded source, y >= 0
  double start;       ///< distance at the source

  double distanceAt(double at) const { return start + lengthOf(at - x, y); }
  double minimum() const { return distanceAt(std::clamp(x, a, b)); }
};

/// A point of a triangle as seen through a window.
struct Sight {
  double middle;   ///< where the line from the source to the point crosses the line of the edge
  double via;      ///< where the path crosses the edge: in the interval
  double distance; ///< along that path, which is straight if `middle` is in the interval
};

/// Returns the sight of the point (x, -y) in the frame of the window's edge.
inline Sight sightOf(const Window& w, double x, double y) {
  const double height = w.y + y;
  const double middle = height > 0 ? (w.x * y + x * w.y) / height : x;
  const double via = std::clamp(middle, w.a, w.b);
  if (via == middle && height > 0) return {middle, via, w.start + lengthOf(x - w.x, height)};
  return {middle, via, w.distanceAt(via) + lengthOf(x - via, y)};
}

/// Cuts off the low end of an interval where the distance is longer than `limit`, the distance of the vertex
/// at 0, plus the length from there. Distances rise more slowly than that length, so one interval is cut off.
/// Returns false if nothing is left.
inline bool cutLow(double& a, double b, double x, double y, double start, double limit, double length) {
  const double k = limit + rounding * (std::abs(limit) + length) - start, sum = a + k;
  if (sum >= 0 && (a - x) * (a - x) + y * y <= sum * sum) return true;
  if (!(x + k > 0)) return false;
  a = std::max(a, (x * x + y * y - k * k) / (2 * (x + k)));
  return a < b;
}

/// Cuts off what the distances of the ends of the window's edge exclude. Returns false if nothing is left.
inline bool cut(Window& w, double length, double limitLow, double limitHigh) {
  if (!cutLow(w.a, w.b, w.x, w.y, w.start, limitLow, length)) return false;
  double fromHigh = length - w.b;
  if (!cutLow(fromHigh, length - w.a, length - w.x, w.y, w.start, limitHigh, length)) return false;
  w.b = length - fromHigh;
  return w.b - w.a > narrow * length;
}

/// Visits the windows on the other two edges of a triangle behind the window's edge.
/// @param middle  of the sight of the apex
/// @param limit   limit(vertex): the shortest known distance of a vertex
template <class Limit, class Visit>
void visitBehind(const Surface& s, const Window& w, const Side& side, double middle, const Limit& limit,
                 const Visit& visit) {
  const SurfaceEdge& base = s.edges[std::size_t(w.edge)];
  const double height = w.y + side.y;
  const auto make = [&](bool low) {
    // In the frame of the base, seen from its lower or its higher vertex.
    const double l = base.length, near = low ? w.a : l - w.b, far = low ? w.b : l - w.a;
    const double x = low ? w.x : l - w.x, m = low ? middle : l - middle, apex = low ? side.x : l - side.x;
    const SurfaceEdge& edge = s.edges[std::size_t(low ? side.toLow : side.toHigh)];
    if (!(near < m) || !(edge.length > 0)) return;
    const auto part = [&](double at) { return at * w.y / (m * height - at * side.y); };
    const double from = std::clamp(part(near), 0.0, 1.0), to = far < m ? std::clamp(part(far), 0.0, 1.0) : 1;
    const std::int32_t end = low ? base.low : base.high, third = low ? base.high : base.low;
    // The segment from the third vertex to the near end of the window crosses all lines to the window.
    const double nearX = from * apex, nearY = from * side.y;
    const double other = limit(third);
    if (w.start + lengthOf(x - nearX, w.y + nearY) >
        other + lengthOf(l - nearX, nearY) + rounding * (std::abs(other) + l))
      return;
    Window next;
    next.edge = low ? side.toLow : side.toHigh, next.face = side.face, next.label = w.label;
    next.start = w.start;
    const double along = (x * apex - w.y * side.y) / edge.length;
    next.y = std::max(0.0, m * height / edge.length);
    const bool same = edge.low == end;
    next.a = (same ? from : 1 - to) * edge.length, next.b = (same ? to : 1 - from) * edge.length;
    next.x = same ? along : edge.length - along;
    if (cut(next, edge.length, limit(edge.low), limit(edge.high))) visit(next);
  };
  make(true);
  make(false);
}

/// Visits the windows of a source at a vertex.
template <class Limit, class Visit>
void visitFrom(const Surface& s, std::int32_t vertex, double start, std::int32_t label, const Limit& limit,
               const Visit& visit) {
  for (const std::int32_t corner : s.cornersAt(vertex)) {
    const Side& side = s.sides[std::size_t(corner)];
    const SurfaceEdge& e = s.edges[std::size_t(side.edge)];
    Window w{side.edge, side.face, label, 0, e.length, side.x, side.y, start};
    if (e.length > 0 && cut(w, e.length, limit(e.low), limit(e.high))) visit(w);
  }
}

} // namespace isochrone::mesh
