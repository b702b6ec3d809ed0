// Lanes.h - vectors of squared distances in the instruction set of the translation unit: operations that
// Execution/Lanes.h does not provide.
#pragma once

#include "Execution/Lanes.h"

#include <cstdint>

namespace isochrone::distance::ISOCHRONE_ISA {

using execution::ISOCHRONE_ISA::vectorBytes;

/// For every byte of marks: the number of marked lanes up to each lane, without the first lane; and the
/// marked lanes in order.
struct MarkTable {
  std::uint8_t count[256][8]{}, place[256][8]{};
  constexpr MarkTable() {
    for (int marks = 0; marks < 256; ++marks)
      for (int lane = 0, n = 0; lane < 8; ++lane) {
        if (marks >> lane & 1) place[marks][n++] = std::uint8_t(lane);
        count[marks][lane] = std::uint8_t(n - (marks & 1));
      }
  }
};
static constexpr MarkTable markTable;

/// 0, 1, 2, ...
template <class T>
struct LaneNumbers {
  alignas(64) T at[16]{};
  constexpr LaneNumbers() {
    for (int l = 0; l < 16; ++l) at[l] = T(l);
  }
};
template <class T>
static constexpr LaneNumbers<T> laneNumbers;

/// Vectors of `width` numbers.
template <class T>
struct Lanes : execution::ISOCHRONE_ISA::Lanes<T> {
  using Base = execution::ISOCHRONE_ISA::Lanes<T>;
  using V = typename Base::V;
  using Base::broadcast, Base::less, Base::load, Base::store, Base::width;

  /// Returns first, first + 1, ...
  static V iota(T first) { return load(laneNumbers<T>.at) + first; }

  /// Moves the lanes up (k > 0) or down by |k|, and fills with lanes of `fill`.
  template <int k>
  static V shifted(V v, V fill) {
    constexpr int w = width, from = k > 0 ? w - k : -k;
    const V low = k > 0 ? fill : v, high = k > 0 ? v : fill;
    if constexpr (w == 16)
      return __builtin_shufflevector(low, high, from, from + 1, from + 2, from + 3, from + 4, from + 5,
                                     from + 6, from + 7, from + 8, from + 9, from + 10, from + 11, from + 12,
                                     from + 13, from + 14, from + 15);
    else if constexpr (w == 8)
      return __builtin_shufflevector(low, high, from, from + 1, from + 2, from + 3, from + 4, from + 5,
                                     from + 6, from + 7);
    else
      return __builtin_shufflevector(low, high, from, from + 1, from + 2, from + 3);
  }

  /// Sets bit l if a * b is less than c * d in lane l; exact for integers.
  static std::uint32_t productLess(V a, V b, V c, V d) {
    if constexpr (sizeof(T) == 8) return less(a * b, c * d);
#if defined(__AVX512F__)
    const auto odd = [](V v) { return _mm512_srli_epi64((__m512i)v, 32); };
    const __mmask8 evenLess = _mm512_cmplt_epi64_mask(_mm512_mul_epi32((__m512i)a, (__m512i)b),
                                                      _mm512_mul_epi32((__m512i)c, (__m512i)d));
    const __mmask8 oddLess =
        _mm512_cmplt_epi64_mask(_mm512_mul_epi32(odd(a), odd(b)), _mm512_mul_epi32(odd(c), odd(d)));
    return _mm512_movepi32_mask(
        _mm512_mask_blend_epi32(0xaaaa, _mm512_movm_epi64(evenLess), _mm512_movm_epi64(oddLess)));
#elif defined(__AVX2__)
    const auto odd = [](V v) { return _mm256_srli_epi64((__m256i)v, 32); };
    const __m256i evenLess = _mm256_cmpgt_epi64(_mm256_mul_epi32((__m256i)c, (__m256i)d),
                                                _mm256_mul_epi32((__m256i)a, (__m256i)b));
    const __m256i oddLess =
        _mm256_cmpgt_epi64(_mm256_mul_epi32(odd(c), odd(d)), _mm256_mul_epi32(odd(a), odd(b)));
    return (std::uint32_t)_mm256_movemask_ps((__m256)_mm256_blend_epi32(evenLess, oddLess, 0xaa));
#else
    std::uint32_t bits = 0;
    for (int l = 0; l < width; ++l)
      bits |= (std::int64_t(a[l]) * std::int64_t(b[l]) < std::int64_t(c[l]) * std::int64_t(d[l]) ? 1u : 0u)
              << l;
    return bits;
#endif
  }

  /// Sets bit l if p[l] is nonzero.
  static std::uint32_t nonzero(const std::uint8_t* p) {
    if constexpr (width == 16) {
#if defined(__SSE2__)
      const __m128i zero = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i*)p), _mm_setzero_si128());
      return std::uint32_t(_mm_movemask_epi8(zero)) ^ 0xffff;
#endif
    }
    std::uint64_t bytes = 0; // each byte 0 or 1
    __builtin_memcpy(&bytes, p, width < 8 ? width : 8);
    return std::uint32_t(bytes * 0x0102040810204080u >> 56);
  }

  /// Writes the lanes whose bit is set contiguously; the rest of the vector after them is overwritten.
  static void compress(T* to, V v, std::uint32_t bits) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
      return store(to, (V)_mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)v));
    if constexpr (sizeof(T) == 8) return store(to, (V)_mm512_maskz_compress_pd((__mmask8)bits, (__m512d)v));
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4) {
      const __m256i place = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)markTable.place[bits]));
      return store(to, (V)_mm256_permutevar8x32_epi32((__m256i)v, place));
    }
