// Simd.h - vectors of the instruction set that this translation unit is compiled for.
//
// A hot source is compiled once per instruction set (CMake/HostIsa.cmake); everything it uses lives in the
// namespace named by ISOCHRONE_ISA, so that no inline function compiled for AVX-512 can be linked into
// baseline code. All sets give the same bits: minimum, maximum, comparison and IEEE arithmetic only, no fused
// operations, no approximations.
//
// Vector<T> is the interface, for T float, double, int32, uint16 and uint8. Its type Vec holds `width`
// numbers and has + - * / per lane; its type Mask holds the result of a comparison. Scalar.h has the
// operations that templates over the number type use, for single numbers; SimdPair.h has them for two
// vectors. TestSimd checks all of them on every instruction set.
#pragma once

#include "Execution/SimdOperations.h"

namespace isochrone::execution::ISOCHRONE_ISA {

/// For every byte of bits: the number of set bits up to each lane, without the first lane; and the lanes
/// whose bit is set, in order.
struct LaneTable {
  std::uint8_t count[256][8]{}, lane[256][8]{};
  constexpr LaneTable() {
    for (int bits = 0; bits < 256; ++bits)
      for (int l = 0, n = 0; l < 8; ++l) {
        if (bits >> l & 1) lane[bits][n++] = std::uint8_t(l);
        count[bits][l] = std::uint8_t(n - (bits & 1));
      }
  }
};
static constexpr LaneTable laneTable;

template <class T>
struct Vector : Operations<T> {
  using typename Operations<T>::Vec;
  using Operations<T>::width, Operations<T>::load, Operations<T>::store, Operations<T>::shuffle,
      Operations<T>::bits, Operations<T>::less;

  /// Loads half a vector from each address. For floats.
  static Vec loadHalves(const T* low, const T* high) {
#if ISOCHRONE_SIMD_BITS == 512
    const __m512d a = _mm512_castpd256_pd512(_mm256_loadu_pd((const double*)low));
    return (Vec)_mm512_insertf64x4(a, _mm256_loadu_pd((const double*)high), 1);
#else
    Vec v;
    for (int l = 0; l < width / 2; ++l) v[l] = low[l], v[l + width / 2] = high[l];
    return v;
#endif
  }
  /// Loads the lanes where m is true, and touches no others: these are those of `other`. For floats.
  static Vec loadWhere(typename Operations<T>::Mask m, const T* p, Vec other) {
#if ISOCHRONE_SIMD_BITS == 512
    return _mm512_mask_loadu_ps(other, m, p);
#elif ISOCHRONE_SIMD_BITS == 256
    return Operations<T>::select(m, _mm256_maskload_ps(p, (__m256i)m), other);
#else
    const std::uint32_t lanes = bits(m);
    for (int l = 0; l < width; ++l)
      if (lanes >> l & 1) other[l] = p[l];
    return other;
#endif
  }
  /// Loads `width` floats as doubles.
  static Vec fromFloats(const float* p) {
#if ISOCHRONE_SIMD_BITS == 512
    return _mm512_cvtps_pd(_mm256_loadu_ps(p));
#elif ISOCHRONE_SIMD_BITS == 256
    return _mm256_cvtps_pd(_mm_loadu_ps(p));
#else
    Vec v;
    for (int l = 0; l < width; ++l) v[l] = p[l];
    return v;
#endif
  }

  /// Returns 0 in all lanes but the first `count`, which may be 0 or more than `width`.
  static Vec firstLanes(Vec v, int count) {
    for (int l = 0; l < width; ++l) v[l] = l < count ? v[l] : T(0);
    return v;
  }
  /// Moves the lanes up (k > 0) or down by |k|, and fills with lanes of `fill`.
  template <int k>
  static Vec shifted(Vec v, Vec fill) {
    constexpr int from = k > 0 ? width - k : -k;
    return shuffle(k > 0 ? fill : v, k > 0 ? v : fill, [](int l) { return from + l; });
  }
  /// Transposes a width x width block by log2(width) perfect shuffles.
  static void transpose(Vec (&rows)[width]) {
    for (int bit = 1; bit < width; bit *= 2) {
      Vec merged[width];
      for (int i = 0; i < width / 2; ++i) {
        const Vec a = rows[i], b = rows[i + width / 2];
        merged[2 * i] = shuffle(a, b, [](int l) { return l / 2 + l % 2 * width; });
        merged[2 * i + 1] = shuffle(a, b, [](int l) { return width / 2 + l / 2 + l % 2 * width; });
      }
      for (int i = 0; i < width; ++i) rows[i] = merged[i];
    }
  }

