#include "MeshTravelTime/Sensitivity/VertexDependence.h"

#include <algorithm>
#include <cmath>

namespace isochrone::mesh {

namespace {

struct MinPoint {
  double value = unreached;
  std::array<double, 3> weight{}; ///< of the corners a, b, c
};

/// Returns the update and its minimum point; `unreached` if it is above the bound.
MinPoint minPoint(const Opposite& o, double bound) {
  const double u[3] = {o.ua, o.ub, o.uc}, l[3] = {o.la, o.lb, o.lc}, between[3] = {o.bc, o.ac, o.ab};
  if (!(std::min({u[0], u[1], u[2]}) < bound)) return {};
  const PlaneWave wave = planeWave(o);
  const double corner[3] = {wave.a, wave.b, wave.c};
  if (wave.a >= 0 && wave.b >= 0 && wave.c >= 0) {
    const double sum = wave.a + wave.b + wave.c;
    return {wave.time, {wave.a / sum, wave.b / sum, wave.c / sum}};
  }
  MinPoint best;
  if (!(wave.time <= bound)) return best;
  for (int k = 0; k < 3; ++k) { // on the edge opposite to corner k
    const int a = otherVertex(k, 0), b = otherVertex(k, 1);
    if (!(corner[k] < 0) || !edgeMatters(u[a], u[b], l[a], l[b], between[k], bound)) continue;
    const double value = fromEdge(u[a], u[b], l[a], l[b], between[k]);
    if (!(value < best.value)) continue;
    const double ofB = value == u[a] + std::sqrt(l[a])   ? 0
                       : value == u[b] + std::sqrt(l[b]) ? 1
                                                         : weightOnEdge(u[a], u[b], l[a], l[b], between[k]);
    best = {value, {}};
    best.weight[std::size_t(b)] = std::clamp(ofB, 0., 1.);
    best.weight[std::size_t(a)] = 1 - best.weight[std::size_t(b)];
  }
  return best;
}

} // namespace

VertexDependence dependenceOf(const VertexStars& stars, std::int32_t vertex, std::span<const double> times,
                              double bound) {
  VertexDependence best;
  float bestTime = unreached;
  double bestLast = 0;
  for (const Corner corner : stars.star(vertex)) {
    const Tetrahedron& t = stars.tetrahedra[corner / 4];
    const int k = int(corner % 4);
    const MinPoint point = minPoint(opposite(t, k, times.data()), bound);
    const float time = float(point.value);
    if (!(time <= bestTime) || !(time < unreached)) continue;
    VertexDependence next;
    next.tetrahedron = corner / 4, next.value = point.value;
    double last = -HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
      if (!(point.weight[std::size_t(i)] > 0)) continue;
      const std::int32_t other = t.vertex[otherVertex(k, i)];
      next.vertex[next.count] = other, next.weight[next.count++] = point.weight[std::size_t(i)];
      last = std::max(last, times[std::size_t(other)]);
    }
    if (time == bestTime && best.count > 0 && !(last < bestLast)) continue;
    best = next, bestTime = time, bestLast = last;
  }
  return best;
}

} // namespace isochrone::mesh
