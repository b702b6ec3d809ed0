// Operations.h - operations on the operands of one lane. Floating point is IEEE with rounding to nearest, as
// on the device. Only min and max return the device's canonical NaN.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace on_host {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
inline constexpr bool isFloat = std::is_floating_point_v<T>;
template <class T>
inline constexpr u32 bitsOf = 8 * sizeof(T);

/// Integers wrap, as on the device.
template <class T>
constexpr T sum(T a, T b) {
  if constexpr (isFloat<T>)
    return a + b;
  else
    return T(Unsigned<T>(a) + Unsigned<T>(b));
}
template <class T>
constexpr T negated(T a) {
  if constexpr (isFloat<T>)
    return -a;
  else
    return T(Unsigned<T>(0) - Unsigned<T>(a));
}
template <class T>
constexpr T product(T a, T b) {
  if constexpr (isFloat<T>)
    return a * b;
  else
    return T(u64(Unsigned<T>(a)) * u64(Unsigned<T>(b)));
}
template <class T>
constexpr T highProduct(T a, T b) {
  using Wide32 = std::conditional_t<std::is_signed_v<T>, s64, u64>;
  using Wide64 = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  using Wide = std::conditional_t<sizeof(T) == 8, Wide64, Wide32>;
  return T((Wide(a) * Wide(b)) >> bitsOf<T>);
}
template <class T>
constexpr T quotient(T a, T b) {
  if constexpr (isFloat<T>) {
    return a / b;
  } else {
    if (b == 0) return T(~T(0));
    if (std::is_signed_v<T> && b == T(-1)) return negated(a);
    return a / b;
  }
}
template <class T>
constexpr T remainder(T a, T b) {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == T(-1)) return 0;
  return a % b;
}

/// Returns the minimum or, with `larger`, the maximum. -0 is below +0. If one operand is NaN, returns the
/// other.
template <bool larger, class T>
T chosen(T a, T b) {
  T r = (a < b) != larger ? a : b; // branch-free, so that loops over lanes vectorise
  if constexpr (isFloat<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, u32, u64>;
    r = a == b ? (std::signbit(a) != larger ? a : b) : r;
    r = b != b ? a : r;
    r = a != a ? (b != b ? std::bit_cast<T>(Bits(~Bits(0) >> 1)) : b) : r; // canonical NaN
  }
  return r;
}

inline constexpr auto add = []<class T>(T a, T b) { return sum(a, b); };
inline constexpr auto subtract = []<class T>(T a, T b) {
  if constexpr (isFloat<T>)
    return a - b;
  else
    return T(Unsigned<T>(a) - Unsigned<T>(b));
};
inline constexpr auto multiply = []<class T>(T a, T b) { return product(a, b); };
inline constexpr auto multiplyHigh = []<class T>(T a, T b) { return highProduct(a, b); };
inline constexpr auto divide = []<class T>(T a, T b) { return quotient(a, b); };
inline constexpr auto remain = []<class T>(T a, T b) { return remainder(a, b); };
inline constexpr auto minimum = []<class T>(T a, T b) { return chosen<false>(a, b); };
inline constexpr auto maximum = []<class T>(T a, T b) { return chosen<true>(a, b); };
inline constexpr auto bitAnd = []<class T>(T a, T b) { return T(a & b); };
inline constexpr auto bitOr = []<class T>(T a, T b) { return T(a | b); };
inline constexpr auto bitXor = []<class T>(T a, T b) { return T(a ^ b); };
inline constexpr auto withSignOf = []<class T>(T sign, T size) { return std::copysign(size, sign); };

/// Applies an operation to two 16-bit numbers in a word.
template <auto op>
inline constexpr auto halves = [](u32 a, u32 b) {
  return u32(u16(op(u16(a), u16(b)))) | u32(u16(op(u16(a >> 16), u16(b >> 16)))) << 16;
};

inline constexpr auto same = []<class T>(T a) { return a; };
inline constexpr auto bitNot = []<class T>(T a) { return T(~a); };
inline constexpr auto negate = []<class T>(T a) { return negated(a); };
inline constexpr auto absolute = []<class T>(T a) {
  if constexpr (isFloat<T>)
    return std::fabs(a);
  else
    return a < 0 ? negated(a) : a;
};
inline constexpr auto squareRoot = []<class T>(T a) { return std::sqrt(a); };
inline constexpr auto reciprocal = []<class T>(T a) { return T(1) / a; };
inline constexpr auto reverseBits = []<class T>(T a) {
  T r = 0;
  for (u32 b = 0; b < bitsOf<T>; ++b) r = T(r << 1 | (a >> b & 1));
  return r;
};

inline constexpr auto fusedMultiplyAdd = []<class T>(T a, T b, T c) { return std::fma(a, b, c); };
inline constexpr auto multiplyAdd = []<class T>(T a, T b, T c) { return sum(product(a, b), c); };
inline constexpr auto multiplyHighAdd = []<class T>(T a, T b, T c) { return sum(highProduct(a, b), c); };

inline constexpr auto shiftLeft = []<class T>(T a, u32 n) {
  return n >= bitsOf<T> ? T(0) : T(Unsigned<T>(a) << n);
};
inline constexpr auto shiftRight = []<class T>(T a, u32 n) {
  if (n < bitsOf<T>) return T(a >> n);
  return std::is_signed_v<T> ? T(a >> (bitsOf<T> - 1)) : T(0);
};

