// MinMax.h - minimum and maximum of many values, computed by all threads.
#pragma once

#include "Execution/RoundPool.h"

#include <algorithm>
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

/// All numbers have the type of the values, and the loop is in a function of its own, so that it vectorises:
/// g++ 12 does not vectorise it within the lambda.
template <class Real>
Extremes<Real> extremesOf(const Real* value, std::int64_t count) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  Real minimum = infinity, maximum = 0, top = 0, bad = 0; // top: the maximum including +infinity
#pragma omp simd reduction(min : minimum) reduction(max : maximum, top, bad)
  for (std::int64_t i = 0; i < count; ++i) {
    const Real v = value[i], finite = v < infinity ? v : Real(0);
    minimum = v < minimum ? v : minimum;
    maximum = finite > maximum ? finite : maximum;
    top = v > top ? v : top;
    bad = v > 0 ? bad : Real(1);
  }
  return {minimum, maximum, top == infinity, bad == 0};
}

template <class Real>
Extremes<Real> extremesOf(std::span<const Real> values, execution::RoundPool& pool) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  const auto extremesIn = [&](std::int64_t begin, std::int64_t end, int) {
    return extremesOf(values.data() + begin, end - begin);
  };
  return pool.reduce(std::int64_t(values.size()), Extremes<Real>{infinity, 0, false, true}, extremesIn,
                     [](Extremes<Real>& all, const Extremes<Real>& part) {
                       all.minimum = std::min(all.minimum, part.minimum);
                       all.maximum = std::max(all.maximum, part.maximum);
                       all.infinite |= part.infinite, all.positive &= part.positive;
                     });
}

} // namespace isochrone::rays
