// WriteResults.h - converts squared distances to the requested results.
#pragma once

#include "DistanceTransform/Host/LineEnvelope.h"
#include "DistanceTransform/Host/LineWindow.h"
#include "DistanceTransform/Host/Passes.h"

namespace isochrone::distance::ISOCHRONE_ISA {

inline constexpr int chunk = 64; ///< number of points of loops without a remainder

/// Calls numbers(to) for a whole chunk, and stores the first n numbers to `to`.
template <class N, class F>
inline void storeChunk(N* to, std::int64_t n, F&& numbers) {
  if (n >= chunk) return numbers(to);
  N all[chunk];
  numbers(all);
  __builtin_memcpy(to, all, std::size_t(n) * sizeof(N));
}

template <class S>
inline double widest(double limit) {
  if constexpr (sizeof(S) == 2) return limit < shortNone - 1 ? limit : shortNone - 1;
  if constexpr (sizeof(S) == 4) return limit < none<S> - 1 ? limit : none<S> - 1;
  return limit;
}

/// Computes the roots of a chunk of squared distances. If `small`, they are integers that float holds
/// exactly.
template <class S>
inline void roots(const S* square, S limit, double unit, bool small, float* to) {
  constexpr float infinite = __builtin_inff();
  if (small && unit == 1)
    for (int l = 0; l < chunk; ++l) {
      const float root = __builtin_sqrtf(float(square[l]));
      to[l] = square[l] > limit ? infinite : root;
    }
  else
    for (int l = 0; l < chunk; ++l) {
      const double root = __builtin_sqrt(double(square[l])) * unit;
      to[l] = square[l] > limit ? infinite : float(root);
    }
}

template <class S>
inline void finishChunk(const S* square, bool small, const std::uint8_t* sites, std::int64_t n,
                        const Output& out, std::int64_t first) {
  const S limit = S(widest<S>(out.limit));
  constexpr double infinite = __builtin_inf();
  if (out.distance)
    storeChunk(out.distance + first, n, [&](float* to) {
      roots(square, limit, out.unit, small, to);
      if (out.negative)
        for (int l = 0; l < chunk; ++l) to[l] = sites[l] ? -to[l] : to[l];
    });
  if (out.precise)
    storeChunk(out.precise + first, n, [&](double* to) {
      for (int l = 0; l < chunk; ++l) {
        const double root = __builtin_sqrt(double(square[l])) * out.unit;
        to[l] = square[l] > limit ? infinite : root;
      }
      if (out.negative)
        for (int l = 0; l < chunk; ++l) to[l] = sites[l] ? -to[l] : to[l];
    });
  if (out.squared)
    storeChunk(out.squared + first, n, [&](double* to) {
      const double unit = out.unit * out.unit;
      for (int l = 0; l < chunk; ++l) to[l] = square[l] > limit ? infinite : double(square[l]) * unit;
    });
}

/// Returns whether float holds all numbers up to the limit exactly.
template <class S>
inline bool areSmall(const S* square, S limit, std::int64_t n) {
  if constexpr (sizeof(S) == 2) return true;
  if constexpr (sizeof(S) == 8) return false;
  S largest = 0;
  for (std::int64_t x = 0; x < n; ++x) {
    const S counts = square[x] > limit ? 0 : square[x];
    largest = counts > largest ? counts : largest;
  }
  return largest < 1 << 24;
}

/// Writes n points from point `first` on.
/// @param square  readable up to the next whole chunk
/// @param sites  of these points, if distances of sites are negative
template <class S>
inline void finish(const S* square, const std::uint8_t* sites, std::int64_t n, const Output& out,
                   std::int64_t first) {
  const bool small = out.distance && areSmall(square, S(widest<S>(out.limit)), n);
  std::uint8_t kind[chunk] = {};
  for (std::int64_t x = 0; x < n; x += chunk) {
    const std::uint8_t* here = out.negative ? sites + x : nullptr;
    if (out.negative && n - x < chunk) {
      __builtin_memcpy(kind, sites + x, std::size_t(n - x));
      here = kind;
    }
    finishChunk(square + x, small, here, n - x, out, first + x);
  }
}

} // namespace isochrone::distance::ISOCHRONE_ISA
