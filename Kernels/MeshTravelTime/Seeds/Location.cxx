// Locates positions in the mesh. A single pass over the cells finds all of them, in less time than it takes
// to build a search tree.
#include "Execution/RoundPool.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Scheme/CellMetric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>

namespace isochrone::mesh {

namespace {

using Corners = std::array<Position, 4>;

using grid::cross;
using grid::difference;
using grid::dot;

double squaredDistance(const Position& a, const Position& b) {
  const Position d = difference(a, b);
  return dot(d, d);
}

bool isFinite(const Position& x) { return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]); }

/// Returns whether a tetrahedron of nonzero volume contains a position, at most `tolerance` beyond its faces.
bool inTetrahedron(const Corners& x, const Position& at, double tolerance) {
  for (int k = 0; k < 4; ++k) {
    const Position &a = x[(k + 1) % 4], &b = x[(k + 2) % 4], &c = x[(k + 3) % 4];
    const Position normal = cross(difference(b, a), difference(c, a));
    const double inside = dot(normal, difference(x[k], a)), here = dot(normal, difference(at, a));
    if (!(inside != 0)) return false; // flat
    if ((inside > 0 ? here : -here) < -tolerance * std::sqrt(dot(normal, normal))) return false;
  }
  return true;
}

/// The same for a triangle of nonzero area.
bool inTriangle(const Corners& x, const Position& at, double tolerance) {
  const Position normal = cross(difference(x[1], x[0]), difference(x[2], x[0]));
  const double area = std::sqrt(dot(normal, normal));
  if (!(area > 0) || std::abs(dot(normal, difference(at, x[0]))) > tolerance * area) return false;
  for (int k = 0; k < 3; ++k) {
    const Position edge = difference(x[(k + 1) % 3], x[k]);
    const double left = dot(normal, cross(edge, difference(at, x[k])));
    if (left < -tolerance * area * std::sqrt(dot(edge, edge))) return false;
  }
  return true;
}

/// The positions, sorted by their first coordinate.
class Places {
public:
  explicit Places(std::span<const Position> all) : places(all) {
    for (std::size_t p = 0; p < all.size(); ++p)
      if (isFinite(all[p])) order.push_back(p);
    std::ranges::sort(order, {}, [&](std::size_t p) { return all[p][0]; });
  }

  /// Calls `visit(index)` for each position in the box.
  template <class Visit>
  void within(const Bounds& box, const Visit& visit) const {
    auto at = std::ranges::lower_bound(order, box.low[0], {}, [&](std::size_t p) { return places[p][0]; });
    for (; at != order.end() && places[*at][0] <= box.high[0]; ++at) {
      const Position& x = places[*at];
      if (x[1] >= box.low[1] && x[1] <= box.high[1] && x[2] >= box.low[2] && x[2] <= box.high[2]) visit(*at);
    }
  }

private:
  std::span<const Position> places;
  std::vector<std::size_t> order;
};

void sortOut(std::vector<std::int64_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Finds the vertices of cells that are nearest to a position; among equally near ones those with the minimum
/// coordinates.
void findNearest(const Problem& p, const std::vector<std::uint8_t>& used, const Position& at,
                 Location& location) {
  Position best{};
  double minimum = std::numeric_limits<double>::infinity();
  for (std::int64_t v = 0; v < p.vertexCount(); ++v) {
    if (!used[v]) continue;
    const Position x = pointAt(p, v);
    const double squared = squaredDistance(x, at);
    if (squared > minimum || (squared == minimum && x > best)) continue;
    if (squared < minimum || x != best) location.vertices.clear();
    location.vertices.push_back(v);
    minimum = squared;
    best = x;
  }
  location.distance = std::sqrt(minimum);
}

} // namespace

std::vector<Location> locate(const Problem& p, std::span<const Position> places, double tolerance,
                             int threads) {
  std::vector<Location> found(places.size());
  const Places all(places);
  std::mutex mutex;
  execution::RoundPool pool(chooseThreads(threads, 50 * double(p.cellCount())));
  pool.forEach(p.cellCount(), [&](std::int64_t c) {
    const auto vertices = verticesOf(p, c);
    Corners x{};
    Bounds box;
    for (std::size_t k = 0; k < vertices.size(); ++k) box.add(x[k] = pointAt(p, vertices[k]));
    for (double& low : box.low) low -= tolerance;
    for (double& high : box.high) high += tolerance;
    all.within(box, [&](std::size_t place) {
      const bool inside = vertices.size() == 4 ? inTetrahedron(x, places[place], tolerance)
                                               : inTriangle(x, places[place], tolerance);
      const std::lock_guard lock(mutex);
      if (inside) found[place].cells.push_back(c);
      for (std::size_t k = 0; k < vertices.size(); ++k)
        if (squaredDistance(x[k], places[place]) <= tolerance * tolerance)
          found[place].vertices.push_back(vertices[k]);
    });
  });

  std::vector<std::uint8_t> used;
  for (std::size_t place = 0; place < places.size(); ++place) {
    Location& location = found[place];
    sortOut(location.cells);
    sortOut(location.vertices);
    if (!location.vertices.empty() || !location.cells.empty()) continue;
    if (!isFinite(places[place])) {
      location.distance = std::numeric_limits<double>::infinity();
      continue;
    }
    if (used.empty()) {
      used.resize(std::size_t(p.vertexCount()));
      for (const std::int64_t v : p.cells)
        if (v >= 0) used[std::size_t(v)] = 1;
    }
    findNearest(p, used, places[place], location);
  }
  return found;
}

} // namespace isochrone::mesh
