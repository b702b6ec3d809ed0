// SimdOperations.h - minimum, maximum, root, comparison and masks of vectors, once per instruction set.
// Simd.h adds to them and describes their use.
#pragma once

#include <cstdint>
#include <utility>

#ifndef ISOCHRONE_ISA
#error "include SimdOperations.h only from sources built by isochrone_add_isa_sources"
#endif

// Bits of a vector register; 0: the compiler's vectors only, in the set `portable`.
#if defined(ISOCHRONE_COMPILER_VECTORS)
#define ISOCHRONE_SIMD_BITS 0
#elif defined(__AVX512F__)
#define ISOCHRONE_SIMD_BITS 512
#elif defined(__AVX2__)
#define ISOCHRONE_SIMD_BITS 256
#elif defined(__SSE2__)
#define ISOCHRONE_SIMD_BITS 128
#else
#define ISOCHRONE_SIMD_BITS 0
#endif

#if ISOCHRONE_SIMD_BITS
#include <immintrin.h>
#endif

namespace isochrone::execution::ISOCHRONE_ISA {

inline constexpr int vectorBytes = ISOCHRONE_SIMD_BITS ? ISOCHRONE_SIMD_BITS / 8 : 16;

/// Vectors of any size, by the compiler's own vectors. An instruction set replaces the operations for which
/// it has better instructions.
template <class T, int bytes>
struct CompilerVector {
  static constexpr int width = bytes / int(sizeof(T));
  typedef T Vec __attribute__((vector_size(bytes)));
  typedef T UnalignedVec __attribute__((vector_size(bytes), aligned(alignof(T))));
  using Mask = decltype(Vec{} < Vec{}); ///< integers, -1 where true

  static Vec load(const T* p) { return *(const UnalignedVec*)p; }
  static void store(T* p, Vec v) { *(UnalignedVec*)p = v; }
  static Vec broadcast(T a) {
    return lanes<Vec>([a](int) { return a; });
  }
  /// Returns first, first + 1, ...
  static Vec iota(T first) {
    return lanes<Vec>([](int l) { return T(l); }) + first;
  }

  /// Return b if a or b is NaN or if both are zero, as do the instructions of x86-64.
  static Vec min(Vec a, Vec b) { return a < b ? a : b; }
  static Vec max(Vec a, Vec b) { return a > b ? a : b; }
  static Vec sqrt(Vec a) {
    for (int l = 0; l < width; ++l)
      if constexpr (sizeof(T) == 4)
        a[l] = __builtin_sqrtf(a[l]);
      else
        a[l] = __builtin_sqrt(a[l]);
    return a;
  }

  static Mask less(Vec a, Vec b) { return a < b; }
  static Mask greater(Vec a, Vec b) { return a > b; }
  static Mask equal(Vec a, Vec b) { return a == b; }
  static Mask both(Mask a, Mask b) { return a & b; }
  static Mask either(Mask a, Mask b) { return a | b; }
  static Mask without(Mask a, Mask b) { return a & ~b; }
  /// Returns a in the lanes where m is true, else b.
  static Vec select(Mask m, Vec a, Vec b) { return m ? a : b; }
  static bool any(Mask m) {
    bool found = false;
    for (int l = 0; l < width; ++l) found |= m[l] != 0;
    return found;
  }
  /// Returns whether a > b in any lane.
  static bool anyGreater(Vec a, Vec b) { return any(greater(a, b)); }
  /// Converts masks of at most 32 lanes to bits: bit l for lane l.
  static std::uint32_t bits(Mask m) {
    std::uint32_t b = 0;
    for (int l = 0; l < width; ++l) b |= (m[l] ? 1u : 0u) << l;
    return b;
  }
  static Mask fromBits(std::uint32_t b) {
    const Mask bit = lanes<Mask>([](int l) { return 1 << l; });
    return ((Mask{} + std::int32_t(b)) & bit) == bit;
  }

