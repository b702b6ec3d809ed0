// MeshTravelTimeMath.h - the update of a vertex from one tetrahedron, on host and device.
//
// A tetrahedron is the squares of its six edge lengths, each the time along the edge squared. The opposite
// triangle a, b, c carries times; the update is the least, over its points y, of the time interpolated at y
// plus the time along the straight line from y. Times and lengths are single precision, what is computed from
// them is double: then the update is monotone but for one case in some billions, and any order of work
// ends at the same bits.
#pragma once

#include "Execution/Team.h"

#include <cmath>
#include <cstdint>

namespace isochrone::mesh {

inline constexpr float unreached = 1e30f; ///< instead of infinity: differences of it are numbers

/// Vertex k is bit k of a Gray-like code, an edge has the bits of its ends: 3, 5, 6, 9, 10, 12 become
/// 0 ... 5 (paper, 3.2).
TEAM_FN constexpr int edgeBetween(int i, int j) { return ((1 << i) | (1 << j)) / 2 - 1; }

/// Vertices other than k, in order.
TEAM_FN constexpr int otherVertex(int k, int i) { return i + (i >= k ? 1 : 0); }

struct Tetrahedron {
  float square[6];        ///< by edgeBetween, in the solver's units
  std::int32_t vertex[4]; ///< the last one of a triangle is a vertex that nothing reaches
};

/// What the vertex in question sees of a tetrahedron: times of the opposite triangle, squared lengths to its
/// corners and between them.
struct Opposite {
  double ua, ub, uc, la, lb, lc, ab, ac, bc;
};

TEAM_FN double lesser(double a, double b) { return a < b ? a : b; }

/// The wave whose front is a plane. If its ray crosses the triangle, `time` is the update. If not, `time` is
/// a lower bound, and the update lies on an edge opposite to a corner with a negative weight.
struct PlaneWave {
  double time;
  double a, b, c; ///< weights of the corners, times some positive number
};

TEAM_FN PlaneWave planeWave(const Opposite& o) {
  // Everything seen from corner c: Gram matrix g of the edges to a and b, and the vertex's components p.
  const double g11 = o.ac, g22 = o.bc, g12 = 0.5 * (o.ac + o.bc - o.ab);
  const double area = g11 * g22 - g12 * g12, perArea = 1 / area;
  const double p1 = 0.5 * (o.lc + o.ac - o.la), p2 = 0.5 * (o.lc + o.bc - o.lb);
  const double d1 = o.ua - o.uc, d2 = o.ub - o.uc;
  const double w1 = (g22 * p1 - g12 * p2) * perArea, w2 = (g11 * p2 - g12 * p1) * perArea; // foot
  const double height = o.lc - (w1 * p1 + w2 * p2);                                        // squared
  const double k1 = (g22 * d1 - g12 * d2) * perArea, k2 = (g11 * d2 - g12 * d1) * perArea;
  const double rest = 1 - (d1 * k1 + d2 * k2); // of the squared gradient, across the triangle
  const double h = height > 0 ? height : 0;
  const double root = std::sqrt(h * (rest > 0 ? rest : 0));
  const double a = w1 * rest - root * k1, b = w2 * rest - root * k2;
  const bool exists = area > 1e-12 * (g11 * g22) && rest > 0;
  return {exists ? o.uc + (w1 * d1 + w2 * d2) + root : -double(unreached), exists ? a : -1.0,
          exists ? b : -1.0, exists ? rest - a - b : -1.0};
}

/// The update from an edge with times ua and ub; squared lengths to its ends, and between them.
TEAM_FN double fromEdge(double ua, double ub, double la, double lb, double ab) {
  const double d = ub - ua, q = 0.5 * (la + lb - ab), det = la * lb - q * q, k = ab - d * d;
  const double root = std::sqrt((det > 0 ? det : 0) * (k > 0 ? k : 0)), perLength = 1 / ab;
  const double weight = (la - q) * k - d * root; // of b, times ab k
  const double inside = ua + ((la - q) * d + root) * perLength;
  const double ends = lesser(ua + std::sqrt(la), ub + std::sqrt(lb));
  return k > 0 && weight > 0 && weight < ab * k ? lesser(inside, ends) : ends;
}

/// The whole update, for reference and for devices without vectors.
/// @param bound  larger updates are of no use, and not computed
TEAM_FN double update(const Opposite& o, double bound) {
  const PlaneWave wave = planeWave(o);
  if (wave.a >= 0 && wave.b >= 0 && wave.c >= 0) return wave.time;
  if (!(wave.time < bound)) return unreached;
  double least = unreached;
  if (wave.a < 0 && lesser(o.ub, o.uc) < bound) least = lesser(least, fromEdge(o.ub, o.uc, o.lb, o.lc, o.bc));
  if (wave.b < 0 && lesser(o.ua, o.uc) < bound) least = lesser(least, fromEdge(o.ua, o.uc, o.la, o.lc, o.ac));
  if (wave.c < 0 && lesser(o.ua, o.ub) < bound) least = lesser(least, fromEdge(o.ua, o.ub, o.la, o.lb, o.ab));
  return least;
}

/// What vertex k of a tetrahedron sees.
TEAM_FN Opposite opposite(const Tetrahedron& t, int k, const float* times) {
  const int a = otherVertex(k, 0), b = otherVertex(k, 1), c = otherVertex(k, 2);
  return {times[t.vertex[a]],          times[t.vertex[b]],          times[t.vertex[c]],
          t.square[edgeBetween(k, a)], t.square[edgeBetween(k, b)], t.square[edgeBetween(k, c)],
          t.square[edgeBetween(a, b)], t.square[edgeBetween(a, c)], t.square[edgeBetween(b, c)]};
}

/// May a new time u at vertex k lower the time `other` of corner j of the same tetrahedron? If all angles at
/// j with the edge between them are acute, only if u < other; else the least point may have a later vertex,
/// but later by no more than the time along the edge.
TEAM_FN bool mayLower(const Tetrahedron& t, int k, int j, float u, float other) {
  if (u < other) return true;
  const double edge = t.square[edgeBetween(j, k)];
  bool obtuse = false;
  for (int i = 0; i < 4; ++i)
    if (i != j && i != k)
      obtuse = obtuse || edge + double(t.square[edgeBetween(j, i)]) < double(t.square[edgeBetween(k, i)]);
  const double lag = double(u) - double(other);
  return obtuse && lag * lag < edge * (1 + 1e-6);
}

} // namespace isochrone::mesh