// Comparisons; those ending with OrNaN are true if an operand is NaN.
inline constexpr auto less = [](auto a, auto b) { return a < b; };
inline constexpr auto lessEqual = [](auto a, auto b) { return a <= b; };
inline constexpr auto greater = [](auto a, auto b) { return a > b; };
inline constexpr auto greaterEqual = [](auto a, auto b) { return a >= b; };
inline constexpr auto equal = [](auto a, auto b) { return a == b; };
inline constexpr auto notEqual = [](auto a, auto b) { return a < b || a > b; };
inline constexpr auto lessOrNaN = [](auto a, auto b) { return !(a >= b); };
inline constexpr auto lessEqualOrNaN = [](auto a, auto b) { return !(a > b); };
inline constexpr auto greaterOrNaN = [](auto a, auto b) { return !(a <= b); };
inline constexpr auto greaterEqualOrNaN = [](auto a, auto b) { return !(a < b); };
inline constexpr auto equalOrNaN = [](auto a, auto b) { return !(a < b || a > b); };
inline constexpr auto notEqualOrNaN = [](auto a, auto b) { return a != b; };
inline constexpr auto areNumbers = [](auto a, auto b) { return a == a && b == b; };
inline constexpr auto areNotNumbers = [](auto a, auto b) { return a != a || b != b; };

/// Converts float to integer as the device does: saturates; NaN gives 0 (64 bits: the lowest value).
template <class D, class S>
D toInteger(S rounded) {
  if constexpr (isFloat<D>) {
    return D(rounded);
  } else {
    using L = std::numeric_limits<D>;
    if (rounded != rounded) return sizeof(D) == 8 ? D(u64(1) << 63) : D(0);
    if (rounded < S(L::min())) return L::min();
    if (rounded >= std::ldexp(S(1), L::digits)) return L::max();
    return D(rounded);
  }
}
// Conversions; the result type is explicit, as in cast.operator()<float>(1).
inline constexpr auto cast = []<class D>(auto a) { return D(a); };
inline constexpr auto toNearest = []<class D>(auto a) { return toInteger<D>(std::nearbyint(a)); };
inline constexpr auto toZero = []<class D>(auto a) { return toInteger<D>(std::trunc(a)); };
inline constexpr auto toMinusInfinity = []<class D>(auto a) { return toInteger<D>(std::floor(a)); };
inline constexpr auto toPlusInfinity = []<class D>(auto a) { return toInteger<D>(std::ceil(a)); };
inline constexpr auto saturate = []<class D>(auto a) {
  using L = std::numeric_limits<D>;
  return std::cmp_less(a, L::min()) ? L::min() : std::cmp_greater(a, L::max()) ? L::max() : D(a);
};
inline constexpr auto leadingZeros = []<class D>(auto a) { return D(std::countl_zero(a)); };
inline constexpr auto countBits = []<class D>(auto a) { return D(std::popcount(a)); };
/// Returns the highest bit that differs from the sign; -1 if there is none.
inline constexpr auto highestBit = []<class D>(auto a) {
  const auto v = Unsigned<decltype(a)>(a < 0 ? ~a : a);
  return v == 0 ? D(~D(0)) : D(bitsOf<decltype(a)> - 1 - std::countl_zero(v));
};
/// Returns its distance from the highest bit.
inline constexpr auto highestBitShift = []<class D>(auto a) {
  const D bit = highestBit.operator()<D>(a);
  return bit == D(~D(0)) ? bit : D(bitsOf<decltype(a)> - 1 - bit);
};

template <class T>
T insertField(T field, T into, u32 at, u32 count) {
  at &= 255, count &= 255;
  if (at >= bitsOf<T> || count == 0) return into;
  const T mask = T((count >= bitsOf<T> ? T(~T(0)) : T((T(1) << count) - 1)) << at);
  return T((into & ~mask) | (T(field << at) & mask));
}
/// Extracts a bit field. Signed types replicate the highest bit of the field.
template <class T>
T extractField(T from, u32 at, u32 count) {
  using U = Unsigned<T>;
  at &= 255, count &= 255;
  if (count == 0) return 0;
  const u32 last = std::min(at + count - 1, bitsOf<T> - 1);
  const bool fill = std::is_signed_v<T> && (U(from) >> last & 1);
  const u32 kept = at >= bitsOf<T> ? 0 : std::min(count, bitsOf<T> - at);
  if (kept == bitsOf<T>) return from;
  const U low = U((U(1) << kept) - 1), value = at >= bitsOf<T> ? U(0) : U(U(from) >> at);
  return T((value & low) | (fill ? U(~low) : U(0)));
}
/// shf: extracts 32 bits of 64.
inline u32 funnelShift(u32 low, u32 high, u32 distance, bool right, bool clamp) {
  const u32 n = clamp ? std::min(distance, 32u) : distance & 31;
  const u64 both = u64(high) << 32 | low;
  return right ? u32(n == 32 ? both >> 32 : both >> n) : n == 32 ? low : u32((both << n) >> 32);
}
/// lop3: any function of three bits, bitwise.
inline u32 logic3(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  for (u32 k = 0; k < 8; ++k)
    if (table >> k & 1) r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  return r;
}
/// prmt: selects four of eight bytes, or their signs.
inline u32 permuteBytes(u32 low, u32 high, u32 selectors) {
  const u64 both = u64(high) << 32 | low;
  u32 r = 0;
  for (int k = 0; k < 4; ++k) {
    const u32 selector = selectors >> (4 * k) & 15;
    u32 byte = u32(both >> (8 * (selector & 7))) & 255;
    if (selector & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << (8 * k);
  }
  return r;
}

} // namespace on_host
