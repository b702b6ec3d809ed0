// ExactSum.h - a sum that does not depend on the order of its terms.
#pragma once

#include <cmath>
#include <cstdint>

namespace isochrone::oriented {

/// A sum of numbers from 0 to 2^14 in fixed point: each is rounded down to a multiple of 2^-48, and nothing
/// else is rounded. The parts of an image therefore add up to the sum over the whole. Exact for up to 2^36
/// numbers below 8.
struct ExactSum {
  std::int64_t high = 0, low = 0; ///< in units of 2^-24 and 2^-48

  void add(double value) {
    const auto units = std::int64_t(std::ldexp(1, 48) * value);
    high += units >> 24;
    low += units & 0xffffff;
  }
  void add(const ExactSum& other) { high += other.high, low += other.low; }
  double value() const { return std::ldexp(double(high), -24) + std::ldexp(double(low), -48); }
};

} // namespace isochrone::oriented
