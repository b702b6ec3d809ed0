// Median.h - the median of a list of numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace isochrone {

/// Returns the median; of an even number of values, the upper of the two in the middle.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

} // namespace isochrone
