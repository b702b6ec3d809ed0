#include "MeshTravelTime/Seeds.h"

#include "Common/Ranks.h"
#include "Error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <tuple>

namespace isochrone::filters {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Location of a place in a part of the mesh; smaller is better.
struct Found {
  double kind = outside, distance = infinity;
  std::array<double, 3> nearest{infinity, infinity, infinity}; ///< vertex that the place is moved to

  static constexpr double atVertex = 0, inCell = 1, outside = 2;

  bool operator==(const Found& other) const { return !(*this < other) && !(other < *this); }
  bool operator<(const Found& other) const {
    if (kind != outside || other.kind != outside) return kind < other.kind;
    return std::tie(distance, nearest) < std::tie(other.distance, other.nearest);
  }
};

Found foundIn(const mesh::Problem& part, const mesh::Location& location) {
  if (location.distance == 0) return {location.vertices.empty() ? Found::inCell : Found::atVertex, 0, {}};
  if (location.vertices.empty()) return {};
  const auto first = std::size_t(3 * location.vertices[0]);
  return {Found::outside,
          location.distance,
          {part.points[first], part.points[first + 1], part.points[first + 2]}};
}

} // namespace

std::array<double, 3> MeshBounds::centre() const {
  return {(box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2};
}

double MeshBounds::tolerance() const {
  constexpr double share = 1e-6;
  const double diagonal = std::hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  return std::isfinite(diagonal) ? share * diagonal : 0;
}

MeshBounds boundsOf(const Ranks& ranks, const mesh::Problem& part) {
  std::vector<double> ends(6, -infinity); // maxima of x, y, z and of -x, -y, -z
  for (const std::int64_t v : part.cells)
    for (int a = 0; v >= 0 && a < 3; ++a) {
      const double x = part.points[std::size_t(3 * v + a)];
      ends[a] = std::max(ends[a], x);
      ends[3 + a] = std::max(ends[3 + a], -x);
    }
  ends = ranks.allMax(ends);
  return {{-ends[3], -ends[4], -ends[5], ends[0], ends[1], ends[2]}};
}

void requireFinitePlaces(const Places& seeds) {
  for (std::size_t s = 0; s < seeds.size(); ++s)
    if (const auto [x, y, z] = seeds.positions[s]; !std::isfinite(x + y + z))
      throw Error("the place of seed " + std::to_string(s) + " must be finite");
}

std::vector<MeshPlace> placesIn(const Ranks& ranks, const mesh::Problem& part, const MeshBounds& bounds,
                                const Places& places, int threads) {
  // 1. Locate the places in this part.
  const std::vector<mesh::Location> locations = locate(part, places.positions, bounds.tolerance(), threads);
  std::vector<Found> local;
  for (const mesh::Location& location : locations) local.push_back(foundIn(part, location));

  // 2. Take the best of all parts, which does not depend on the distribution of the mesh.
  std::vector<Found> best = local;
  for (const std::vector<Found>& other : ranks.gather<Found>(local))
    for (std::size_t p = 0; p < best.size(); ++p) best[p] = std::min(best[p], other[p]);
  std::vector<MeshPlace> out(locations.size());
  for (std::size_t p = 0; p < out.size(); ++p) {
    if (best[p].kind == Found::outside) out[p].moved = best[p].distance;
    if (!(best[p] == local[p])) continue;
    if (best[p].kind == Found::inCell)
      out[p].cells = locations[p].cells;
    else
      out[p].vertices = locations[p].vertices;
  }
  return out;
}

MeshSeeds seedsOf(const Ranks& ranks, const Places& points, const std::vector<MeshPlace>& places,
                  const std::vector<double>& onsets) {
  std::vector<std::int64_t> starting; // vertices
  for (std::size_t v = 0; v < onsets.size(); ++v)
    if (!std::isnan(onsets[v])) starting.push_back(std::int64_t(v));
  std::vector<std::int64_t> counts; // seeds per point on this rank, then vertices with an onset time
  for (const MeshPlace& place : places)
    counts.push_back(std::int64_t(place.vertices.size() + place.cells.size()));
  counts.push_back(std::int64_t(starting.size()));
  const std::vector<std::vector<std::int64_t>> all = ranks.gather<std::int64_t>(counts);

  // If waves arrive simultaneously, the greatest seed number wins. Number the seeds by label, which does not
  // depend on the distribution of the points.
  MeshSeeds out;
  const std::size_t ofOnsets = points.size();
  std::vector<std::size_t> order(ofOnsets + 1);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end() - 1,
                   [&](std::size_t a, std::size_t b) { return points.labels[a] < points.labels[b]; });
  double earliest = infinity;
  for (const std::size_t p : order)
    for (int r = 0; r < ranks.count(); ++r)
      for (std::int64_t i = 0; i < all[r][p]; ++i) {
        mesh::Seed seed;
        if (p < ofOnsets) {
          seed.startTime = points.startValues[p];
          earliest = std::min(earliest, seed.startTime);
        }
        if (r == ranks.index() && p == ofOnsets) {
          seed.vertex = starting[std::size_t(i)];
          seed.startTime = onsets[std::size_t(seed.vertex)];
          earliest = std::min(earliest, seed.startTime);
        } else if (r == ranks.index() && !places[p].vertices.empty()) {
          seed.vertex = places[p].vertices[std::size_t(i)];
        } else if (r == ranks.index()) {
          seed.cell = places[p].cells[std::size_t(i)];
          seed.at = points.positions[p];
        }
        out.seeds.push_back(seed);
        out.labels.push_back(p < ofOnsets ? points.labels[p] : std::int32_t(ofOnsets));
        out.points.push_back(p);
      }
  double minimum[1] = {earliest};
  ranks.allMin(minimum);
  if (!std::isfinite(minimum[0])) return out;
  out.origin = TimeOrigin(minimum);
  for (mesh::Seed& seed : out.seeds) seed.startTime = out.origin.since(seed.startTime);
  return out;
}

std::vector<mesh::Tip> tipsOf(const mesh::Problem& part, const Places& points,
                              const std::vector<MeshPlace>& places, std::span<const float> travelTime) {
  const auto isReached = [&](std::int64_t cell) {
    for (int k = 0; k < 4; ++k)
      if (const std::int64_t v = part.cells[std::size_t(4 * cell + k)];
          v >= 0 && !std::isfinite(travelTime[v]))
        return false;
    return true;
  };
  std::vector<mesh::Tip> tips(places.size());
  for (std::size_t p = 0; p < places.size(); ++p) {
    tips[p].at = points.positions[p];
    const auto& [vertices, cells, moved] = places[p];
    if (!vertices.empty()) {
      tips[p].vertex = vertices[0];
    } else if (!cells.empty()) {
      const auto reached = std::find_if(cells.begin(), cells.end(), isReached);
      tips[p].cell = reached == cells.end() ? cells[0] : *reached;
    }
  }
  return tips;
}

std::string movedPlaces(const Places& points, const std::vector<MeshPlace>& places, const std::string& role) {
  const Faults outside = faultsOf(points, role, [&](std::size_t p) -> std::string {
    if (!(places[p].moved > 0)) return {};
    std::ostringstream text;
    text << "is " << places[p].moved << " away from it";
    return text.str();
  });
  if (outside.count == 0) return {};
  return std::to_string(outside.count) + " of " + std::to_string(points.size()) + ' ' + role +
         "s lie outside the mesh and are moved to its nearest point: " + outside.list;
}

} // namespace isochrone::filters
