// GodunovUpdate.h - the update of a node from the lesser neighbour on each axis, in all lanes at once.
//
// The least u with sum over the axes of max(0, (u - m) / h)^2 = slowness^2, worked out in differences to the
// least neighbour (spec A.2), so that float keeps its digits.
#pragma once

#include "Execution/Simd.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace simd = isochrone::execution::ISOCHRONE_ISA;
using simd::Mask;
using simd::Vec;

/// In the plane.
/// @param slowness  squared
/// @param weight    1 / h^2 on each axis; not read if `cubic`
template <bool cubic>
inline Vec update(Vec a, Vec b, Vec slowness, const float* weight) {
  if constexpr (cubic) {
    const Vec low = simd::min(a, b), d = simd::max(a, b) - low, square = d * d;
    const Mask two = simd::greater(slowness, square);
    const Vec root = simd::sqrt(simd::select(two, slowness + slowness - square, slowness));
    return low + simd::select(two, (d + root) * 0.5f, root);
  } else {
    const Mask swap = simd::greater(a, b);
    const Vec wx = simd::broadcast(weight[0]), wy = simd::broadcast(weight[1]);
    const Vec low = simd::min(a, b), d = simd::max(a, b) - low;
    const Vec wl = simd::select(swap, wy, wx), wh = simd::select(swap, wx, wy);
    const Vec square = wl * d * d;
    const Mask two = simd::greater(slowness, square);
    const Vec w2 = simd::select(two, wh, Vec{}), d2 = simd::select(two, d, Vec{});
    const Vec sum = wl + w2, rest = sum * slowness - wl * w2 * d2 * d2;
    return low + (w2 * d2 + simd::sqrt(rest)) / sum;
  }
}

/// The least and the greatest go to the front and the back, with their weights.
template <bool cubic>
inline void order(Vec& a, Vec& b, Vec& wa, Vec& wb) {
  const Vec low = simd::min(a, b), high = simd::max(a, b);
  if constexpr (!cubic) {
    const Mask swap = simd::greater(a, b);
    const Vec w = simd::select(swap, wb, wa);
    wb = simd::select(swap, wa, wb), wa = w;
  }
  a = low, b = high;
}

/// In space.
template <bool cubic>
inline Vec update(Vec a, Vec b, Vec c, Vec slowness, const float* weight) {
  Vec wa = simd::broadcast(weight[0]), wb = simd::broadcast(weight[1]), wc = simd::broadcast(weight[2]);
  order<cubic>(a, b, wa, wb), order<cubic>(b, c, wb, wc), order<cubic>(a, b, wa, wb);
  const Vec d1 = b - a, d2 = c - a, d12 = c - b;
  if constexpr (cubic) {
    const Vec q1 = d1 * d1, q2 = d2 * d2 + d12 * d12;
    const Mask two = simd::greater(slowness, q1);
    const Mask three = simd::both(two, simd::greater(slowness, q2));
    const Vec twice = slowness + slowness;
    Vec under = simd::select(two, twice - q1, slowness), sum = simd::select(two, d1, Vec{}),
        share = simd::select(two, simd::broadcast(0.5f), simd::broadcast(1.f));
    under = simd::select(three, (twice + slowness) - (q1 + q2), under);
    sum = simd::select(three, d1 + d2, sum);
    share = simd::select(three, simd::broadcast(1.f / 3), share);
    return a + (sum + simd::sqrt(under)) * share;
  } else {
    const Mask two = simd::greater(slowness, wa * d1 * d1);
    const Mask three = simd::both(two, simd::greater(slowness, wa * d2 * d2 + wb * d12 * d12));
    const Vec w2 = simd::select(two, wb, Vec{}), w3 = simd::select(three, wc, Vec{});
    const Vec e1 = simd::select(two, d1, Vec{}), e2 = simd::select(three, d2, Vec{}),
              e12 = simd::select(three, d12, Vec{});
    const Vec sum = wa + w2 + w3, b2 = w2 * e1, b3 = w3 * e2;
    const Vec rest = sum * slowness - (wa * (b2 * e1 + b3 * e2) + w2 * w3 * e12 * e12);
    return a + (b2 + b3 + simd::sqrt(rest)) / sum;
  }
}

} // namespace isochrone::image::ISOCHRONE_ISA
