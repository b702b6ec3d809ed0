#include "ImageTravelTime/Tiles/PlaceList.h"

#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/OpenPlaces.h"

#include <algorithm>
#include <map>

namespace isochrone::image {

std::vector<StartNode> PlaceList::ofWholePlaces(const std::vector<StartNode>& starts) const {
  if (empty() || starts.empty()) return starts;
  std::map<std::int64_t, float> values;
  for (const StartNode& start : starts) values[start.node] = start.value;
  for (std::size_t place = 0; place < count(); ++place) {
    float minimum = unreached;
    for (const std::int64_t n : of(place))
      if (const auto at = values.find(n); at != values.end()) minimum = std::min(minimum, at->second);
    if (minimum < unreached)
      for (const std::int64_t n : of(place)) values[n] = minimum;
  }
  std::vector<StartNode> all;
  for (const auto& [n, value] : values) all.push_back({n, value});
  return all;
}

/// Returns the places of an image with periodic axes.
static PlaceList placesOnFaces(const Problem& problem, const Tiling& tiling) {
  PlaceList places;
  for (int tile = 0; tile < tiling.count(); ++tile)
    if (grid::common(tiling.boxOf(tile), problem.part.own).empty()) places.idle.push_back(tile);
  const HeldPoints held(problem, tiling);
  struct Pair {
    std::int64_t own, copy;
  };
  std::vector<Pair> pairs;
  for (const grid::PartFace& face : problem.part.faces()) {
    const GridIndex& shift = problem.part.links[face.link].shift;
    grid::forEachPoint(face.outer, [&](const GridIndex& copy) {
      if (isBarrier(problem, problem.grid.index(copy))) return;
      GridIndex own;
      for (int a = 0; a < 3; ++a) own[a] = copy[a] - shift[a];
      pairs.push_back({held.node(own), held.node(copy)});
    });
  }
  std::ranges::stable_sort(pairs, {}, &Pair::own);
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    const bool first = n == 0 || pairs[n].own != pairs[n - 1].own,
               last = n + 1 == pairs.size() || pairs[n].own != pairs[n + 1].own;
    if (first) places.add(pairs[n].own, true);
    places.add(pairs[n].copy, false);
    if (last) places.endPlace();
  }
  return places;
}

std::vector<StartNode> withCopies(const std::vector<StartNode>& starts, const Grid& grid,
                                  const grid::Box& own) {
  if (own.points() == grid.points()) return starts;
  const GridIndex sizes = grid.sizes();
  const auto first = [&](int a, std::int64_t at) { return at % own.size(a); };
  std::map<std::int64_t, float> values; // of the first copy
  for (const StartNode& start : starts) {
    const auto [i, j, k] = grid.indices(start.node);
    const auto [at, isNew] =
        values.try_emplace(grid.index(first(0, i), first(1, j), first(2, k)), start.value);
    at->second = std::min(at->second, start.value);
  }
  std::vector<StartNode> all;
  for (const auto& [n, value] : values) {
    const GridIndex at = grid.indices(n);
    for (std::int64_t k = at[2]; k < sizes[2]; k += own.size(2))
      for (std::int64_t j = at[1]; j < sizes[1]; j += own.size(1))
        for (std::int64_t i = at[0]; i < sizes[0]; i += own.size(0))
          all.push_back({grid.index(i, j, k), value});
  }
  return all;
}

PlaceList placesOf(const Problem& problem, const Tiling& tiling) {
  if (problem.part.periodic) return placesOnFaces(problem, tiling);
  PlaceList places;
  if (!problem.orthogonal) return places;
  const HeldPoints held(problem, tiling);
  for (const std::vector<GridIndex>& place : openPlaces(problem)) {
    for (const GridIndex& p : place) places.add(held.node(p), true);
    places.endPlace();
  }
  return places;
}

std::size_t placeBytes(const Problem& problem) {
  if (problem.orthogonal) {
    constexpr std::size_t ofPlace = 4 * sizeof(int), ofPoint = sizeof(std::int64_t) + sizeof(int) + 16;
    std::size_t bytes = 0;
    for (const std::vector<GridIndex>& place : openPlaces(problem)) bytes += ofPlace + place.size() * ofPoint;
    return bytes;
  }
  constexpr std::size_t perPlace = 4 * sizeof(int) + sizeof(std::int64_t) + 5 * sizeof(int), perPoint = 16;
  std::size_t copies = 0;
  for (const grid::PartFace& face : problem.part.faces()) copies += std::size_t(face.outer.points());
  return copies * (perPlace + 2 * perPoint);
}

} // namespace isochrone::image