  /// Returns lane index(l) of a and b, one after the other, in lane l.
  template <class Index>
  static Vec shuffle(Vec a, Vec b, Index index) {
    return shuffleBy(a, b, index, std::make_integer_sequence<int, width>());
  }
  /// Combines all lanes by f, which must be commutative: the halves of the vector first.
  template <int step = width / 2, class F>
  static T fold(Vec v, F f) {
    if constexpr (step == 0)
      return v[0];
    else
      return fold<step / 2>(f(v, shuffle(v, v, [](int l) { return l ^ step; })), f);
  }

protected:
  /// Returns f(l) in lane l, as a constant.
  template <class V, class F>
  static V lanes(F f) {
    return lanesBy<V>(f, std::make_integer_sequence<int, width>());
  }

private:
  template <class V, class F, int... l>
  static V lanesBy(F f, std::integer_sequence<int, l...>) {
    return V{f(l)...};
  }
  template <class Index, int... l>
  static Vec shuffleBy(Vec a, Vec b, Index index, std::integer_sequence<int, l...>) {
    return __builtin_shufflevector(a, b, index(l)...);
  }
};

// Operations<T>: the same in the instructions of the set, for whole registers.

#if ISOCHRONE_SIMD_BITS == 512

/// Masks are registers of one bit per lane.
template <class T, class Register>
struct MaskedVector : CompilerVector<T, vectorBytes> {
  using Mask = Register;
  static Mask both(Mask a, Mask b) { return a & b; }
  static Mask either(Mask a, Mask b) { return a | b; }
  static Mask without(Mask a, Mask b) { return a & ~b; }
  static bool any(Mask m) { return m != 0; }
  static std::uint32_t bits(Mask m) { return m; }
  static Mask fromBits(std::uint32_t b) { return Mask(b); }
};

template <class T>
struct Operations;

template <>
struct Operations<float> : MaskedVector<float, __mmask16> {
  static Vec min(Vec a, Vec b) { return _mm512_min_ps(a, b); }
  static Vec max(Vec a, Vec b) { return _mm512_max_ps(a, b); }
  static Vec sqrt(Vec a) { return _mm512_sqrt_ps(a); }
  static Mask less(Vec a, Vec b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
  static Mask greater(Vec a, Vec b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
  static Mask equal(Vec a, Vec b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
  static Vec select(Mask m, Vec a, Vec b) { return _mm512_mask_mov_ps(b, m, a); }
};

template <>
struct Operations<double> : MaskedVector<double, __mmask8> {
  static Vec min(Vec a, Vec b) { return _mm512_min_pd(a, b); }
  static Vec max(Vec a, Vec b) { return _mm512_max_pd(a, b); }
  static Vec sqrt(Vec a) { return _mm512_sqrt_pd(a); }
  static Mask less(Vec a, Vec b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
  static Mask greater(Vec a, Vec b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
  static Mask equal(Vec a, Vec b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
  static Vec select(Mask m, Vec a, Vec b) { return _mm512_mask_mov_pd(b, m, a); }
};

template <>
struct Operations<std::int32_t> : MaskedVector<std::int32_t, __mmask16> {
  static Mask less(Vec a, Vec b) { return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b); }
  static Mask greater(Vec a, Vec b) { return less(b, a); }
  static Mask equal(Vec a, Vec b) { return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b); }
  static Vec select(Mask m, Vec a, Vec b) { return (Vec)_mm512_mask_mov_epi32((__m512i)b, m, (__m512i)a); }
};

template <>
struct Operations<std::uint16_t> : MaskedVector<std::uint16_t, __mmask32> {
  static Mask less(Vec a, Vec b) { return _mm512_cmplt_epu16_mask((__m512i)a, (__m512i)b); }
  static Mask greater(Vec a, Vec b) { return _mm512_cmpgt_epu16_mask((__m512i)a, (__m512i)b); }
  static Mask equal(Vec a, Vec b) { return _mm512_cmpeq_epi16_mask((__m512i)a, (__m512i)b); }
  static Vec select(Mask m, Vec a, Vec b) { return (Vec)_mm512_mask_mov_epi16((__m512i)b, m, (__m512i)a); }
  static bool anyGreater(Vec a, Vec b) { return any(greater(a, b)); }
};

template <>
struct Operations<std::uint8_t> : MaskedVector<std::uint8_t, __mmask64> {
  static Mask less(Vec a, Vec b) { return _mm512_cmplt_epu8_mask((__m512i)a, (__m512i)b); }
  static Mask greater(Vec a, Vec b) { return less(b, a); }
  static Mask equal(Vec a, Vec b) { return _mm512_cmpeq_epi8_mask((__m512i)a, (__m512i)b); }
  static Vec select(Mask m, Vec a, Vec b) { return (Vec)_mm512_mask_mov_epi8((__m512i)b, m, (__m512i)a); }
};

#elif ISOCHRONE_SIMD_BITS == 256

/// Integers: the compiler finds all but the reductions of a mask.
template <class T>
struct Operations : CompilerVector<T, vectorBytes> {
  using typename CompilerVector<T, vectorBytes>::Vec, typename CompilerVector<T, vectorBytes>::Mask;
  static bool any(Mask m) { return _mm256_movemask_epi8((__m256i)m) != 0; }
  static bool anyGreater(Vec a, Vec b) { // the set has no comparison of uint16
    static_assert(sizeof(T) == 2);
    const __m256i above = _mm256_subs_epu16((__m256i)a, (__m256i)b);
    return !_mm256_testz_si256(above, above);
  }
  static std::uint32_t bits(Mask m) {
    static_assert(sizeof(T) == 4);
    return std::uint32_t(_mm256_movemask_ps((__m256)m));
  }
};

template <>
struct Operations<float> : CompilerVector<float, vectorBytes> {
  static Vec min(Vec a, Vec b) { return _mm256_min_ps(a, b); }
  static Vec max(Vec a, Vec b) { return _mm256_max_ps(a, b); }
  static Vec sqrt(Vec a) { return _mm256_sqrt_ps(a); }
  static Vec select(Mask m, Vec a, Vec b) { return _mm256_blendv_ps(b, a, (__m256)m); }
  static std::uint32_t bits(Mask m) { return std::uint32_t(_mm256_movemask_ps((__m256)m)); }
  static bool any(Mask m) { return bits(m) != 0; }
};

template <>
struct Operations<double> : CompilerVector<double, vectorBytes> {
  static Vec min(Vec a, Vec b) { return _mm256_min_pd(a, b); }
  static Vec max(Vec a, Vec b) { return _mm256_max_pd(a, b); }
  static Vec sqrt(Vec a) { return _mm256_sqrt_pd(a); }
  static Vec select(Mask m, Vec a, Vec b) { return _mm256_blendv_pd(b, a, (__m256d)m); }
  static std::uint32_t bits(Mask m) { return std::uint32_t(_mm256_movemask_pd((__m256d)m)); }
  static bool any(Mask m) { return bits(m) != 0; }
};

#elif ISOCHRONE_SIMD_BITS == 128

/// Integers: the compiler finds all but the reductions of a mask.
template <class T>
struct Operations : CompilerVector<T, vectorBytes> {
  using typename CompilerVector<T, vectorBytes>::Vec, typename CompilerVector<T, vectorBytes>::Mask;
  static bool any(Mask m) { return _mm_movemask_epi8((__m128i)m) != 0; }
  static bool anyGreater(Vec a, Vec b) { // the set has no comparison of uint16
    static_assert(sizeof(T) == 2);
    const __m128i above = _mm_subs_epu16((__m128i)a, (__m128i)b);
    return _mm_movemask_epi8(_mm_cmpeq_epi16(above, _mm_setzero_si128())) != 0xffff;
  }
  static std::uint32_t bits(Mask m) {
    static_assert(sizeof(T) == 4);
    return std::uint32_t(_mm_movemask_ps((__m128)m));
  }
};

template <>
struct Operations<float> : CompilerVector<float, vectorBytes> {
  using Mask = Vec; // bits of a mask, in the registers that the numbers are in
  static Vec min(Vec a, Vec b) { return _mm_min_ps(a, b); }
  static Vec max(Vec a, Vec b) { return _mm_max_ps(a, b); }
  static Vec sqrt(Vec a) { return _mm_sqrt_ps(a); }
  static Mask less(Vec a, Vec b) { return _mm_cmplt_ps(a, b); }
  static Mask greater(Vec a, Vec b) { return less(b, a); }
  static Mask equal(Vec a, Vec b) { return _mm_cmpeq_ps(a, b); }
  static Mask both(Mask a, Mask b) { return _mm_and_ps(a, b); }
  static Mask either(Mask a, Mask b) { return _mm_or_ps(a, b); }
  static Mask without(Mask a, Mask b) { return _mm_andnot_ps(b, a); }
  static Vec select(Mask m, Vec a, Vec b) { return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b)); }
  static bool any(Mask m) { return bits(m) != 0; }
  static std::uint32_t bits(Mask m) { return std::uint32_t(_mm_movemask_ps(m)); }
  static Mask fromBits(std::uint32_t b) { return (Mask)CompilerVector::fromBits(b); }
};

template <>
struct Operations<double> : CompilerVector<double, vectorBytes> {
  using Mask = Vec; // bits of a mask, in the registers that the numbers are in
  static Vec min(Vec a, Vec b) { return _mm_min_pd(a, b); }
  static Vec max(Vec a, Vec b) { return _mm_max_pd(a, b); }
  static Vec sqrt(Vec a) { return _mm_sqrt_pd(a); }
  static Mask less(Vec a, Vec b) { return _mm_cmplt_pd(a, b); }
  static Mask greater(Vec a, Vec b) { return less(b, a); }
  static Mask equal(Vec a, Vec b) { return _mm_cmpeq_pd(a, b); }
  static Mask both(Mask a, Mask b) { return _mm_and_pd(a, b); }
  static Mask either(Mask a, Mask b) { return _mm_or_pd(a, b); }
  static Mask without(Mask a, Mask b) { return _mm_andnot_pd(b, a); }
  static Vec select(Mask m, Vec a, Vec b) { return _mm_or_pd(_mm_and_pd(m, a), _mm_andnot_pd(m, b)); }
  static bool any(Mask m) { return bits(m) != 0; }
  static std::uint32_t bits(Mask m) { return std::uint32_t(_mm_movemask_pd(m)); }
  static Mask fromBits(std::uint32_t b) { return (Mask)CompilerVector::fromBits(b); }
};

#else

template <class T>
using Operations = CompilerVector<T, vectorBytes>;

#endif

} // namespace isochrone::execution::ISOCHRONE_ISA
