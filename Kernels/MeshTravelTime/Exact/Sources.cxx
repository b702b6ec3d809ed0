#include "MeshTravelTime/Exact/Sources.h"

#include <algorithm>
#include <cmath>

namespace isochrone::mesh {

namespace {

/// Returns the weight of a vertex at a place.
double weightOf(const Place& place, std::int32_t vertex) {
  for (int i = 0; i < place.count; ++i)
    if (place.vertex[std::size_t(i)] == vertex) return place.weight[std::size_t(i)];
  return 0;
}

SurfacePoint pointIn(const Surface& s, std::int32_t face, const Place& place) {
  SurfacePoint point;
  point.face = face;
  for (std::size_t k = 0; k < 3; ++k) {
    point.sides[k] = s.sidesOfCell[3 * std::size_t(face) + k];
    const Side& side = s.sides[std::size_t(point.sides[k])];
    const SurfaceEdge& e = s.edges[std::size_t(side.edge)];
    const double apex = weightOf(place, side.apex);
    point.x[k] = weightOf(place, e.high) * e.length + apex * side.x;
    point.y[k] = apex * side.y;
    point.toApex[k] = std::hypot(point.x[k] - side.x, point.y[k] - side.y);
  }
  return point;
}

} // namespace

std::vector<SurfacePoint> pointsAt(const Surface& s, const Place& place) {
  std::vector<SurfacePoint> points;
  if (place.count < 2) return points;
  for (const std::int32_t corner : s.cornersAt(std::int32_t(place.vertex[0]))) {
    const std::int32_t face = s.sides[std::size_t(corner)].face;
    const auto holds = [&](std::int64_t vertex) {
      const auto first = s.sidesOfCell.begin() + std::ptrdiff_t(3) * face;
      return std::any_of(first, first + 3,
                         [&](std::int32_t side) { return s.sides[std::size_t(side)].apex == vertex; });
    };
    bool all = true;
    for (int i = 1; i < place.count; ++i) all = all && holds(place.vertex[std::size_t(i)]);
    if (all) points.push_back(pointIn(s, face, place));
  }
  return points;
}

Place placeOn(const Problem& problem, std::int64_t vertex, std::int64_t cell, const Position& at) {
  return vertex >= 0 ? placeAt(vertex) : placeIn(problem, cell, at);
}

} // namespace isochrone::mesh
