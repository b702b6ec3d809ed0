// The update of a vertex; compiled once per instruction set.
#include "Execution/Simd.h"
#include "MeshTravelTime/Host/RelaxStarDispatch.h"
#include "MeshTravelTime/Scheme/LocalSolver.h"

namespace isochrone::mesh::ISOCHRONE_ISA {

namespace {

using N = execution::ISOCHRONE_ISA::Vector<double>;
using V = N::Vec;
constexpr int width = N::width;

inline OppositeOf<N> load(const Star& s, int l) {
  const int n = s.count;
  const float* q = s.squares + l;
  return {N::fromFloats(s.ua + l),  N::fromFloats(s.ub + l),  N::fromFloats(s.uc + l),
          N::fromFloats(q),         N::fromFloats(q + n),     N::fromFloats(q + 2 * n),
          N::fromFloats(q + 3 * n), N::fromFloats(q + 4 * n), N::fromFloats(q + 5 * n)};
}

/// Appends the edges of some lanes to the candidates.
inline int addEdges(Star& s, int edges, std::uint32_t lanes, const float* ua, const float* ub,
                    const float* la, const float* lb, const float* ab) {
  for (; lanes; lanes &= lanes - 1, ++edges) {
    const int l = __builtin_ctz(lanes);
    s.edgeUa[edges] = ua[l], s.edgeUb[edges] = ub[l], s.edgeLa[edges] = la[l], s.edgeLb[edges] = lb[l];
    s.edgeAb[edges] = ab[l];
  }
  return edges;
}

} // namespace

/// Spreads the times of the neighbours to the corners. Lanes without a tetrahedron, up to a multiple of 16,
/// get unreached corners: their plane waves are as late, or NaN, and lower nothing.
void spreadTimes(Star& s) {
#if defined(__AVX512F__)
  const __m512 low = _mm512_load_ps(s.times), high = _mm512_load_ps(s.times + 16);
  for (int l = 0; l < s.count; l += 16) {
    const __m512i local = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i*)(s.local + l)));
    const __mmask16 valid = s.count - l < 16 ? __mmask16((1u << (s.count - l)) - 1) : __mmask16(0xffff);
    const auto spread = [&](float* to, __m512i places) {
      const __m512 times = _mm512_permutex2var_ps(low, places, high); // by the lowest 5 bits
      _mm512_store_ps(to + l, _mm512_mask_mov_ps(_mm512_set1_ps(unreached), valid, times));
    };
    spread(s.ua, local);
    spread(s.ub, _mm512_srli_epi32(local, 5));
    spread(s.uc, _mm512_srli_epi32(local, 10));
  }
#else
  int l = 0;
  for (; l < s.count; ++l) {
    const int local = s.local[l];
    s.ua[l] = s.times[local & 31], s.ub[l] = s.times[local >> 5 & 31], s.uc[l] = s.times[local >> 10];
  }
  for (; l % 16; ++l) s.ua[l] = s.ub[l] = s.uc[l] = unreached;
#endif
}

double relaxStar(Star& s, double bound) {
  const V zero = N::broadcast(0);
  const int n = s.count;

  // 1. Rays through triangles.
  V minimum = N::broadcast(bound);
  for (int l = 0; l < n; l += width) {
    const PlaneWaveOf<N> wave = planeWave<N>(load(s, l));
    const auto misses = N::greater(zero, N::min(wave.a, N::min(wave.b, wave.c)));
    minimum = N::min(N::select(misses, N::broadcast(unreached), wave.time), minimum);
    N::store(s.time + l, wave.time);
    N::store(s.wa + l, wave.a), N::store(s.wb + l, wave.b), N::store(s.wc + l, wave.c);
  }
  bound = N::fold(minimum, N::min);

  // 2. For rays that miss the triangle: the edges between the ray and the triangle.
  int edges = 0;
  const V limit = N::broadcast(bound);
  for (int l = 0; l < n; l += width) {
    const auto below = N::greater(limit, N::load(s.time + l));
    if (!N::bits(below)) continue;
    const OppositeOf<N> o = load(s, l);
    const float *ua = s.ua + l, *ub = s.ub + l, *uc = s.uc + l, *la = s.squares + l, *lb = la + n,
                *lc = lb + n;
    const auto wanted = [&](const double* weight, N::Mask matters) {
      return N::bits(N::both(N::both(below, matters), N::greater(zero, N::load(weight + l))));
    };
    const auto bc = wanted(s.wa, edgeMatters<N>(o.ub, o.uc, o.lb, o.lc, o.bc, limit));
    const auto ac = wanted(s.wb, edgeMatters<N>(o.ua, o.uc, o.la, o.lc, o.ac, limit));
    const auto ab = wanted(s.wc, edgeMatters<N>(o.ua, o.ub, o.la, o.lb, o.ab, limit));
    edges = addEdges(s, edges, bc, ub, uc, lb, lc, la + 5 * n);
    edges = addEdges(s, edges, ac, ua, uc, la, lc, la + 4 * n);
    edges = addEdges(s, edges, ab, ua, ub, la, lb, la + 3 * n);
  }
  if (edges == 0) return bound;

  // 3. Updates from those edges. Lanes beyond the last edge have no effect.
  for (int e = edges; e % width; ++e) s.edgeUa[e] = s.edgeUb[e] = unreached;
  for (int e = 0; e < edges; e += width) {
    const V time =
        fromEdge<N>(N::fromFloats(s.edgeUa + e), N::fromFloats(s.edgeUb + e), N::fromFloats(s.edgeLa + e),
                    N::fromFloats(s.edgeLb + e), N::fromFloats(s.edgeAb + e));
    minimum = N::min(time, minimum);
  }
  return N::fold(minimum, N::min);
}

std::uint32_t wakeStar(const Star& s, float time) {
  std::uint32_t neighbours = 0;
  const V now = N::broadcast(time), zero = N::broadcast(0), margin = N::broadcast(1 + 1e-6);
  for (int l = 0; l < s.count; l += width) {
    const OppositeOf<N> o = load(s, l);
    const std::uint32_t valid = s.count - l < width ? (1u << (s.count - l)) - 1 : ~0u;
    // As in mayLower: edges from the vertex to a, for example, and from a to b and c; then from the vertex to
    // b and c.
    const auto add = [&](int bit, V u, V edge, V ab, V ac, V lb, V lc) {
      const V lag = now - u;
      const auto obtuse = N::either(N::greater(lb, edge + ab), N::greater(lc, edge + ac));
      const auto may =
          N::either(N::greater(zero, lag), N::both(obtuse, N::greater(edge * margin, lag * lag)));
      for (std::uint32_t lanes = N::bits(may) & valid; lanes; lanes &= lanes - 1)
        neighbours |= 1u << (s.local[l + __builtin_ctz(lanes)] >> bit & 31);
    };
    add(0, o.ua, o.la, o.ab, o.ac, o.lb, o.lc);
    add(5, o.ub, o.lb, o.ab, o.bc, o.la, o.lc);
    add(10, o.uc, o.lc, o.ac, o.bc, o.la, o.lb);
  }
  return neighbours;
}

} // namespace isochrone::mesh::ISOCHRONE_ISA
