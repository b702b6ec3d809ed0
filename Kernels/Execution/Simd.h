// Simd.h - float vectors of the instruction set that this translation unit is compiled for.
//
// A hot source is compiled once per instruction set (CMake/HostIsa.cmake); everything it uses lives in the
// namespace named by ISOCHRONE_ISA, so that no inline function compiled for AVX-512 can be linked into
// baseline code. All sets give the same bits: minimum, maximum, comparison and IEEE arithmetic only, no fused
// operations, no approximations.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#ifndef ISOCHRONE_ISA
#error "include Simd.h only from sources built by isochrone_add_isa_sources"
#endif

namespace isochrone::execution::ISOCHRONE_ISA {

#if defined(__AVX512F__)

inline constexpr int width = 16;
typedef float Vec __attribute__((vector_size(64)));
typedef float UnalignedVec __attribute__((vector_size(64), aligned(4)));
using Mask = __mmask16;
inline Vec min(Vec a, Vec b) { return (Vec)_mm512_min_ps((__m512)a, (__m512)b); }
inline Vec max(Vec a, Vec b) { return (Vec)_mm512_max_ps((__m512)a, (__m512)b); }
inline Vec sqrt(Vec a) { return (Vec)_mm512_sqrt_ps((__m512)a); }
inline Mask greater(Vec a, Vec b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GT_OQ); }
inline Mask both(Mask a, Mask b) { return a & b; }
inline Mask either(Mask a, Mask b) { return a | b; }
inline Mask without(Mask a, Mask b) { return a & ~b; }
inline Vec select(Mask m, Vec a, Vec b) { return (Vec)_mm512_mask_mov_ps((__m512)b, m, (__m512)a); }
inline std::uint32_t bits(Mask m) { return m; }
inline Mask fromBits(std::uint32_t b) { return (Mask)b; }

#elif defined(__AVX2__)

inline constexpr int width = 8;
typedef float Vec __attribute__((vector_size(32)));
typedef float UnalignedVec __attribute__((vector_size(32), aligned(4)));
using Mask = __m256;
inline Vec min(Vec a, Vec b) { return (Vec)_mm256_min_ps((__m256)a, (__m256)b); }
inline Vec max(Vec a, Vec b) { return (Vec)_mm256_max_ps((__m256)a, (__m256)b); }
inline Vec sqrt(Vec a) { return (Vec)_mm256_sqrt_ps((__m256)a); }
inline Mask greater(Vec a, Vec b) { return _mm256_cmp_ps((__m256)a, (__m256)b, _CMP_GT_OQ); }
inline Mask both(Mask a, Mask b) { return _mm256_and_ps(a, b); }
inline Mask either(Mask a, Mask b) { return _mm256_or_ps(a, b); }
inline Mask without(Mask a, Mask b) { return _mm256_andnot_ps(b, a); }
inline Vec select(Mask m, Vec a, Vec b) { return (Vec)_mm256_blendv_ps((__m256)b, (__m256)a, m); }
inline std::uint32_t bits(Mask m) { return (std::uint32_t)_mm256_movemask_ps(m); }
inline Mask fromBits(std::uint32_t b) {
  const __m256i lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  return (Mask)_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)b), lane), lane);
}

#elif defined(__SSE2__)

inline constexpr int width = 4;
typedef float Vec __attribute__((vector_size(16)));
typedef float UnalignedVec __attribute__((vector_size(16), aligned(4)));
using Mask = __m128;
inline Vec min(Vec a, Vec b) { return (Vec)_mm_min_ps((__m128)a, (__m128)b); }
inline Vec max(Vec a, Vec b) { return (Vec)_mm_max_ps((__m128)a, (__m128)b); }
inline Vec sqrt(Vec a) { return (Vec)_mm_sqrt_ps((__m128)a); }
inline Mask greater(Vec a, Vec b) { return _mm_cmplt_ps((__m128)b, (__m128)a); }
inline Mask both(Mask a, Mask b) { return _mm_and_ps(a, b); }
inline Mask either(Mask a, Mask b) { return _mm_or_ps(a, b); }
inline Mask without(Mask a, Mask b) { return _mm_andnot_ps(b, a); }
inline Vec select(Mask m, Vec a, Vec b) {
  return (Vec)_mm_or_ps(_mm_and_ps(m, (__m128)a), _mm_andnot_ps(m, (__m128)b));
}
inline std::uint32_t bits(Mask m) { return (std::uint32_t)_mm_movemask_ps(m); }
inline Mask fromBits(std::uint32_t b) {
  const __m128i lane = _mm_setr_epi32(1, 2, 4, 8);
  return (Mask)_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)b), lane), lane);
}

