// MinMax.h - minimum and maximum of many values, computed by all threads.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace isochrone::rays {

/// The range of some values.
template <class Real>
struct Extremes {
  Real minimum, maximum; ///< of the values other than +infinity; +infinity and 0 if there is none
  bool infinite;         ///< whether +infinity occurs
  bool positive;         ///< whether all values are positive
};

template <class Real>
Extremes<Real> extremesOf(std::span<const Real> values, int threads) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  const Real* const value = values.data();
  const auto count = std::int64_t(values.size());
  const int team = count > 1 << 16 ? threads : 1;
  // All of them have the type of the values, so that the loop vectorises. Clang 14 with a sanitizer loses the
  // reductions of `for simd`.
  Real minimum = infinity, maximum = 0, top = 0, bad = 0; // top: the maximum including +infinity
#pragma omp parallel for num_threads(team) reduction(min : minimum) reduction(max : maximum, top, bad)
  for (int part = 0; part < team; ++part) {
    const std::int64_t end = count * (part + 1) / team;
#pragma omp simd reduction(min : minimum) reduction(max : maximum, top, bad)
    for (std::int64_t i = count * part / team; i < end; ++i) {
      const Real v = value[i], finite = v < infinity ? v : Real(0);
      minimum = v < minimum ? v : minimum;
      maximum = finite > maximum ? finite : maximum;
      top = v > top ? v : top;
      bad = v > 0 ? bad : Real(1);
    }
  }
  return {minimum, maximum, top == infinity, bad == 0};
}

} // namespace isochrone::rays
