// LineWindow.h - the exact squared distance along a line where distances are short: each point looks around
// in a window that grows until nothing farther away can be nearer. Integers of 16 bits, twice as many in a
// vector as LineHull has.
#pragma once

#include "DistanceTransform/Lanes.h"

namespace isochrone::distance::ISOCHRONE_ISA {

/// Offsets of a window, and distances, stay below this: 181^2 and the sum of two squares have room in 16
/// bits.
inline constexpr int windowEnd = 181;
inline constexpr std::uint16_t shortNone = 32767; ///< stands for "no site"
inline constexpr int windowPad = windowEnd + 64;  ///< elements of `shortNone` on both sides of a line

/// out(x) = min over |x - i| <= reach of g(i) + (x - i)^2.
/// @param g     squared distances or `shortNone`, padded
/// @param reach  farther offsets need not be looked at; what they give may be missing in `out`
/// @param steps  how many steps of a vector the line may take
/// @return false if it would take more, or values above what 16 bits hold: `out` is then of no use
inline bool solveWindow(const std::uint16_t* g, int n, int reach, int steps, std::uint16_t* out) {
  for (int x = 0; x < n; x += Shorts::width) {
    Shorts::V best = Shorts::load(g + x);
    int k = 1;
    for (; Shorts::anyAbove(best, Shorts::broadcast(k * k)); k += 2) {
      if (k > reach) break;
      if (k + 1 >= windowEnd) return false;
      const Shorts::V near = Shorts::min(Shorts::load(g + x - k), Shorts::load(g + x + k));
      const Shorts::V far = Shorts::min(Shorts::load(g + x - k - 1), Shorts::load(g + x + k + 1));
      best = Shorts::min(
          best, Shorts::min(near + Shorts::broadcast(k * k), far + Shorts::broadcast((k + 1) * (k + 1))));
    }
    steps -= k;
    if (steps < 0) return false;
    Shorts::store(out + x, best);
  }
  return true;
}

} // namespace isochrone::distance::ISOCHRONE_ISA
