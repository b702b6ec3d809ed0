// LineWindow.h - the exact squared distance along a line where distances are short: each point looks around
// in a window that grows until nothing farther away can be nearer. Integers of 16 bits, twice as many in a
// vector as LineHull has.
#pragma once

#include "DistanceTransform/Host/Lanes.h"

namespace isochrone::distance::ISOCHRONE_ISA {

/// Offsets of a window, and distances, stay below this: 181^2 and the sum of two squares have room in 16
/// bits.
inline constexpr int windowEnd = 181;
inline constexpr std::uint16_t shortNone = 32767; ///< stands for "no site"
inline constexpr int windowPad = windowEnd + 128; ///< elements of `shortNone` on both sides of a line

/// Vectors that look around together: one that goes on costs less than the surprise of each one's end.
inline constexpr int together = 4;

/// out(x) = min over |x - i| <= reach of g(i) + (x - i)^2.
/// @param g      squared distances or `shortNone`, padded
/// @param reach  farther offsets need not be looked at; what they give may be missing in `out`
/// @param steps  how many steps a vector may take, on average over those before it
/// @param out    has room for a whole group of vectors
/// @return false if it would take more, or for values above what 16 bits hold: `out` is then of no use
inline bool solveWindow(const std::uint16_t* g, int n, int reach, int steps, std::uint16_t* out) {
  constexpr int width = Shorts::width;
  std::int64_t budget = 16 * std::int64_t(steps);
  for (int x = 0; x < n; x += together * width) {
    Shorts::V best[together];
    for (int v = 0; v < together; ++v) {
      best[v] = Shorts::load(g + x + v * width);
      if (x + (v + 1) * width > n) best[v] = Shorts::firstLanes(best[v], n - x - v * width);
    }
    int k = 1;
    for (; Shorts::anyAbove(Shorts::largest(best), Shorts::broadcast(k * k)); k += 2) {
      if (k > reach) break;
      if (k + 1 >= windowEnd) return false;
      const Shorts::V near = Shorts::broadcast(k * k), far = Shorts::broadcast((k + 1) * (k + 1));
      for (int v = 0; v < together; ++v) {
        const std::uint16_t* at = g + x + v * width;
        const Shorts::V a = Shorts::min(Shorts::load(at - k), Shorts::load(at + k));
        const Shorts::V b = Shorts::min(Shorts::load(at - k - 1), Shorts::load(at + k + 1));
        best[v] = Shorts::min(best[v], Shorts::min(a + near, b + far));
      }
    }
    budget += together * (std::int64_t(steps) - k);
    if (budget < 0) return false;
    for (int v = 0; v < together; ++v) Shorts::store(out + x + v * width, best[v]);
  }
  return true;
}

} // namespace isochrone::distance::ISOCHRONE_ISA
