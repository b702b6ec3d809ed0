// LineMath.h - numbers, bits and single points of the tile kernels, for host teams and CUDA.
#pragma once

#include "Execution/Team.h"

#include <cstdint>
#include <limits>

namespace isochrone::distance {

/// The squared distance of a point without a site. Squared distances are int32 or double (Scheme/Units.h).
/// Finite ones stay below `none`, and the sum of two numbers up to `none` does not overflow.
template <class T>
inline constexpr T none = std::numeric_limits<T>::infinity();
template <>
inline constexpr std::int32_t none<std::int32_t> = (1 << 30) - 1;

/// Return the index of the lowest and of the highest set bit. The word must not be 0.
TEAM_FN int lowestBit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return __ffs(int(word)) - 1;
#else
  return __builtin_ctz(word);
#endif
}
TEAM_FN int highestBit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return 31 - __clz(int(word));
#else
  return 31 - __builtin_clz(word);
#endif
}

/// Returns the number of zeros above the highest set bit. The word must not be 0.
TEAM_FN std::uint32_t leadingZeros(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  std::uint32_t zeros; // __clz would subtract the bit index from 31
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(zeros) : "r"(word));
  return zeros;
#else
  return __builtin_clz(word);
#endif
}
/// Returns the bits in reverse order.
TEAM_FN std::uint32_t reversedBits(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return __brev(word);
#else
  std::uint32_t reversed = 0;
  for (int bit = 0; bit < 32; ++bit) reversed = reversed << 1 | (word >> bit & 1);
  return reversed;
#endif
}
/// Returns the lower half of the 64 bits `high`, `low`, shifted right by up to 32.
TEAM_FN std::uint32_t shiftedRight(std::uint32_t low, std::uint32_t high, int by) {
#ifdef __CUDA_ARCH__
  return __funnelshift_rc(low, high, by);
#else
  return std::uint32_t(((std::uint64_t(high) << 32) | low) >> by);
#endif
}

/// Return the minimum and the maximum of two 16-bit numbers in each half of a word.
TEAM_FN std::uint32_t minHalves(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
  return __vminu2(a, b);
#else
  const std::uint32_t low = 0xffff, high = low << 16;
  return ((a & low) < (b & low) ? a & low : b & low) | ((a & high) < (b & high) ? a & high : b & high);
#endif
}
TEAM_FN std::uint32_t maxHalves(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
  return __vmaxu2(a, b);
#else
  return ~minHalves(~a, ~b);
#endif
}
/// Returns the minimum of a + b and c in each half; the sums must fit. A single instruction on compute
/// capability 9.0.
TEAM_FN std::uint32_t minSumHalves(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return __viaddmin_u16x2(a, b, c);
#else
  return minHalves(a + b, c);
#endif
}

/// Return the bits below `bit`, and the bits from 0 to `bit`.
TEAM_FN std::uint32_t bitsBelow(int bit) { return (1u << bit) - 1; }
TEAM_FN std::uint32_t bitsTo(int bit) { return ~0u >> (31 - bit); }

/// The sites among 32 consecutive points of a row, and the nearest sites of the row to their left and right
/// (Axis::noRow: none). They determine the nearest site of the row for each of the 32 points.
struct alignas(16) SiteWord {
  std::uint32_t bits;
  int left, right;
  int unused = 0; ///< so that it is read with one load
};

/// Returns the site of a row nearest to its point x, the left one in a tie; Axis::noRow if the row has none.
template <class Axis>
TEAM_FN int nearestInRow(const SiteWord& word, int x, const Axis& axis) {
  const int lane = x % 32, first = x - lane;
  const std::uint32_t before = word.bits & bitsTo(lane), after = word.bits & ~bitsTo(lane);
  const int left = before ? first + highestBit(before) : word.left;
  const int right = after ? first + lowestBit(after) : word.right;
  if (left <= Axis::noRow || right <= Axis::noRow) return left <= Axis::noRow ? right : left;
  return axis.prefersLeft(x, left, right) ? left : right;
}

} // namespace isochrone::distance
