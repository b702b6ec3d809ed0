#include "MeshTravelTime/Exact/ExactPaths.h"

#include "Execution/Progress.h"
#include "MeshTravelTime/Exact/PathSearch.h"
#include "Workers.h"

#include <atomic>
#include <cmath>

namespace isochrone::mesh {

namespace {

/// Returns Complete if a path to a tip exists, and its place.
PathStatus find(const SearchField& field, const Tip& tip, Place& place) {
  const Problem& p = field.problem;
  if (tip.vertex >= p.vertexCount() || tip.cell >= p.cellCount() || (tip.vertex < 0 && tip.cell < 0))
    return PathStatus::TipOutside;
  const bool isOpen = tip.vertex >= 0 ? field.surface.open[std::size_t(tip.vertex)]
                                      : p.hidden.empty() || !p.hidden[std::size_t(tip.cell)];
  if (!isOpen) return PathStatus::TipInWall;
  place = placeOn(p, tip.vertex, tip.cell, tip.at);
  for (int i = 0; i < place.count; ++i)
    if (std::isinf(field.distance[std::size_t(place.vertex[std::size_t(i)])])) return PathStatus::Unreachable;
  return PathStatus::Complete;
}

} // namespace

std::vector<Path> exactPaths(const Problem& problem, std::span<const float> travelTime,
                             std::span<const Tip> tips, int threads, const Monitor& monitor) {
  if (tips.empty()) return {};
  const SearchField field(problem, travelTime);
  std::vector<Path> paths(tips.size());
  // A single search can take seconds, so that it asks as well.
  execution::Progress progress(monitor, true);
  std::atomic<bool> stop{false};
  const auto search = [&](std::int64_t t, int worker) {
    const auto mayContinue = [&] {
      if (worker == 0 && !progress.report([&] { return double(t) / double(tips.size()); })) stop = true;
      return !stop;
    };
    Place place;
    Path& path = paths[std::size_t(t)];
    path.status = find(field, tips[std::size_t(t)], place);
    if (path.status == PathStatus::Complete) path = PathSearch(field).pathTo(place, mayContinue);
  };
  Workers workers(chooseThreads(threads, 1e6 * double(tips.size())), monitor);
  if (!workers.run(std::int64_t(tips.size()), search) || stop) return {};
  return paths;
}

} // namespace isochrone::mesh
