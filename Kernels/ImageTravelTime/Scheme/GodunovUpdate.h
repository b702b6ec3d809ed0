// GodunovUpdate.h - the update of a node from the smaller neighbour on each axis.
//
// The update is the minimum u with sum over the axes of max(0, (u - m) / h)^2 = slowness^2. It is computed in
// differences to the minimum neighbour, so that float keeps its digits (DESIGN.md). Number is the number
// type: vectors of an instruction set or single floats.
#pragma once

#include "Execution/Team.h"

namespace isochrone::image {

/// Returns the update in the plane with one weight, 1 / h^2, for each value.
/// @param slowness  squared
template <class Number, class Vec = typename Number::Vec>
TEAM_FN Vec godunovOf(Vec a, Vec b, Vec slowness, Vec wa, Vec wb) {
  const Vec low = Number::min(a, b), d = Number::max(a, b) - low, zero = Number::broadcast(0);
  const auto swap = Number::greater(a, b);
  const Vec wl = Number::select(swap, wb, wa), wh = Number::select(swap, wa, wb);
  const auto two = Number::greater(slowness, wl * d * d);
  const Vec w2 = Number::select(two, wh, zero), d2 = Number::select(two, d, zero);
  const Vec sum = wl + w2, rest = sum * slowness - wl * w2 * d2 * d2;
  return low + (w2 * d2 + Number::sqrt(rest)) / sum;
}

/// Returns the update in the plane.
/// @param slowness  squared
/// @param weight    1 / h^2 on each axis; not read if `cubic`, where they are 1
template <class Number, bool cubic, class Vec = typename Number::Vec>
TEAM_FN Vec godunov(Vec a, Vec b, Vec slowness, const float* weight) {
  if constexpr (cubic) {
    const Vec low = Number::min(a, b), d = Number::max(a, b) - low, square = d * d;
    const auto two = Number::greater(slowness, square);
    const Vec root = Number::sqrt(Number::select(two, slowness + slowness - square, slowness));
    return low + Number::select(two, (d + root) * 0.5f, root);
  } else {
    return godunovOf<Number>(a, b, slowness, Number::broadcast(weight[0]), Number::broadcast(weight[1]));
  }
}

/// Sorts two values with their weights, the smaller one first.
template <class Number, bool cubic, class Vec>
TEAM_FN void orderValues(Vec& a, Vec& b, Vec& wa, Vec& wb) {
  const Vec low = Number::min(a, b), high = Number::max(a, b);
  if constexpr (!cubic) {
    const auto swap = Number::greater(a, b);
    const Vec w = Number::select(swap, wb, wa);
    wb = Number::select(swap, wa, wb), wa = w;
  }
  a = low, b = high;
}

/// Returns the update in space with one weight, 1 / h^2, for each value.
template <class Number, class Vec = typename Number::Vec>
TEAM_FN Vec godunovOf(Vec a, Vec b, Vec c, Vec slowness, Vec wa, Vec wb, Vec wc) {
  const Vec zero = Number::broadcast(0);
  orderValues<Number, false>(a, b, wa, wb);
  orderValues<Number, false>(b, c, wb, wc);
  orderValues<Number, false>(a, b, wa, wb);
  const Vec d1 = b - a, d2 = c - a, d12 = c - b;
  const auto two = Number::greater(slowness, wa * d1 * d1);
  const auto three = Number::both(two, Number::greater(slowness, wa * d2 * d2 + wb * d12 * d12));
  const Vec w2 = Number::select(two, wb, zero), w3 = Number::select(three, wc, zero);
  const Vec e1 = Number::select(two, d1, zero), e2 = Number::select(three, d2, zero),
            e12 = Number::select(three, d12, zero);
  const Vec sum = wa + w2 + w3, b2 = w2 * e1, b3 = w3 * e2;
  const Vec rest = sum * slowness - (wa * (b2 * e1 + b3 * e2) + w2 * w3 * e12 * e12);
  return a + (b2 + b3 + Number::sqrt(rest)) / sum;
}

/// Returns the update in space.
template <class Number, bool cubic, class Vec = typename Number::Vec>
TEAM_FN Vec godunov(Vec a, Vec b, Vec c, Vec slowness, const float* weight) {
  if constexpr (!cubic) {
    return godunovOf<Number>(a, b, c, slowness, Number::broadcast(weight[0]), Number::broadcast(weight[1]),
                             Number::broadcast(weight[2]));
  } else {
    const Vec zero = Number::broadcast(0);
    Vec none = zero;
    orderValues<Number, cubic>(a, b, none, none);
    orderValues<Number, cubic>(b, c, none, none);
    orderValues<Number, cubic>(a, b, none, none);
    const Vec d1 = b - a, d2 = c - a, d12 = c - b;
    const Vec q1 = d1 * d1, q2 = d2 * d2 + d12 * d12;
    const auto two = Number::greater(slowness, q1);
    const auto three = Number::both(two, Number::greater(slowness, q2));
    const Vec twice = slowness + slowness;
    Vec under = Number::select(two, twice - q1, slowness), sum = Number::select(two, d1, zero),
        share = Number::select(two, Number::broadcast(0.5f), Number::broadcast(1));
    under = Number::select(three, (twice + slowness) - (q1 + q2), under);
    sum = Number::select(three, d1 + d2, sum);
    share = Number::select(three, Number::broadcast(1.f / 3), share);
    return a + (sum + Number::sqrt(under)) * share;
  }
}

} // namespace isochrone::image
