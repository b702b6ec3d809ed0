// Arena.h - allocates consecutive parts of a thread's scratch memory.
#pragma once

#include "DistanceTransform/Host/LineEnvelope.h"

namespace isochrone::distance::ISOCHRONE_ISA {

/// Without memory it only sums the sizes.
struct Arena {
  std::uint8_t* memory = nullptr;
  bool fresh = true; ///< not used before: constant parts must be initialised
  std::int64_t used = 0;

  /// Returns n elements, aligned to cache lines.
  template <class N>
  N* take(std::int64_t n) {
    N* part = memory ? (N*)(memory + used) : nullptr;
    used += (n * std::int64_t(sizeof(N)) + 63) / 64 * 64;
    return part;
  }
  /// Returns a line of n points with at least `pad` elements of `value` before and after it.
  template <class N>
  N* line(std::int64_t n, std::int64_t pad, N value) {
    pad = (pad + 63) / 64 * 64;
    N* part = take<N>(n + 2 * pad);
    if (!part) return nullptr;
    if (fresh)
      for (std::int64_t i = 0; i < pad; ++i) part[i] = part[pad + n + i] = value;
    return part + pad;
  }
  template <class T>
  EnvelopeScratch<T> envelope(std::int64_t n) {
    EnvelopeScratch<T> s;
    for (int i = 0; i < 2; ++i) s.x[i] = line<T>(n, linePad, 0), s.g[i] = line<T>(n, linePad, 0);
    s.start = line<T>(n, linePad, 0);
    s.mark = line<std::uint8_t>(n, linePad, 0);
    if (s.mark && fresh) __builtin_memset(s.mark, 0, std::size_t(n));
    return s;
  }
};

} // namespace isochrone::distance::ISOCHRONE_ISA
