#include "MeshTravelTime/Seeds/LineOfSight.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::mesh {

namespace {

bool areEqual(const grid::Symmetric3& a, const grid::Symmetric3& b) {
  const double tolerance = 1e-9 * grid::trace(a);
  for (std::size_t i = 0; i < 6; ++i)
    if (!(std::abs(a[i] - b[i]) <= tolerance)) return false;
  return true;
}

/// Returns whether a direction leads into the cell from a place on its boundary. Rates within rounding of a
/// face are set to zero.
bool entersCell(const CornerWeights& weights, CornerWeights& rates) {
  double maximum = 0;
  for (const double r : rates) maximum = std::max(maximum, std::abs(r));
  for (std::size_t k = 0; k < 4; ++k) {
    if (weights[k] > 0) continue;
    if (rates[k] < -1e-9 * maximum) return false;
    if (rates[k] < 1e-9 * maximum) rates[k] = 0;
  }
  return true;
}

} // namespace

SeedSight::SeedSight(const Problem& problem, const VertexCells& vertexCells, const Seed& s)
    : p(problem), cells(vertexCells), seed(s), target(s.vertex >= 0 ? pointAt(problem, s.vertex) : s.at) {
  const auto addMetric = [&](std::int64_t cell) {
    grid::Symmetric3 metric;
    if (metricAt(p, cell, metric) != Passage::Open) return;
    for (const auto& known : metrics)
      if (areEqual(known, metric)) return;
    metrics.push_back(metric);
  };
  if (seed.vertex < 0)
    addMetric(seed.cell);
  else
    for (const std::int64_t cell : cells.around(seed.vertex)) addMetric(cell);
}

bool SeedSight::isAt(std::int64_t cell) const {
  if (seed.vertex < 0) return cell == seed.cell;
  const auto corners = verticesOf(p, cell);
  return std::ranges::find(corners, seed.vertex) != corners.end();
}

double SeedSight::timeFrom(const Place& place, int maxCells, std::vector<LinePiece>* pieces) const {
  double minimum = std::numeric_limits<double>::infinity();
  const grid::Vector3 line = grid::difference(target, positionOf(p, place));
  std::vector<LinePiece> passed;
  if (pieces) pieces->clear();
  for (const auto& metric : metrics)
    if (const double time = std::sqrt(grid::square(metric, line));
        time < minimum && sees(place, metric, maxCells, passed)) {
      minimum = time;
      if (pieces) *pieces = passed;
    }
  return minimum;
}

bool SeedSight::sees(const Place& from, const grid::Symmetric3& metric, int maxCells,
                     std::vector<LinePiece>& pieces) const {
  Place place = from;
  pieces.clear();
  for (int step = 0; step < maxCells; ++step) { // the limit also ends cycles caused by rounding
    const grid::Vector3 rest = grid::difference(target, positionOf(p, place));
    bool arrived = false;
    double farthest = 0; // fraction of the rest
    Place next;
    std::int64_t passed = -1;
    visitCells(p, cells, place, [&](std::int64_t cell, const CornerWeights& weights) {
      grid::Symmetric3 own;
      if (metricAt(p, cell, own) != Passage::Open || !areEqual(metric, own)) return true;
      if ((arrived = isAt(cell))) {
        pieces.push_back({cell, rest});
        return false;
      }
      CornerWeights rates;
      if (!ratesAlong(p, cell, rest, rates) || !entersCell(weights, rates)) return true;
      const double length = lengthWithin(weights, rates);
      if (length > farthest && length < 1)
        farthest = length, passed = cell, next = moved(p, cell, weights, rates, length);
      return true;
    });
    if (arrived) return true;
    if (!(farthest > 1e-9)) return false;
    pieces.push_back({passed, grid::difference(positionOf(p, next), positionOf(p, place))});
    place = next;
  }
  return false;
}

} // namespace isochrone::mesh
