// Extremes.h - the least and the most of many values, with all threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace isochrone::rays {

/// Of the values that are not +infinity, and the number of the first one that is not positive.
template <class Real>
struct Extremes {
  Real least = std::numeric_limits<Real>::infinity(), most = 0;
  std::int64_t bad = std::numeric_limits<std::int64_t>::max();
};

template <class Real>
Extremes<Real> extremesOf(std::span<const Real> values, int threads) {
  constexpr std::int64_t share = 1 << 16;
  const std::int64_t count = std::int64_t(values.size()), shares = (count + share - 1) / share;
  std::vector<Extremes<Real>> parts(shares);
#pragma omp parallel for num_threads(threads)
  for (std::int64_t p = 0; p < shares; ++p) {
    Extremes<Real> part;
    for (std::int64_t i = p * share; i < std::min(count, (p + 1) * share); ++i) {
      const Real s = values[i];
      if (!(s > 0)) part.bad = std::min(part.bad, i);
      if (s < part.least) part.least = s;
      if (s > part.most && s < std::numeric_limits<Real>::infinity()) part.most = s;
    }
    parts[p] = part;
  }
  Extremes<Real> all;
  for (const auto& part : parts) {
    all.least = std::min(all.least, part.least);
    all.most = std::max(all.most, part.most);
    all.bad = std::min(all.bad, part.bad);
  }
  return all;
}

} // namespace isochrone::rays
