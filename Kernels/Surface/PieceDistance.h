// PieceDistance.h - the squared distance from a point to a piece.
#pragma once

#include "Execution/Team.h"

namespace isochrone::surface {

/// What the distance to a piece takes. For triangles without an area, `face` is infinite.
struct PieceTerms {
  double corner[3][3];
  double edge[3][3];   ///< from each corner to the next
  double inverse[3];   ///< 1 / squared length of the edge, 0 for an edge without length
  double normal[3];    ///< unit vector
  double inward[3][3]; ///< in the plane, normal to each edge, towards the inside
  double face;         ///< 0; a position is above the face if `inward` leads from all edges by more than it
  /// A lower bound of the squared distance, with d from `middle`: all |d|^2 + some (direction d)^2 - radius.
  double middle[3], direction[3], all, some, radius;
};

/// Returns a lower bound of the squared distance. With the height h above the plane of a triangle and r
/// beside its middle, h^2 + max(0, r - R)^2 >= h^2 + r^2 / 2 - R^2, where R is the distance of the farthest
/// corner; for a segment, h is the distance from its line.
template <class Ops>
TEAM_FN typename Ops::Vec squareAtLeast(const PieceTerms& t, typename Ops::Vec x, typename Ops::Vec y,
                                        typename Ops::Vec z) {
  using Vec = typename Ops::Vec;
  const Vec dx = x - Ops::broadcast(t.middle[0]), dy = y - Ops::broadcast(t.middle[1]),
            dz = z - Ops::broadcast(t.middle[2]);
  const Vec along = dx * Ops::broadcast(t.direction[0]) + dy * Ops::broadcast(t.direction[1]) +
                    dz * Ops::broadcast(t.direction[2]);
  return (dx * dx + dy * dy + dz * dz) * Ops::broadcast(t.all) + along * along * Ops::broadcast(t.some) -
         Ops::broadcast(t.radius);
}

/// Returns the squared distance. The nearest point lies on the face if the position is above it, else on an
/// edge.
/// @param Ops  the operations of numbers or vectors (Execution/Simd.h, Execution/Scalar.h)
template <class Ops>
TEAM_FN typename Ops::Vec squareTo(const PieceTerms& t, typename Ops::Vec x, typename Ops::Vec y,
                                   typename Ops::Vec z) {
  using Vec = typename Ops::Vec;
  const Vec zero = Ops::broadcast(0), one = Ops::broadcast(1), face = Ops::broadcast(t.face);
  Vec square{}, height{};
  typename Ops::Mask above{};
  for (int e = 0; e < 3; ++e) {
    const Vec px = x - Ops::broadcast(t.corner[e][0]), py = y - Ops::broadcast(t.corner[e][1]),
              pz = z - Ops::broadcast(t.corner[e][2]);
    const Vec ex = Ops::broadcast(t.edge[e][0]), ey = Ops::broadcast(t.edge[e][1]),
              ez = Ops::broadcast(t.edge[e][2]);
    const Vec along = (px * ex + py * ey + pz * ez) * Ops::broadcast(t.inverse[e]);
    const Vec s = Ops::min(Ops::max(along, zero), one);
    const Vec rx = px - s * ex, ry = py - s * ey, rz = pz - s * ez;
    const Vec edge = rx * rx + ry * ry + rz * rz;
    square = e == 0 ? edge : Ops::min(square, edge);
    const typename Ops::Mask inside =
        Ops::greater(px * Ops::broadcast(t.inward[e][0]) + py * Ops::broadcast(t.inward[e][1]) +
                         pz * Ops::broadcast(t.inward[e][2]),
                     face);
    above = e == 0 ? inside : Ops::both(above, inside);
    if (e == 0)
      height = px * Ops::broadcast(t.normal[0]) + py * Ops::broadcast(t.normal[1]) +
               pz * Ops::broadcast(t.normal[2]);
  }
  return Ops::select(above, height * height, square);
}

} // namespace isochrone::surface
