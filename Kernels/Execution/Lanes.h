// Lanes.h - vectors of any number type in the instruction set that this translation unit is compiled for,
// with the operations that the compiler's own vectors lack. The rules of Simd.h apply here, too.
#pragma once

#include <cstdint>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#ifndef ISOCHRONE_ISA
#error "include Lanes.h only from sources built by isochrone_add_isa_sources"
#endif

namespace isochrone::execution::ISOCHRONE_ISA {

#if defined(__AVX512F__)
inline constexpr int vectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr int vectorBytes = 32;
#else
inline constexpr int vectorBytes = 16;
#endif

/// Vectors of `width` numbers: float, double or 32-bit integers.
template <class T>
struct Lanes {
  static constexpr int width = vectorBytes / int(sizeof(T));
  typedef T V __attribute__((vector_size(vectorBytes)));
  typedef T Unaligned __attribute__((vector_size(vectorBytes), aligned(alignof(T))));

  using Vec = V; // as in Simd.h and Scalar.h

  static V load(const T* p) { return *(const Unaligned*)p; }
  static void store(T* p, V v) { *(Unaligned*)p = v; }
  static V broadcast(T a) { return V{} + a; }
  /// Loads `width` floats as doubles.
  static V fromFloats(const float* p) {
#if defined(__AVX512F__)
    return (V)_mm512_cvtps_pd(_mm256_loadu_ps(p));
#elif defined(__AVX2__)
    return (V)_mm256_cvtps_pd(_mm_loadu_ps(p));
#else
    V v;
    for (int l = 0; l < width; ++l) v[l] = p[l];
    return v;
#endif
  }

  /// Returns a < b as bits, bit l for lane l.
  static std::uint32_t less(V a, V b) {
    constexpr bool isFloat = std::is_same_v<T, float>, isDouble = std::is_same_v<T, double>;
#if defined(__AVX512F__)
    if constexpr (isFloat) return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
    if constexpr (isDouble) return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LT_OQ);
    if constexpr (!isFloat && !isDouble) return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    if constexpr (isFloat)
      return (std::uint32_t)_mm256_movemask_ps(_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ));
    if constexpr (isDouble)
      return (std::uint32_t)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_LT_OQ));
    if constexpr (!isFloat && !isDouble)
      return (std::uint32_t)_mm256_movemask_ps((__m256)_mm256_cmpgt_epi32((__m256i)b, (__m256i)a));
#elif defined(__SSE2__)
    if constexpr (isFloat) return (std::uint32_t)_mm_movemask_ps(_mm_cmplt_ps((__m128)a, (__m128)b));
    if constexpr (isDouble) return (std::uint32_t)_mm_movemask_pd(_mm_cmplt_pd((__m128d)a, (__m128d)b));
    if constexpr (!isFloat && !isDouble)
      return (std::uint32_t)_mm_movemask_ps((__m128)_mm_cmplt_epi32((__m128i)a, (__m128i)b));
#else
    std::uint32_t bits = 0;
    for (int l = 0; l < width; ++l) bits |= (a[l] < b[l] ? 1u : 0u) << l;
    return bits;
#endif
  }

  /// Returns a in the lanes where low < high and sum == high, otherwise b. For floats and doubles.
  static V whereBelowAndEqual(V low, V sum, V high, V a, V b) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) {
      const __mmask16 below = _mm512_cmp_ps_mask((__m512)low, (__m512)high, _CMP_LT_OQ);
      const __mmask16 both = _mm512_mask_cmp_ps_mask(below, (__m512)sum, (__m512)high, _CMP_EQ_OQ);
      return (V)_mm512_mask_mov_ps((__m512)b, both, (__m512)a);
    } else {
      const __mmask8 below = _mm512_cmp_pd_mask((__m512d)low, (__m512d)high, _CMP_LT_OQ);
      const __mmask8 both = _mm512_mask_cmp_pd_mask(below, (__m512d)sum, (__m512d)high, _CMP_EQ_OQ);
      return (V)_mm512_mask_mov_pd((__m512d)b, both, (__m512d)a);
    }
#else
    return ((low < high) & (sum == high)) ? a : b;
#endif
  }

  /// Comparison of doubles, and selection per lane.
#if defined(__AVX512F__)
  using Mask = std::uint8_t;
  static Mask greater(V a, V b) { return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GT_OQ); }
  static V select(Mask m, V a, V b) { return (V)_mm512_mask_mov_pd((__m512d)b, m, (__m512d)a); }
  static std::uint32_t bits(Mask m) { return m; }
#else
  typedef std::int64_t Mask __attribute__((vector_size(vectorBytes)));
  static Mask greater(V a, V b) { return a > b; }
  static V select(Mask m, V a, V b) { return m ? a : b; }
  static std::uint32_t bits(Mask m) {
#if defined(__AVX2__)
    return (std::uint32_t)_mm256_movemask_pd((__m256d)m);
#elif defined(__SSE2__)
    return (std::uint32_t)_mm_movemask_pd((__m128d)m);
#else
    std::uint32_t bits = 0;
    for (int l = 0; l < width; ++l) bits |= (m[l] ? 1u : 0u) << l;
    return bits;
#endif
  }
#endif
  static bool any(Mask m) { return bits(m) != 0; }
  static Mask both(Mask a, Mask b) { return a & b; }
  static Mask either(Mask a, Mask b) { return a | b; }

  /// For doubles.
  static V sqrt(V a) {
#if defined(__AVX512F__)
    return (V)_mm512_sqrt_pd((__m512d)a);
#elif defined(__AVX2__)
    return (V)_mm256_sqrt_pd((__m256d)a);
#elif defined(__SSE2__)
    return (V)_mm_sqrt_pd((__m128d)a);
#else
    for (int l = 0; l < width; ++l) a[l] = __builtin_sqrt(a[l]);
    return a;
#endif
  }

  /// For floats and doubles that are not NaN.
  static V min(V a, V b) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) return (V)_mm512_min_ps((__m512)a, (__m512)b);
    if constexpr (sizeof(T) == 8) return (V)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4) return (V)_mm256_min_ps((__m256)a, (__m256)b);
    if constexpr (sizeof(T) == 8) return (V)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif defined(__SSE2__)
    if constexpr (sizeof(T) == 4) return (V)_mm_min_ps((__m128)a, (__m128)b);
    if constexpr (sizeof(T) == 8) return (V)_mm_min_pd((__m128d)a, (__m128d)b);
#else
    return a < b ? a : b;
#endif
  }
  static V max(V a, V b) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) return (V)_mm512_max_ps((__m512)a, (__m512)b);
    if constexpr (sizeof(T) == 8) return (V)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4) return (V)_mm256_max_ps((__m256)a, (__m256)b);
    if constexpr (sizeof(T) == 8) return (V)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif defined(__SSE2__)
    if constexpr (sizeof(T) == 4) return (V)_mm_max_ps((__m128)a, (__m128)b);
    if constexpr (sizeof(T) == 8) return (V)_mm_max_pd((__m128d)a, (__m128d)b);
#else
    return a > b ? a : b;
#endif
  }

  /// Returns the minimum over the lanes. For doubles.
  static T least(V v) {
#if defined(__AVX512F__)
    v = min(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
    v = min(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5));
    v = min(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6));
#elif defined(__AVX2__)
    v = min(v, __builtin_shufflevector(v, v, 2, 3, 0, 1));
    v = min(v, __builtin_shufflevector(v, v, 1, 0, 3, 2));
#else
    v = min(v, __builtin_shufflevector(v, v, 1, 0));
#endif
    return v[0];
  }
};

} // namespace isochrone::execution::ISOCHRONE_ISA