#else // any other processor: compiler vectors

inline constexpr int width = 4;
typedef float Vec __attribute__((vector_size(16)));
typedef float UnalignedVec __attribute__((vector_size(16), aligned(4)));
typedef std::int32_t Mask __attribute__((vector_size(16)));
inline Vec min(Vec a, Vec b) { return a < b ? a : b; }
inline Vec max(Vec a, Vec b) { return a > b ? a : b; }
inline Vec sqrt(Vec a) {
  for (int i = 0; i < width; ++i) a[i] = __builtin_sqrtf(a[i]);
  return a;
}
inline Mask greater(Vec a, Vec b) { return a > b; }
inline Mask both(Mask a, Mask b) { return a & b; }
inline Mask either(Mask a, Mask b) { return a | b; }
inline Mask without(Mask a, Mask b) { return a & ~b; }
inline Vec select(Mask m, Vec a, Vec b) { return m ? a : b; }
inline std::uint32_t bits(Mask m) {
  std::uint32_t b = 0;
  for (int i = 0; i < width; ++i) b |= (m[i] ? 1u : 0u) << i;
  return b;
}
inline Mask fromBits(std::uint32_t b) {
  Mask m;
  for (int i = 0; i < width; ++i) m[i] = b >> i & 1 ? -1 : 0;
  return m;
}

#endif

inline Vec broadcast(float a) { return Vec{} + a; }
inline Vec load(const float* p) { return *(const UnalignedVec*)p; }
inline void store(float* p, Vec v) { *(UnalignedVec*)p = v; }

/// Loads half a vector from each address.
inline Vec loadHalves(const float* low, const float* high) {
#if defined(__AVX512F__)
  const __m512d a = _mm512_castpd256_pd512(_mm256_loadu_pd((const double*)low));
  return (Vec)_mm512_insertf64x4(a, _mm256_loadu_pd((const double*)high), 1);
#else
  Vec v;
  for (int i = 0; i < width / 2; ++i) v[i] = low[i], v[i + width / 2] = high[i];
  return v;
#endif
}

