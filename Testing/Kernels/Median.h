// Median.h - the middle one of some numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace isochrone {

/// The upper of the two in the middle, if their number is even.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

} // namespace isochrone
