// GodunovUpdate.h - the update of a node from the smaller neighbour on each axis.
//
// The update is the minimum u with sum over the axes of max(0, (u - m) / h)^2 = slowness^2. It is computed in
// differences to the minimum neighbour, so that float keeps its digits (DESIGN.md). S is the number type:
// vectors of an instruction set or single floats.
#pragma once

#include "Execution/Team.h"

namespace isochrone::image {

/// Returns the update in the plane.
/// @param slowness  squared
/// @param weight    1 / h^2 on each axis; not read if `cubic`, where they are 1
template <class S, bool cubic, class Vec = typename S::Vec>
TEAM_FN Vec godunov(Vec a, Vec b, Vec slowness, const float* weight) {
  const Vec low = S::min(a, b), d = S::max(a, b) - low;
  if constexpr (cubic) {
    const Vec square = d * d;
    const auto two = S::greater(slowness, square);
    const Vec root = S::sqrt(S::select(two, slowness + slowness - square, slowness));
    return low + S::select(two, (d + root) * 0.5f, root);
  } else {
    const auto swap = S::greater(a, b);
    const Vec wx = S::broadcast(weight[0]), wy = S::broadcast(weight[1]), none = S::broadcast(0);
    const Vec wl = S::select(swap, wy, wx), wh = S::select(swap, wx, wy);
    const auto two = S::greater(slowness, wl * d * d);
    const Vec w2 = S::select(two, wh, none), d2 = S::select(two, d, none);
    const Vec sum = wl + w2, rest = sum * slowness - wl * w2 * d2 * d2;
    return low + (w2 * d2 + S::sqrt(rest)) / sum;
  }
}

/// Sorts two values with their weights, the smaller one first.
template <class S, bool cubic, class Vec>
TEAM_FN void orderValues(Vec& a, Vec& b, Vec& wa, Vec& wb) {
  const Vec low = S::min(a, b), high = S::max(a, b);
  if constexpr (!cubic) {
    const auto swap = S::greater(a, b);
    const Vec w = S::select(swap, wb, wa);
    wb = S::select(swap, wa, wb), wa = w;
  }
  a = low, b = high;
}

/// Returns the update in space.
template <class S, bool cubic, class Vec = typename S::Vec>
TEAM_FN Vec godunov(Vec a, Vec b, Vec c, Vec slowness, const float* weight) {
  const Vec none = S::broadcast(0);
  Vec wa = none, wb = none, wc = none;
  if constexpr (!cubic)
    wa = S::broadcast(weight[0]), wb = S::broadcast(weight[1]), wc = S::broadcast(weight[2]);
  orderValues<S, cubic>(a, b, wa, wb);
  orderValues<S, cubic>(b, c, wb, wc);
  orderValues<S, cubic>(a, b, wa, wb);
  const Vec d1 = b - a, d2 = c - a, d12 = c - b;
  if constexpr (cubic) {
    const Vec q1 = d1 * d1, q2 = d2 * d2 + d12 * d12;
    const auto two = S::greater(slowness, q1);
    const auto three = S::both(two, S::greater(slowness, q2));
    const Vec twice = slowness + slowness;
    Vec under = S::select(two, twice - q1, slowness), sum = S::select(two, d1, none),
        share = S::select(two, S::broadcast(0.5f), S::broadcast(1));
    under = S::select(three, (twice + slowness) - (q1 + q2), under);
    sum = S::select(three, d1 + d2, sum);
    share = S::select(three, S::broadcast(1.f / 3), share);
    return a + (sum + S::sqrt(under)) * share;
  } else {
    const auto two = S::greater(slowness, wa * d1 * d1);
    const auto three = S::both(two, S::greater(slowness, wa * d2 * d2 + wb * d12 * d12));
    const Vec w2 = S::select(two, wb, none), w3 = S::select(three, wc, none);
    const Vec e1 = S::select(two, d1, none), e2 = S::select(three, d2, none),
              e12 = S::select(three, d12, none);
    const Vec sum = wa + w2 + w3, b2 = w2 * e1, b3 = w3 * e2;
    const Vec rest = sum * slowness - (wa * (b2 * e1 + b3 * e2) + w2 * w3 * e12 * e12);
    return a + (b2 + b3 + S::sqrt(rest)) / sum;
  }
}

} // namespace isochrone::image
