// MinMax.h - minimum and maximum of many values, computed by all threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace isochrone::rays {

/// Minimum and maximum of the values other than +infinity, whether +infinity occurs, and the index of the
/// first value that is not positive.
template <class Real>
struct Extremes {
  Real minimum = std::numeric_limits<Real>::infinity(), maximum = 0;
  bool infinite = false;
  std::int64_t bad = std::numeric_limits<std::int64_t>::max();
};

/// Computes the extremes in 16 lanes, which the compiler vectorises.
template <class Real>
Extremes<Real> extremesOfPart(const Real* values, std::int64_t count) {
  constexpr int lanes = 16;
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  Real minimum[lanes], maximum[lanes], largest[lanes];
  int bad[lanes]{};
  std::fill_n(minimum, lanes, infinity);
  std::fill_n(maximum, lanes, Real(0));
  std::fill_n(largest, lanes, Real(0));
  const auto include = [&](Real s, int lane) {
    minimum[lane] = s < minimum[lane] ? s : minimum[lane];
    const Real finite = s < infinity ? s : Real(0);
    maximum[lane] = finite > maximum[lane] ? finite : maximum[lane];
    largest[lane] = s > largest[lane] ? s : largest[lane];
    bad[lane] |= s > 0 ? 0 : 1;
  };
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int lane = 0; lane < lanes; ++lane) include(values[i + lane], lane);
  for (; i < count; ++i) include(values[i], 0);
  Extremes<Real> part;
  part.minimum = *std::min_element(minimum, minimum + lanes);
  part.maximum = *std::max_element(maximum, maximum + lanes);
  part.infinite = *std::max_element(largest, largest + lanes) == infinity;
  if (*std::max_element(bad, bad + lanes))
    part.bad = std::find_if(values, values + count, [](Real s) { return !(s > 0); }) - values;
  return part;
}

template <class Real>
Extremes<Real> extremesOf(std::span<const Real> values, int threads) {
  constexpr std::int64_t share = 1 << 16;
  const std::int64_t count = std::int64_t(values.size()), shares = (count + share - 1) / share;
  std::vector<Extremes<Real>> parts(shares);
#pragma omp parallel for num_threads(threads) if (shares > 1)
  for (std::int64_t p = 0; p < shares; ++p) {
    parts[p] = extremesOfPart(values.data() + p * share, std::min(share, count - p * share));
    if (parts[p].bad < share) parts[p].bad += p * share;
  }
  Extremes<Real> all;
  for (const auto& part : parts) {
    all.minimum = std::min(all.minimum, part.minimum);
    all.maximum = std::max(all.maximum, part.maximum);
    all.infinite = all.infinite || part.infinite;
    all.bad = std::min(all.bad, part.bad);
  }
  return all;
}

} // namespace isochrone::rays
