// LocalSolver.h - the update of a vertex from one tetrahedron, on host and device.
//
// A tetrahedron is given by its six squared edge lengths, where length is time. The opposite triangle a, b, c
// carries times. The update is the minimum, over the points y of the triangle, of the time interpolated at y
// plus the time along the straight line from y. Times and lengths are single precision, and the update is
// computed from them in double. It is thus monotone, except for one case in some billions, and any order of
// work gives the same bits. The parameter N of templates is a number type with the interface of
// execution::ScalarOf<double>: scalars, or vectors with one tetrahedron per lane.
#pragma once

#include "Execution/Scalar.h"
#include "Execution/Team.h"

#include <cmath>
#include <cstdint>

namespace isochrone::mesh {

inline constexpr float unreached = 1e30f; ///< replaces infinity, so that differences are finite

/// Returns the index of an edge. Vertex k is bit k of a Gray-like code and an edge has the bits of both ends:
/// 3, 5, 6, 9, 10, 12 become 0 ... 5 (paper, 3.2). The indices of opposite edges add up to 5.
TEAM_FN constexpr int edgeBetween(int i, int j) { return ((1 << i) | (1 << j)) / 2 - 1; }

/// Returns the i-th vertex other than k.
TEAM_FN constexpr int otherVertex(int k, int i) { return i + (i >= k ? 1 : 0); }

struct Tetrahedron {
  float square[6];        ///< by edgeBetween, in solver units
  std::int32_t vertex[4]; ///< the last one of a triangle is a vertex that is never reached
};

using Single = execution::ScalarOf<double>;

/// A tetrahedron as seen from the vertex being updated: times of the opposite triangle, squared lengths to
/// its corners and between them.
template <class N>
struct OppositeOf {
  typename N::Vec ua, ub, uc, la, lb, lc, ab, ac, bc;
};
using Opposite = OppositeOf<Single>;

/// Returns the leading 26 digits (Veltkamp): products of two such numbers are exact.
template <class N>
TEAM_FN typename N::Vec leading(typename N::Vec a) {
  const typename N::Vec c = N::broadcast(134217729) * a;
  return c - (c - a);
}

/// Returns a b - c d. With `exactly` it is accurate to its last digits even where nearly all digits of the
/// products cancel; a must then be of single precision.
template <class N, bool exactly = true>
TEAM_FN typename N::Vec differenceOf(typename N::Vec a, typename N::Vec b, typename N::Vec c,
                                     typename N::Vec d) {
  using V = typename N::Vec;
  if constexpr (!exactly) return a * b - c * d;
  const V b1 = leading<N>(b), c1 = leading<N>(c), d1 = leading<N>(d);
  return (a * b1 - c1 * d1) + ((a * (b - b1) - c1 * (d - d1)) - (c - c1) * d);
}

/// The plane wave. If its ray crosses the triangle, that is, no weight is negative, `time` is the update.
/// Otherwise `time` is a lower bound, and the update lies on an edge opposite to a corner with a negative
/// weight.
template <class N>
struct PlaneWaveOf {
  typename N::Vec time;
  typename N::Vec a, b, c; ///< weights of the corners, times a common positive factor
};
using PlaneWave = PlaneWaveOf<Single>;

template <class N, bool exactly>
TEAM_FN PlaneWaveOf<N> planeWaveBy(const OppositeOf<N>& o) {
  using V = typename N::Vec;
  const V zero = N::broadcast(0), one = N::broadcast(1), half = N::broadcast(0.5);
  // Relative to corner c: Gram matrix g of the edges to a and b, and components p of the vertex.
  const V g11 = o.ac, g22 = o.bc, g12 = half * (o.ac + o.bc - o.ab);
  const V area = differenceOf<N, exactly>(g11, g22, g12, g12), perArea = one / area;
  const V p1 = half * (o.lc + o.ac - o.la), p2 = half * (o.lc + o.bc - o.lb);
  const V d1 = o.ua - o.uc, d2 = o.ub - o.uc;
  const V w1 = differenceOf<N, exactly>(g22, p1, g12, p2) * perArea,
          w2 = differenceOf<N, exactly>(g11, p2, g12, p1) * perArea;
  const V height = o.lc - (w1 * p1 + w2 * p2); // squared, above the foot
  const V k1 = differenceOf<N, exactly>(g22, d1, g12, d2) * perArea,
          k2 = differenceOf<N, exactly>(g11, d2, g12, d1) * perArea;
  const V rest = one - (d1 * k1 + d2 * k2); // part of the squared gradient normal to the triangle
  const V root = N::sqrt(N::max(height, zero) * N::max(rest, zero));
  const V a = w1 * rest - root * k1, b = w2 * rest - root * k2;
  // If times rise faster than waves travel, no such wave exists, and the minimum lies in the direction in
  // which they fall. A triangle almost without area is reduced to its edges: where its sine is below 1e-4,
  // this changes the minimum time by less than its last digit, and the inverse of the area would lose as
  // much.
  const auto exists = N::greater(rest, zero), hasArea = N::greater(area, N::broadcast(1e-8) * (g11 * g22));
  const V none = N::broadcast(-1);
  // Ensures that rounding does not take the time below the times that it comes from.
  const V time = N::max(o.uc + (w1 * d1 + w2 * d2) + root, N::min(o.ua, N::min(o.ub, o.uc)));
  return {N::select(N::both(exists, hasArea), time, N::broadcast(-unreached)),
          N::select(hasArea, N::select(exists, a, zero - k1), none),
          N::select(hasArea, N::select(exists, b, zero - k2), none),
          N::select(hasArea, N::select(exists, rest - a - b, k1 + k2), none)};
}

/// Computes the plane wave. Where the sine of a triangle is below 0.03, products are accurate to their last
/// digits.
template <class N = Single>
TEAM_FN PlaneWaveOf<N> planeWave(const OppositeOf<N>& o) {
  using V = typename N::Vec;
  const V q = N::broadcast(0.5) * (o.ac + o.bc - o.ab), product = o.ac * o.bc;
  const auto thin = N::greater(N::broadcast(1e-3) * product, product - q * q);
  const PlaneWaveOf<N> wave = planeWaveBy<N, false>(o);
  if (!N::any(thin)) return wave;
  const PlaneWaveOf<N> exact = planeWaveBy<N, true>(o);
  return {N::select(thin, exact.time, wave.time), N::select(thin, exact.a, wave.a),
          N::select(thin, exact.b, wave.b), N::select(thin, exact.c, wave.c)};
}

/// Returns whether the update from an edge with times ua and ub can be below `bound`. It cannot unless the
/// earlier time plus the distance to the edge's line is below it, up to the rounding of `det`. la, lb, ab:
/// squared lengths to its ends and between them. An edge of length zero always matters.
template <class N = Single>
TEAM_FN typename N::Mask edgeMatters(typename N::Vec ua, typename N::Vec ub, typename N::Vec la,
                                     typename N::Vec lb, typename N::Vec ab, typename N::Vec bound) {
  using V = typename N::Vec;
  const V q = N::broadcast(0.5) * (la + lb - ab), product = la * lb, det = product - q * q;
  const V gap = bound - N::min(ua, ub);
  const V minimum = det * N::broadcast(1 - 1e-9) - (product * N::broadcast(1e-14) + N::broadcast(1e-300));
  return N::both(N::greater(gap, N::broadcast(0)), N::greater(gap * gap * ab, minimum));
}

/// Returns the update from an edge.
template <class N = Single>
TEAM_FN typename N::Vec fromEdge(typename N::Vec ua, typename N::Vec ub, typename N::Vec la,
                                 typename N::Vec lb, typename N::Vec ab) {
  using V = typename N::Vec;
  const V zero = N::broadcast(0);
  const V d = ub - ua, q = N::broadcast(0.5) * (la + lb - ab), k = ab - d * d;
  const V det = differenceOf<N>(la, lb, q, q);
  const V root = N::sqrt(N::max(det, zero) * N::max(k, zero));
  const V weight = (la - q) * k - d * root; // weight of b, times ab k
  const V inside = N::max(ua + ((la - q) * d + root) / ab, N::min(ua, ub));
  const V ends = N::min(ua + N::sqrt(la), ub + N::sqrt(lb));
  const auto between = N::both(N::greater(weight, zero), N::greater(ab * k, weight));
  return N::select(N::both(between, N::greater(k, zero)), N::min(inside, ends), ends);
}

/// Returns the weight of b at the minimum point of the line through an edge, where the times of its ends
/// differ by less than the time along it.
TEAM_FN double weightOnEdge(double ua, double ub, double la, double lb, double ab) {
  const double d = ub - ua, q = 0.5 * (la + lb - ab), det = la * lb - q * q, rest = ab - d * d;
  const double root = std::sqrt((det > 0 ? det : 0) * (rest > 0 ? rest : 0));
  return ((la - q) * rest - d * root) / (ab * rest);
}

/// Returns the complete update.
/// @param bound  updates above it are not needed and not computed
TEAM_FN double update(const Opposite& o, double bound) {
  const PlaneWave wave = planeWave(o);
  if (wave.a >= 0 && wave.b >= 0 && wave.c >= 0) return wave.time;
  double minimum = unreached;
  if (!(wave.time < bound)) return minimum;
  if (wave.a < 0 && edgeMatters(o.ub, o.uc, o.lb, o.lc, o.bc, bound))
    minimum = Single::min(minimum, fromEdge(o.ub, o.uc, o.lb, o.lc, o.bc));
  if (wave.b < 0 && edgeMatters(o.ua, o.uc, o.la, o.lc, o.ac, bound))
    minimum = Single::min(minimum, fromEdge(o.ua, o.uc, o.la, o.lc, o.ac));
  if (wave.c < 0 && edgeMatters(o.ua, o.ub, o.la, o.lb, o.ab, bound))
    minimum = Single::min(minimum, fromEdge(o.ua, o.ub, o.la, o.lb, o.ab));
  return minimum;
}

/// Returns a tetrahedron as seen from its vertex k.
/// @param times  times[vertex], an array or similar
template <class Times>
TEAM_FN Opposite opposite(const Tetrahedron& t, int k, const Times& times) {
  const int a = otherVertex(k, 0), b = otherVertex(k, 1), c = otherVertex(k, 2);
  const int la = edgeBetween(k, a), lb = edgeBetween(k, b), lc = edgeBetween(k, c);
  return {times[t.vertex[a]], times[t.vertex[b]], times[t.vertex[c]], t.square[la],    t.square[lb],
          t.square[lc],       t.square[5 - lc],   t.square[5 - lb],   t.square[5 - la]};
}

/// Returns whether a new time u at vertex k may lower the time `other` of corner j of the same tetrahedron.
/// If all angles at j with the edge between them are acute, this requires u < other. Otherwise the minimum
/// point may involve a later vertex, but later by no more than the time along the edge.
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
