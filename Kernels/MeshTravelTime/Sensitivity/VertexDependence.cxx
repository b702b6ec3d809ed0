#include "MeshTravelTime/Sensitivity/VertexDependence.h"

#include <algorithm>
#include <cmath>

namespace isochrone::mesh {

namespace {

struct MinPoint {
  double value = unreached;
  std::array<double, 3> weight{}; ///< of the corners a, b, c
};

/// Returns the update and its minimum point.
MinPoint minPoint(const Opposite& o) {
  const PlaneWave wave = planeWave(o);
  if (wave.a >= 0 && wave.b >= 0 && wave.c >= 0) {
    const double sum = wave.a + wave.b + wave.c;
    return {wave.time, {wave.a / sum, wave.b / sum, wave.c / sum}};
  }
  MinPoint best;
  const double u[3] = {o.ua, o.ub, o.uc}, l[3] = {o.la, o.lb, o.lc}, between[3] = {o.bc, o.ac, o.ab};
  for (std::size_t k = 0; k < 3; ++k)
    if (const double value = u[k] + std::sqrt(l[k]); value < best.value)
      best = {value, {}}, best.weight[k] = 1;
  for (int k = 0; k < 3; ++k) { // on the edge opposite to corner k
    const int a = otherVertex(k, 0), b = otherVertex(k, 1);
    const double value = fromEdge(u[a], u[b], l[a], l[b], between[k]);
    if (!(value < best.value)) continue;
    const double ofB = weightOnEdge(u[a], u[b], l[a], l[b], between[k]);
    if (!(ofB > 0 && ofB < 1)) continue;
    best = {value, {}};
    best.weight[std::size_t(a)] = 1 - ofB, best.weight[std::size_t(b)] = ofB;
  }
  return best;
}

} // namespace

VertexDependence dependenceOf(const VertexStars& stars, std::int32_t vertex, std::span<const double> times) {
  VertexDependence best;
  float bestTime = unreached;
  double bestLast = 0;
  for (const Corner corner : stars.star(vertex)) {
    const Tetrahedron& t = stars.tetrahedra[corner / 4];
    const int k = int(corner % 4);
    const MinPoint point = minPoint(opposite(t, k, times.data()));
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