  /// Sets bit l if a * b < c * d in lane l; exact for int32. For int32 and double.
  static std::uint32_t bitsOfLessProduct(Vec a, Vec b, Vec c, Vec d) {
    if constexpr (sizeof(T) == 8) return bits(less(a * b, c * d));
#if ISOCHRONE_SIMD_BITS == 512
    const auto odd = [](Vec v) { return _mm512_srli_epi64((__m512i)v, 32); };
    const __mmask8 evenLess = _mm512_cmplt_epi64_mask(_mm512_mul_epi32((__m512i)a, (__m512i)b),
                                                      _mm512_mul_epi32((__m512i)c, (__m512i)d));
    const __mmask8 oddLess =
        _mm512_cmplt_epi64_mask(_mm512_mul_epi32(odd(a), odd(b)), _mm512_mul_epi32(odd(c), odd(d)));
    return _mm512_movepi32_mask(
        _mm512_mask_blend_epi32(0xaaaa, _mm512_movm_epi64(evenLess), _mm512_movm_epi64(oddLess)));
#elif ISOCHRONE_SIMD_BITS == 256
    const auto odd = [](Vec v) { return _mm256_srli_epi64((__m256i)v, 32); };
    const __m256i evenLess = _mm256_cmpgt_epi64(_mm256_mul_epi32((__m256i)c, (__m256i)d),
                                                _mm256_mul_epi32((__m256i)a, (__m256i)b));
    const __m256i oddLess =
        _mm256_cmpgt_epi64(_mm256_mul_epi32(odd(c), odd(d)), _mm256_mul_epi32(odd(a), odd(b)));
    return (std::uint32_t)_mm256_movemask_ps((__m256)_mm256_blend_epi32(evenLess, oddLess, 0xaa));
#else
    std::uint32_t result = 0;
    for (int l = 0; l < width; ++l)
      result |= (std::int64_t(a[l]) * std::int64_t(b[l]) < std::int64_t(c[l]) * std::int64_t(d[l]) ? 1u : 0u)
                << l;
    return result;
#endif
  }

  /// Sets bit l if p[l] is 1; the bytes are 0 or 1.
  static std::uint32_t bitsOfBytes(const std::uint8_t* p) {
    if constexpr (width == 16) {
#if ISOCHRONE_SIMD_BITS
      const __m128i zero = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i*)p), _mm_setzero_si128());
      return std::uint32_t(_mm_movemask_epi8(zero)) ^ 0xffff;
#endif
    }
    std::uint64_t bytes = 0;
    __builtin_memcpy(&bytes, p, width < 8 ? width : 8);
    return std::uint32_t(bytes * 0x0102040810204080u >> 56);
  }

  /// Writes the lanes whose bit is set contiguously; the rest of the vector after them is overwritten. For
  /// int32 and double.
  static void compress(T* to, Vec v, std::uint32_t bits) {
#if ISOCHRONE_SIMD_BITS == 512
    if constexpr (sizeof(T) == 4)
      return store(to, (Vec)_mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)v));
    else
      return store(to, _mm512_maskz_compress_pd((__mmask8)bits, v));
#elif ISOCHRONE_SIMD_BITS == 256
    if constexpr (sizeof(T) == 4) {
      const __m256i from = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)laneTable.lane[bits]));
      return store(to, (Vec)_mm256_permutevar8x32_epi32((__m256i)v, from));
    }
#endif
    for (int l = 0; l < width; ++l) {
      *to = v[l];
      to += bits >> l & 1;
    }
  }

  /// Returns p[number of set bits at or below l] in lane l. For int32 and double.
  static Vec spread(const T* p, std::uint32_t bits) {
    p += bits & 1;
#if ISOCHRONE_SIMD_BITS == 512
    if constexpr (sizeof(T) == 4) {
      const std::uint32_t low = bits & 255, high = bits >> 8;
      const __m128i bytes = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i*)laneTable.count[low]),
                                               _mm_loadl_epi64((const __m128i*)laneTable.count[high]));
      const int before = __builtin_popcount(low) - int(low & 1) + int(high & 1);
      __m512i from = _mm512_cvtepu8_epi32(bytes);
      from = _mm512_mask_add_epi32(from, 0xff00, from, _mm512_set1_epi32(before));
      return (Vec)_mm512_permutexvar_epi32(from, (__m512i)load(p));
    } else {
      const __m512i from = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i*)laneTable.count[bits]));
      return _mm512_permutexvar_pd(from, load(p));
    }
#elif ISOCHRONE_SIMD_BITS == 256
    if constexpr (sizeof(T) == 4) {
      const __m256i from = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)laneTable.count[bits]));
      return (Vec)_mm256_permutevar8x32_epi32((__m256i)load(p), from);
    }
#endif
    Vec v;
    for (int l = 0; l < width; ++l) v[l] = p[laneTable.count[bits][l]];
    return v;
  }
};

} // namespace isochrone::execution::ISOCHRONE_ISA
