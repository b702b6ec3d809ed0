#include "MeshTravelTime/Seeds/MeshPlace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace isochrone::mesh {

namespace {

using grid::cross;
using grid::difference;
using grid::dot;
using grid::Vector3;

/// Solves vector = sum of parts[i] (corner i - corner 0); for a triangle, of the projection to its plane.
/// Returns false without volume.
bool solve(const Problem& p, std::int64_t cell, const Vector3& vector, CornerWeights& parts) {
  const auto corner = verticesOf(p, cell);
  std::array<Vector3, 3> e;
  for (std::size_t i = 1; i < corner.size(); ++i)
    e[i - 1] = difference(pointAt(p, corner[i]), pointAt(p, corner[0]));
  if (corner.size() == 3) e[2] = cross(e[0], e[1]);
  const Vector3 n = cross(e[0], e[1]);
  const double volume = dot(n, e[2]);
  if (!(std::abs(volume) > 1e-12 * std::sqrt(dot(n, n) * dot(e[2], e[2])))) return false;
  parts[1] = dot(vector, cross(e[1], e[2])) / volume;
  parts[2] = dot(vector, cross(e[2], e[0])) / volume;
  parts[3] = corner.size() == 3 ? 0 : dot(vector, n) / volume;
  parts[0] = -(parts[1] + parts[2] + parts[3]);
  return true;
}

std::int64_t nearestCorner(const Problem& p, std::int64_t cell, const Position& at) {
  return *std::ranges::min_element(verticesOf(p, cell), {}, [&](std::int64_t v) {
    const Vector3 apart = difference(pointAt(p, v), at);
    return dot(apart, apart);
  });
}

/// Returns the place with such weights, which need not add up to 1.
Place placeWith(const Problem& p, std::int64_t cell, const CornerWeights& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  Place place;
  for (std::size_t k = 0; k < verticesOf(p, cell).size(); ++k)
    if (weights[k] > 0) place.add(verticesOf(p, cell)[k], weights[k] / sum);
  return place;
}

} // namespace

Place placeIn(const Problem& p, std::int64_t cell, const Position& at) {
  CornerWeights w;
  if (!solve(p, cell, difference(at, pointAt(p, verticesOf(p, cell)[0])), w))
    return placeAt(nearestCorner(p, cell, at));
  w[0] += 1;
  for (double& c : w) c = c > roundedWeight ? c : 0;
  return placeWith(p, cell, w);
}

Position positionOf(const Problem& p, const Place& place) {
  if (place.count == 1) return pointAt(p, place.vertex[0]);
  Position at{};
  for (int i = 0; i < place.count; ++i) {
    const Position x = pointAt(p, place.vertex[std::size_t(i)]);
    for (std::size_t a = 0; a < 3; ++a) at[a] += place.weight[std::size_t(i)] * x[a];
  }
  return at;
}

bool weightsIn(const Problem& p, std::int64_t cell, const Place& place, CornerWeights& weights) {
  weights = {};
  for (int i = 0; i < place.count; ++i) {
    int k = 0; // the first match: a cell may have a vertex twice
    while (k < 4 && p.cells[std::size_t(4 * cell + k)] != place.vertex[std::size_t(i)]) ++k;
    if (k == 4) return false;
    weights[std::size_t(k)] = place.weight[std::size_t(i)];
  }
  return true;
}

double lengthWithin(const CornerWeights& weights, const CornerWeights& rates) {
  double length = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 4; ++k)
    if (rates[k] < 0) length = std::min(length, weights[k] / -rates[k]);
  return length;
}

Place moved(const Problem& p, std::int64_t cell, const CornerWeights& weights, const CornerWeights& rates,
            double length, double minimum) {
  CornerWeights w;
  for (std::size_t k = 0; k < 4; ++k) {
    const bool leaves = rates[k] < 0 && weights[k] / -rates[k] <= length;
    const double to = weights[k] + length * rates[k];
    w[k] = leaves || !(to > minimum) ? 0 : to;
  }
  return placeWith(p, cell, w);
}

bool ratesAlong(const Problem& p, std::int64_t cell, const Position& vector, CornerWeights& rates) {
  if (!solve(p, cell, vector, rates)) return false;
  const auto corner = verticesOf(p, cell);
  if (corner.size() == 4) return true;
  Vector3 rest = vector;
  for (std::size_t k = 0; k < 3; ++k) {
    const Position x = pointAt(p, corner[k]);
    for (std::size_t a = 0; a < 3; ++a) rest[a] -= rates[k] * x[a];
  }
  return dot(rest, rest) <= 1e-18 * dot(vector, vector);
}

} // namespace isochrone::mesh
