// The update of a vertex, compiled once for every instruction set.
#include "Execution/Lanes.h"
#include "MeshTravelTime/MeshTravelTimeMath.h"
#include "MeshTravelTime/StarRelaxation.h"

namespace isochrone::mesh::ISOCHRONE_ISA {

namespace {

using N = execution::ISOCHRONE_ISA::Lanes<double>;
using V = N::V;
constexpr int width = N::width;

inline OppositeOf<N> load(const StarBlock& s, int i) {
  return {N::fromFloats(s.ua + i), N::fromFloats(s.ub + i), N::fromFloats(s.uc + i),
          N::fromFloats(s.la + i), N::fromFloats(s.lb + i), N::fromFloats(s.lc + i),
          N::fromFloats(s.ab + i), N::fromFloats(s.ac + i), N::fromFloats(s.bc + i)};
}

/// Adds edges of some lanes to those to look at.
inline int addEdges(const Star& s, int count, std::uint32_t lanes, const float* ua, const float* ub,
                    const float* la, const float* lb, const float* ab) {
  for (; lanes; lanes &= lanes - 1, ++count) {
    const int l = __builtin_ctz(lanes), at = count % starLanes;
    EdgeBlock& e = s.edges[count / starLanes];
    e.ua[at] = ua[l], e.ub[at] = ub[l], e.la[at] = la[l], e.lb[at] = lb[l], e.ab[at] = ab[l];
  }
  return count;
}

} // namespace

double relaxStar(const Star& star, double bound) {
  const V zero = N::broadcast(0);

  // 1. Rays through triangles.
  V least = N::broadcast(bound);
  for (int first = 0; first < star.count; first += width) {
    StarBlock& s = star.blocks[first / starLanes];
    const int i = first % starLanes;
    const PlaneWaveOf<N> wave = planeWave<N>(load(s, i));
    const auto misses = N::greater(zero, N::min(wave.a, N::min(wave.b, wave.c)));
    least = N::min(least, N::select(misses, N::broadcast(unreached), wave.time));
    N::store(s.time + i, wave.time);
    N::store(s.wa + i, wave.a), N::store(s.wb + i, wave.b), N::store(s.wc + i, wave.c);
  }
  bound = N::least(least);

  // 2. Where a ray misses the triangle: the edges between which it is and the triangle.
  int edges = 0;
  for (int first = 0; first < star.count; first += width) {
    StarBlock& s = star.blocks[first / starLanes];
    const int i = first % starLanes;
    const V limit = N::broadcast(bound);
    const auto below = N::greater(limit, N::load(s.time + i));
    if (!N::bits(below)) continue;
    const OppositeOf<N> o = load(s, i);
    const auto wanted = [&](const double* weight, N::Mask matters) {
      return N::bits(N::both(N::both(below, matters), N::greater(zero, N::load(weight + i))));
    };
    edges = addEdges(star, edges, wanted(s.wa, edgeMatters<N>(o.ub, o.uc, o.lb, o.lc, o.bc, limit)), s.ub + i,
                     s.uc + i, s.lb + i, s.lc + i, s.bc + i);
    edges = addEdges(star, edges, wanted(s.wb, edgeMatters<N>(o.ua, o.uc, o.la, o.lc, o.ac, limit)), s.ua + i,
                     s.uc + i, s.la + i, s.lc + i, s.ac + i);
    edges = addEdges(star, edges, wanted(s.wc, edgeMatters<N>(o.ua, o.ub, o.la, o.lb, o.ab, limit)), s.ua + i,
                     s.ub + i, s.la + i, s.lb + i, s.ab + i);
  }
  if (edges == 0) return bound;

  // 3. Along those edges. Lanes beyond the last one bring nothing.
  for (int e = edges; e % width; ++e)
    star.edges[e / starLanes].ua[e % starLanes] = star.edges[e / starLanes].ub[e % starLanes] = unreached;
  for (int first = 0; first < edges; first += width) {
    const EdgeBlock& e = star.edges[first / starLanes];
    const int i = first % starLanes;
    const V time = fromEdge<N>(N::fromFloats(e.ua + i), N::fromFloats(e.ub + i), N::fromFloats(e.la + i),
                               N::fromFloats(e.lb + i), N::fromFloats(e.ab + i));
    least = N::min(time, least);
  }
  return N::least(least);
}

int wakeStar(const Star& star, float time, std::int32_t* woken) {
  int count = 0;
  const V now = N::broadcast(time), zero = N::broadcast(0), margin = N::broadcast(1 + 1e-6);
  for (int first = 0; first < star.count; first += width) {
    const StarBlock& s = star.blocks[first / starLanes];
    const int i = first % starLanes;
    const OppositeOf<N> o = load(s, i);
    const std::uint32_t valid = star.count - first < width ? (1u << (star.count - first)) - 1 : ~0u;
    // As mayLower: edges from the vertex to a, say, and from a to b and c; those from the vertex to b and c.
    const auto add = [&](V u, V edge, V ab, V ac, V lb, V lc, const std::int32_t* vertices) {
      const V lag = now - u;
      const auto obtuse = N::either(N::greater(lb, edge + ab), N::greater(lc, edge + ac));
      const auto may =
          N::either(N::greater(zero, lag), N::both(obtuse, N::greater(edge * margin, lag * lag)));
      for (std::uint32_t lanes = N::bits(may) & valid; lanes; lanes &= lanes - 1)
        woken[count++] = vertices[i + __builtin_ctz(lanes)];
    };
    add(o.ua, o.la, o.ab, o.ac, o.lb, o.lc, s.a);
    add(o.ub, o.lb, o.ab, o.bc, o.la, o.lc, s.b);
    add(o.uc, o.lc, o.ac, o.bc, o.la, o.lb, s.c);
  }
  return count;
}

} // namespace isochrone::mesh::ISOCHRONE_ISA
