// LineWindow.h - the exact squared distance along a line with short distances: each point searches a window
// that grows until no farther site can be nearer. Uses 16-bit integers, twice as many per vector as
// LineEnvelope.
#pragma once

#include "Execution/Simd.h"

namespace isochrone::distance::ISOCHRONE_ISA {

/// Offsets in a window, and distances, stay below this: 181^2 and the sum of two squares fit into 16 bits.
inline constexpr int windowEnd = 181;
inline constexpr std::uint16_t shortNone = 32767; ///< represents "no site"
inline constexpr int windowPad = windowEnd + 128; ///< elements of `shortNone` on both sides of a line

using Shorts = execution::ISOCHRONE_ISA::Vector<std::uint16_t>;

/// Returns the maxima over n vectors.
template <int n>
inline Shorts::Vec maximumOf(const Shorts::Vec (&v)[n]) {
  Shorts::Vec maximum = v[0];
  for (int i = 1; i < n; ++i) maximum = Shorts::max(v[i], maximum);
  return maximum;
}

/// Number of vectors that search together: extra steps of one cost less than a mispredicted loop end of each.
inline constexpr int together = 4;

/// Computes out(x) = min over |x - i| <= reach of g(i) + (x - i)^2.
/// @param g  squared distances or `shortNone`, padded
/// @param reach  larger offsets may be omitted from the minimum
/// @param steps  maximum number of steps per vector, averaged over the vectors so far
/// @param out  has room for a whole group of vectors
/// @return false if it takes more steps, or for values that exceed 16 bits: `out` is then undefined
inline bool solveWindow(const std::uint16_t* g, int n, int reach, int steps, std::uint16_t* out) {
  constexpr int width = Shorts::width;
  std::int64_t budget = 16 * std::int64_t(steps);
  for (int x = 0; x < n; x += together * width) {
    Shorts::Vec best[together];
    for (int v = 0; v < together; ++v) {
      best[v] = Shorts::load(g + x + v * width);
      if (x + (v + 1) * width > n) best[v] = Shorts::firstLanes(best[v], n - x - v * width);
    }
    int k = 1;
    for (; Shorts::anyGreater(maximumOf(best), Shorts::broadcast(std::uint16_t(k * k))); k += 2) {
      if (k > reach) break;
      if (k + 1 >= windowEnd) return false;
      const Shorts::Vec near = Shorts::broadcast(std::uint16_t(k * k)),
                        far = Shorts::broadcast(std::uint16_t((k + 1) * (k + 1)));
      for (int v = 0; v < together; ++v) {
        const std::uint16_t* at = g + x + v * width;
        const Shorts::Vec a = Shorts::min(Shorts::load(at - k), Shorts::load(at + k));
        const Shorts::Vec b = Shorts::min(Shorts::load(at - k - 1), Shorts::load(at + k + 1));
        best[v] = Shorts::min(best[v], Shorts::min(a + near, b + far));
      }
    }
    budget += together * (std::int64_t(steps) - k);
    if (budget < 0) return false;
    for (int v = 0; v < together; ++v) Shorts::store(out + x + v * width, best[v]);
  }
  return true;
}

/// Decides when to try a window: adjacent lines behave alike. Depends on the number of failures, not on time.
/// Does not change the result.
struct WindowChoice {
  int skip = 0, failures = 0; ///< lines still to solve without a window, and consecutive failures

  bool take() {
    if (skip == 0) return true;
    --skip;
    return false;
  }
  void fared(bool well) {
    failures = well ? 0 : failures + 1;
    skip = well ? 0 : 1 << (failures < 6 ? failures : 6);
  }
};

} // namespace isochrone::distance::ISOCHRONE_ISA
