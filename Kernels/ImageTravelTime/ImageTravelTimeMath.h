// ImageTravelTimeMath.h - the update of one node, on host and device.
//
// The operations of TileSweep.cxx in their order, on one float instead of a vector.
#pragma once

#include "Execution/Team.h"

#include <cmath>
#include <limits>

namespace isochrone::image {

inline constexpr float infinite = std::numeric_limits<float>::infinity();

TEAM_FN float lesser(float a, float b) { return a < b ? a : b; }
TEAM_FN float larger(float a, float b) { return a > b ? a : b; }

/// Slowness squared, in the solver's units, of a value of the user's speed array; +infinity in barriers.
struct SquaredSlowness {
  float scale; ///< to the solver's units
  bool isSlowness;

  TEAM_FN float operator()(float v) const { // NaN fails the comparison
    const float q = isSlowness ? v * scale : 1 / (v * scale);
    return v > 0 ? q * q : infinite;
  }
};

/// The update in the plane: see spec A.2, worked out in differences to the least neighbour.
/// @param a,b       the lesser neighbour on each axis
/// @param slowness  squared
/// @param wa,wb     1 / h^2 on each axis; not read if `cubic`
template <bool cubic>
TEAM_FN float update(float a, float b, float slowness, float wa, float wb) {
  const float low = lesser(a, b), d = larger(a, b) - low;
  if constexpr (cubic) {
    const float square = d * d;
    const bool two = slowness > square;
    const float root = std::sqrt(two ? slowness + slowness - square : slowness);
    return low + (two ? (d + root) * 0.5f : root);
  } else {
    const bool swap = a > b;
    const float wl = swap ? wb : wa, wh = swap ? wa : wb;
    const bool two = slowness > wl * d * d;
    const float w2 = two ? wh : 0.f, d2 = two ? d : 0.f;
    const float sum = wl + w2, rest = sum * slowness - wl * w2 * d2 * d2;
    return low + (w2 * d2 + std::sqrt(rest)) / sum;
  }
}

/// Swaps two neighbours, and their weights, if the first one is the greater.
template <bool cubic>
TEAM_FN void order(float& a, float& b, float& wa, float& wb) {
  const bool swap = a > b;
  const float low = swap ? b : a, high = swap ? a : b;
  if constexpr (!cubic) {
    const float w = swap ? wb : wa;
    wb = swap ? wa : wb, wa = w;
  }
  a = low, b = high;
}

/// The update in space.
template <bool cubic>
TEAM_FN float update(float a, float b, float c, float slowness, float wa, float wb, float wc) {
  order<cubic>(a, b, wa, wb), order<cubic>(b, c, wb, wc), order<cubic>(a, b, wa, wb);
  const float d1 = b - a, d2 = c - a, d12 = c - b;
  if constexpr (cubic) {
    const float q1 = d1 * d1, q2 = d2 * d2 + d12 * d12;
    const bool two = slowness > q1, three = two && slowness > q2;
    const float twice = slowness + slowness;
    const float under = three ? (twice + slowness) - (q1 + q2) : two ? twice - q1 : slowness;
    const float sum = three ? d1 + d2 : two ? d1 : 0.f;
    return a + (sum + std::sqrt(under)) * (three ? 1.f / 3 : two ? 0.5f : 1.f);
  } else {
    const bool two = slowness > wa * d1 * d1, three = two && slowness > wa * d2 * d2 + wb * d12 * d12;
    const float w2 = two ? wb : 0.f, w3 = three ? wc : 0.f;
    const float e1 = two ? d1 : 0.f, e2 = three ? d2 : 0.f, e12 = three ? d12 : 0.f;
    const float sum = wa + w2 + w3, b2 = w2 * e1, b3 = w3 * e2;
    const float rest = sum * slowness - (wa * (b2 * e1 + b3 * e2) + w2 * w3 * e12 * e12);
    return a + (b2 + b3 + std::sqrt(rest)) / sum;
  }
}

} // namespace isochrone::image