#endif
    for (int l = 0; l < width; ++l) {
      *to = v[l];
      to += bits >> l & 1;
    }
  }

  /// Returns p[number of set bits at or below l] in lane l.
  static V spread(const T* p, std::uint32_t bits) {
    p += bits & 1;
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) {
      const std::uint32_t low = bits & 255, high = bits >> 8;
      const __m128i bytes = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i*)markTable.count[low]),
                                               _mm_loadl_epi64((const __m128i*)markTable.count[high]));
      const int before = __builtin_popcount(low) - int(low & 1) + int(high & 1);
      __m512i place = _mm512_cvtepu8_epi32(bytes);
      place = _mm512_mask_add_epi32(place, 0xff00, place, _mm512_set1_epi32(before));
      return (V)_mm512_permutexvar_epi32(place, (__m512i)load(p));
    }
    if constexpr (sizeof(T) == 8) {
      const __m512i place = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i*)markTable.count[bits]));
      return (V)_mm512_permutexvar_pd(place, (__m512d)load(p));
    }
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4) {
      const __m256i place = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)markTable.count[bits]));
      return (V)_mm256_permutevar8x32_epi32((__m256i)load(p), place);
    }
#endif
    V v;
    for (int l = 0; l < width; ++l) v[l] = p[markTable.count[bits][l]];
    return v;
  }
};

/// Vectors of bytes.
struct Bytes {
  static constexpr int width = vectorBytes;
  typedef std::uint8_t V __attribute__((vector_size(vectorBytes)));
  typedef std::uint8_t Unaligned __attribute__((vector_size(vectorBytes), aligned(1)));

  static V load(const std::uint8_t* p) { return *(const Unaligned*)p; }
  static void store(std::uint8_t* p, V v) { *(Unaligned*)p = v; }
  static V broadcast(int a) { return V{} + std::uint8_t(a); }
  static V min(V a, V b) { return a < b ? a : b; }
  static V max(V a, V b) { return a > b ? a : b; }
  /// Returns a where v is zero, else b.
  static V whereZero(V v, V a, V b) { return v == 0 ? a : b; }
  /// Returns whether any byte is 255.
  static bool any255(V v) {
#if defined(__AVX512F__)
    return _mm512_cmpeq_epi8_mask((__m512i)v, _mm512_set1_epi8(-1)) != 0;
#elif defined(__AVX2__)
    return _mm256_movemask_epi8(_mm256_cmpeq_epi8((__m256i)v, _mm256_set1_epi8(-1))) != 0;
#elif defined(__SSE2__)
    return _mm_movemask_epi8(_mm_cmpeq_epi8((__m128i)v, _mm_set1_epi8(-1))) != 0;
#else
    for (int l = 0; l < width; ++l)
      if (v[l] == 255) return true;
    return false;
#endif
  }
};

/// Vectors of 16-bit numbers.
struct Shorts {
  static constexpr int width = vectorBytes / 2;
  typedef std::uint16_t V __attribute__((vector_size(vectorBytes)));
  typedef std::uint16_t Unaligned __attribute__((vector_size(vectorBytes), aligned(2)));

  static V load(const std::uint16_t* p) { return *(const Unaligned*)p; }
  static void store(std::uint16_t* p, V v) { *(Unaligned*)p = v; }
  static V broadcast(int a) { return V{} + std::uint16_t(a); }
  static V min(V a, V b) { return a < b ? a : b; }
  template <int n>
  static V largest(const V (&v)[n]) {
    V most = v[0];
    for (int i = 1; i < n; ++i) most = v[i] > most ? v[i] : most;
    return most;
  }
  /// Returns 0 in all lanes but the first `count`, which may be 0.
  static V firstLanes(V v, int count) {
    for (int l = 0; l < width; ++l) v[l] = l < count ? v[l] : std::uint16_t(0);
    return v;
  }
  /// Returns whether any lane of v is above the limit.
  static bool anyAbove(V v, V limit) {
#if defined(__AVX512F__)
    return _mm512_cmpgt_epu16_mask((__m512i)v, (__m512i)limit) != 0;
#elif defined(__AVX2__)
    const __m256i rest = _mm256_subs_epu16((__m256i)v, (__m256i)limit);
    return !_mm256_testz_si256(rest, rest);
#elif defined(__SSE2__)
    const __m128i rest = _mm_subs_epu16((__m128i)v, (__m128i)limit);
    return _mm_movemask_epi8(_mm_cmpeq_epi16(rest, _mm_setzero_si128())) != 0xffff;
#else
    for (int l = 0; l < width; ++l)
      if (v[l] > limit[l]) return true;
    return false;
#endif
  }
};

} // namespace isochrone::distance::ISOCHRONE_ISA