/// Interleave the lanes of the lower halves of a and b, and of their upper halves.
#if defined(__AVX512F__)
inline Vec mergeLow(Vec a, Vec b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
inline Vec mergeHigh(Vec a, Vec b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
#elif defined(__AVX2__)
inline Vec mergeLow(Vec a, Vec b) { return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
inline Vec mergeHigh(Vec a, Vec b) { return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
#else
inline Vec mergeLow(Vec a, Vec b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
inline Vec mergeHigh(Vec a, Vec b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
#endif

/// Transposes a width x width block by log2(width) perfect shuffles.
inline void transpose(Vec (&rows)[width]) {
  for (int bit = 1; bit < width; bit *= 2) {
    Vec merged[width];
    for (int i = 0; i < width / 2; ++i) {
      merged[2 * i] = mergeLow(rows[i], rows[i + width / 2]);
      merged[2 * i + 1] = mergeHigh(rows[i], rows[i + width / 2]);
    }
    for (int i = 0; i < width; ++i) rows[i] = merged[i];
  }
}

/// The interface that templates over the number type need (see Scalar.h). The name of the type contains the
/// instruction set, and so does the name of every instantiation.
struct Vector {
  using Vec = ISOCHRONE_ISA::Vec;
  using Mask = ISOCHRONE_ISA::Mask;
  static Vec min(Vec a, Vec b) { return ISOCHRONE_ISA::min(a, b); }
  static Vec max(Vec a, Vec b) { return ISOCHRONE_ISA::max(a, b); }
  static Vec sqrt(Vec a) { return ISOCHRONE_ISA::sqrt(a); }
  static Mask greater(Vec a, Vec b) { return ISOCHRONE_ISA::greater(a, b); }
  static Mask both(Mask a, Mask b) { return ISOCHRONE_ISA::both(a, b); }
  static bool any(Mask m) { return ISOCHRONE_ISA::bits(m) != 0; }
  static Vec select(Mask m, Vec a, Vec b) { return ISOCHRONE_ISA::select(m, a, b); }
  static Vec broadcast(float a) { return ISOCHRONE_ISA::broadcast(a); }
};

/// Two vectors as one number: two independent chains of operations hide the latency of each other's divisions
/// and roots.
struct PairVec {
  Vec low, high;
  PairVec() = default;
  // Copies member by member: g++ 12 copies the whole in pieces of 16 bytes through memory.
  PairVec(const PairVec& other) : low(other.low), high(other.high) {}
  PairVec& operator=(const PairVec& other) {
    low = other.low;
    high = other.high;
    return *this;
  }
  PairVec(Vec l, Vec h) : low(l), high(h) {}
  PairVec(float a) : low(broadcast(a)), high(low) {}
};
inline PairVec operator+(PairVec a, PairVec b) { return {a.low + b.low, a.high + b.high}; }
inline PairVec operator-(PairVec a, PairVec b) { return {a.low - b.low, a.high - b.high}; }
inline PairVec operator*(PairVec a, PairVec b) { return {a.low * b.low, a.high * b.high}; }
inline PairVec operator/(PairVec a, PairVec b) { return {a.low / b.low, a.high / b.high}; }
inline PairVec operator-(PairVec a) { return {-a.low, -a.high}; }
inline PairVec& operator+=(PairVec& a, PairVec b) { return a = a + b; }
inline PairVec& operator*=(PairVec& a, PairVec b) { return a = a * b; }

/// The operations of a PairVec for templates over the kind of numbers. Bit l of a mask: lane l of the pair.
struct Pair {
  using Vec = PairVec;
  struct Mask {
    ISOCHRONE_ISA::Mask low, high;
  };
  static constexpr int width = 2 * ISOCHRONE_ISA::width;

  static Vec load(const float* p) {
    return {ISOCHRONE_ISA::load(p), ISOCHRONE_ISA::load(p + ISOCHRONE_ISA::width)};
  }
  static void store(float* p, Vec v) {
    ISOCHRONE_ISA::store(p, v.low);
    ISOCHRONE_ISA::store(p + ISOCHRONE_ISA::width, v.high);
  }
  static Vec min(Vec a, Vec b) {
    return {ISOCHRONE_ISA::min(a.low, b.low), ISOCHRONE_ISA::min(a.high, b.high)};
  }
  static Vec max(Vec a, Vec b) {
    return {ISOCHRONE_ISA::max(a.low, b.low), ISOCHRONE_ISA::max(a.high, b.high)};
  }
  static Vec sqrt(Vec a) { return {ISOCHRONE_ISA::sqrt(a.low), ISOCHRONE_ISA::sqrt(a.high)}; }
  static Mask greater(Vec a, Vec b) {
    return {ISOCHRONE_ISA::greater(a.low, b.low), ISOCHRONE_ISA::greater(a.high, b.high)};
  }
  static Mask both(Mask a, Mask b) {
    return {ISOCHRONE_ISA::both(a.low, b.low), ISOCHRONE_ISA::both(a.high, b.high)};
  }
  static Mask without(Mask a, Mask b) {
    return {ISOCHRONE_ISA::without(a.low, b.low), ISOCHRONE_ISA::without(a.high, b.high)};
  }
  static Vec select(Mask m, Vec a, Vec b) {
    return {ISOCHRONE_ISA::select(m.low, a.low, b.low), ISOCHRONE_ISA::select(m.high, a.high, b.high)};
  }
  static std::uint32_t bits(Mask m) {
    return ISOCHRONE_ISA::bits(m.low) | ISOCHRONE_ISA::bits(m.high) << ISOCHRONE_ISA::width;
  }
  static Mask fromBits(std::uint32_t b) {
    return {ISOCHRONE_ISA::fromBits(b), ISOCHRONE_ISA::fromBits(b >> ISOCHRONE_ISA::width)};
  }
  static bool any(Mask m) { return (ISOCHRONE_ISA::bits(m.low) | ISOCHRONE_ISA::bits(m.high)) != 0; }
  static Vec broadcast(float a) { return a; }
};

} // namespace isochrone::execution::ISOCHRONE_ISA
