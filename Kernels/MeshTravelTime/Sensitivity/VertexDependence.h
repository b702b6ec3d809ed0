// VertexDependence.h - the vertices that give a vertex its time. The functions run on host and device.
#pragma once

#include "MeshTravelTime/Scheme/LocalSolver.h"

#include <cmath>
#include <cstdint>

namespace isochrone::mesh {

struct VertexDependence {
  std::int32_t vertex[3] = {}; ///< by index in the stars
  double weight[3] = {};       ///< positive, sum 1: the minimum point of the update
  std::uint32_t tetrahedron = 0;
  std::uint8_t count = 0;   ///< number of vertices; 0: there is no update
  double value = unreached; ///< the update in double, in solver units
};

/// The tetrahedra around each vertex, as in VertexStars.
struct StarsView {
  const Tetrahedron* tetrahedra;
  const std::uint32_t* first;
  const std::uint32_t* corners;
};

/// The minimum point of an update.
struct MinPoint {
  double value = unreached;
  double weight[3] = {}; ///< of the corners a, b, c
};

/// Returns the update and its minimum point; `unreached` if it is above the bound.
TEAM_FN MinPoint minPoint(const Opposite& o, double bound) {
  const double u[3] = {o.ua, o.ub, o.uc}, l[3] = {o.la, o.lb, o.lc}, between[3] = {o.bc, o.ac, o.ab};
  MinPoint best;
  if (!(Single::min(Single::min(u[0], u[1]), u[2]) < bound)) return best;
  const PlaneWave wave = planeWave(o);
  if (wave.a >= 0 && wave.b >= 0 && wave.c >= 0) {
    const double sum = wave.a + wave.b + wave.c;
    best.value = wave.time;
    best.weight[0] = wave.a / sum, best.weight[1] = wave.b / sum, best.weight[2] = wave.c / sum;
    return best;
  }
  if (!(wave.time <= bound)) return best;
  execution::unroll<3>([&](auto k) { // on the edge opposite to corner k
    constexpr int corner = decltype(k){}, a = otherVertex(corner, 0), b = otherVertex(corner, 1);
    const double ofCorner = corner == 0 ? wave.a : corner == 1 ? wave.b : wave.c;
    if (!(ofCorner < 0) || !edgeMatters(u[a], u[b], l[a], l[b], between[corner], bound)) return;
    const double value = fromEdge(u[a], u[b], l[a], l[b], between[corner]);
    if (!(value < best.value)) return;
    double ofB = weightOnEdge(u[a], u[b], l[a], l[b], between[corner]);
    ofB = ofB < 0 ? 0 : ofB > 1 ? 1 : ofB;
    if (value == u[b] + std::sqrt(l[b])) ofB = 1;
    if (value == u[a] + std::sqrt(l[a])) ofB = 0;
    best.value = value;
    best.weight[corner] = 0, best.weight[a] = 1 - ofB, best.weight[b] = ofB;
  });
  return best;
}

/// Returns the update that gives a vertex its time: the minimum in single precision. Of equal ones it is that
/// with the earliest corners, then the first.
/// @param times  by index in the stars, in solver units; `unreached` where no wave arrives
/// @param bound  updates above it are left out
TEAM_FN VertexDependence dependenceOf(const StarsView& stars, std::int32_t vertex, const double* times,
                                      double bound) {
  VertexDependence best;
  float bestTime = unreached;
  double bestLast = 0;
  for (std::uint32_t at = stars.first[vertex]; at < stars.first[vertex + 1]; ++at) {
    const std::uint32_t corner = stars.corners[at];
    const Tetrahedron& t = stars.tetrahedra[corner / 4];
    const int k = int(corner % 4);
    const MinPoint point = minPoint(opposite(t, k, times), bound);
    const float time = float(point.value);
    if (!(time <= bestTime) || !(time < unreached)) continue;
    double last = -double(unreached);
    for (int i = 0; i < 3; ++i)
      if (point.weight[i] > 0) last = Single::max(last, times[t.vertex[otherVertex(k, i)]]);
    if (time == bestTime && best.count > 0 && !(last < bestLast)) continue;
    best.tetrahedron = corner / 4, best.value = point.value, best.count = 0;
    for (int i = 0; i < 3; ++i)
      if (point.weight[i] > 0) {
        best.vertex[best.count] = t.vertex[otherVertex(k, i)];
        best.weight[best.count++] = point.weight[i];
      }
    bestTime = time, bestLast = last;
  }
  return best;
}

/// Returns what gives a vertex its time: an update, or a start (count 0).
/// @param start     time of the earliest start; `unreached` if there is none
/// @param origin    magnitude of the times that the solver subtracted, in solver units
TEAM_FN VertexDependence dependenceAt(const StarsView& stars, std::int32_t vertex, const double* times,
                                      double start, double origin) {
  const double time = times[vertex];
  VertexDependence d;
  if (!(time < unreached)) return d;
  // Far above the time itself by single precision, to save updates that do not give it.
  const double bound = time + 1e-6 * (std::abs(time) + origin);
  d = dependenceOf(stars, vertex, times, bound);
  if (d.count == 0 && !(start < unreached)) d = dependenceOf(stars, vertex, times, unreached);
  if (start < unreached && float(start) <= float(d.value)) {
    d = VertexDependence{};
    d.value = start;
  }
  return d;
}

} // namespace isochrone::mesh
