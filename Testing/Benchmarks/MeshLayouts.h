// MeshLayouts.h - a study of the data stored per tetrahedron (Ganellari, Haase, Zumbusch, sections 3.2, 3.3
// and 7.1): all its 18 inner products, or the squares of its six edges, which determine the other twelve.
//
// Uses a simple solver on one thread: one vertex at a time, first in, first out. Only the storage differs.
#pragma once

#include "MeshTravelTime/Scheme/VertexStars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <vector>

namespace isochrone::benchmark {

/// The data of a tetrahedron x a b c that vertex x reads: squares of the edges, and inner products of edges
/// that leave c (to a and b, to x and a, to x and b) and x (to a and b, to a and c, to b and c).
struct SeenProducts {
  double la, lb, lc, ab, ac, bc;
  double cAB, cXA, cXB, xAB, xAC, xBC;
};

inline double angle(double first, double second, double opposite) {
  return 0.5 * (first + second - opposite);
}

/// The storage of section 3.3.
struct SixLengths {
  std::array<float, 6> square; ///< by edgeBetween

  explicit SixLengths(const mesh::Tetrahedron& t) {
    for (int e = 0; e < 6; ++e) square[e] = t.square[e];
  }
  SeenProducts seenFrom(int x, int a, int b, int c) const {
    const auto of = [&](int i, int j) { return double(square[mesh::edgeBetween(i, j)]); };
    const double la = of(x, a), lb = of(x, b), lc = of(x, c), ab = of(a, b), ac = of(a, c), bc = of(b, c);
    return {la,
            lb,
            lc,
            ab,
            ac,
            bc,
            angle(ac, bc, ab),
            angle(lc, ac, la),
            angle(lc, bc, lb),
            angle(la, lb, ab),
            angle(la, lc, ac),
            angle(lb, lc, bc)};
  }
};

/// The storage of section 3.2.
struct EighteenProducts {
  std::array<float, 6> square;
  std::array<std::array<float, 3>, 4> atCorner; ///< of edges from the corner, by the other vertex left out

  explicit EighteenProducts(const mesh::Tetrahedron& t) {
    for (int e = 0; e < 6; ++e) square[e] = t.square[e];
    for (int k = 0; k < 4; ++k)
      for (int out = 0; out < 3; ++out) {
        const int i = mesh::otherVertex(k, (out + 1) % 3), j = mesh::otherVertex(k, (out + 2) % 3);
        atCorner[k][out] = float(angle(t.square[mesh::edgeBetween(k, i)], t.square[mesh::edgeBetween(k, j)],
                                       t.square[mesh::edgeBetween(i, j)]));
      }
  }
  double at(int corner, int leftOut) const { return atCorner[corner][leftOut - (leftOut > corner ? 1 : 0)]; }
  SeenProducts seenFrom(int x, int a, int b, int c) const {
    const auto of = [&](int i, int j) { return double(square[mesh::edgeBetween(i, j)]); };
    return {of(x, a), of(x, b), of(x, c), of(a, b), of(a, c), of(b, c),
            at(c, x), at(c, b), at(c, a), at(x, c), at(x, b), at(x, a)};
  }
};

/// Returns the minimum over an edge with times ua and ub. q: the inner product of the edges to its ends.
inline double minOfEdge(double ua, double ub, double la, double lb, double ab, double q) {
  const double ends = std::min(ua + std::sqrt(la), ub + std::sqrt(lb)), d = ub - ua, k = ab - d * d;
  if (!(k > 0)) return ends;
  const double root = std::sqrt(std::max(0., la * lb - q * q) * k), weight = (la - q) * k - d * root;
  return weight > 0 && weight < ab * k ? std::min(ends, ua + ((la - q) * d + root) / ab) : ends;
}

inline double minOfTriangle(const SeenProducts& s, double ua, double ub, double uc) {
  const double area = s.ac * s.bc - s.cAB * s.cAB, d1 = ua - uc, d2 = ub - uc;
  const double w1 = (s.bc * s.cXA - s.cAB * s.cXB) / area, w2 = (s.ac * s.cXB - s.cAB * s.cXA) / area;
  const double k1 = (s.bc * d1 - s.cAB * d2) / area, k2 = (s.ac * d2 - s.cAB * d1) / area;
  const double rest = 1 - d1 * k1 - d2 * k2, height = std::max(0., s.lc - w1 * s.cXA - w2 * s.cXB);
  if (rest > 0) {
    const double root = std::sqrt(height * rest), a = w1 * rest - root * k1, b = w2 * rest - root * k2;
    if (a >= 0 && b >= 0 && rest - a - b >= 0) return uc + w1 * d1 + w2 * d2 + root;
  }
  return std::min({minOfEdge(ua, ub, s.la, s.lb, s.ab, s.xAB), minOfEdge(ua, uc, s.la, s.lc, s.ac, s.xAC),
                   minOfEdge(ub, uc, s.lb, s.lc, s.bc, s.xBC)});
}

struct LayoutRun {
  std::vector<float> times; ///< by the vertex's number in the stars, in their units
  double updatesPerVertex = 0;
};

/// @param start  a vertex of the stars
template <class Layout>
LayoutRun solveWithLayout(const mesh::VertexStars& stars, const std::vector<Layout>& layout,
                          std::int32_t start) {
  LayoutRun run;
  run.times.assign(std::size_t(stars.vertexCount) + 1, mesh::unreached);
  std::vector<std::uint8_t> listed(run.times.size());
  std::deque<std::int32_t> queue;
  std::int64_t updates = 0;
  const auto lower = [&](std::int32_t v, float time) {
    run.times[v] = time;
    for (const mesh::Corner corner : stars.star(v)) {
      const mesh::Tetrahedron& t = stars.tetrahedra[corner / 4];
      for (int j = 0; j < 4; ++j)
        if (j != int(corner % 4) && !listed[t.vertex[j]] &&
            mesh::mayLower(t, int(corner % 4), j, time, run.times[t.vertex[j]]))
          listed[t.vertex[j]] = 1, queue.push_back(t.vertex[j]);
    }
  };
  lower(start, 0);
  while (!queue.empty()) {
    const std::int32_t v = queue.front();
    queue.pop_front();
    listed[v] = 0, ++updates;
    double minimum = run.times[v];
    for (const mesh::Corner corner : stars.star(v)) {
      const mesh::Tetrahedron& t = stars.tetrahedra[corner / 4];
      const int x = int(corner % 4), a = mesh::otherVertex(x, 0), b = mesh::otherVertex(x, 1),
                c = mesh::otherVertex(x, 2);
      const double ua = run.times[t.vertex[a]], ub = run.times[t.vertex[b]], uc = run.times[t.vertex[c]];
      if (std::min({ua, ub, uc}) >= minimum) continue;
      minimum = std::min(minimum, minOfTriangle(layout[corner / 4].seenFrom(x, a, b, c), ua, ub, uc));
    }
    if (float(minimum) < run.times[v]) lower(v, float(minimum));
  }
  run.updatesPerVertex = double(updates) / double(stars.vertexCount);
  return run;
}

} // namespace isochrone::benchmark
