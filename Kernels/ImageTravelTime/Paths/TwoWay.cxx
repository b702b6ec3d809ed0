#include "Execution/RoundPool.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

/// Returns the position of the first point with the minimum time, by its index in the whole image.
std::optional<Position> meetingOf(const Problem& problem, const Values<float>& time, float minimum) {
  const Grid& g = problem.grid;
  const grid::GridPart& part = problem.part;
  const GridIndex size = part.isDivided() ? part.whole : g.sizes();
  const Grid whole{size[0], size[1], size[2]};
  double first = std::numeric_limits<double>::infinity();
  for (std::int64_t p = 0; std::isfinite(minimum) && p < std::int64_t(time.size()); ++p) {
    if (time[p] != minimum) continue;
    const auto [i, j, k] = g.indices(p);
    if (!part.owns({i, j, k})) continue;
    first = double(whole.index(i + part.first[0], j + part.first[1], k + part.first[2]));
    break; // the order of the points is that of the whole image
  }
  part.allMin({&first, 1});
  if (std::isinf(first)) return {};
  const GridIndex at = whole.indices(std::int64_t(first));
  const Position h = g.spacing();
  Position position;
  for (int a = 0; a < 3; ++a) position[a] = double(at[a] - part.first[a]) * h[a];
  return position;
}

} // namespace

TwoWay combine(const Problem& problem, std::span<const float> fromSeeds, std::span<const float> fromTargets,
               int threads, double origin) {
  const auto points = std::int64_t(fromSeeds.size());
  execution::RoundPool pool(chooseThreads(threads, 2 * double(points)));
  TwoWay both;
  both.time.resize(points);
  both.connectivity.resize(points);
  const auto add = [&](std::int64_t begin, std::int64_t end, int) {
    double earliest = std::numeric_limits<double>::infinity();
    for (std::int64_t p = begin; p < end; ++p) {
      both.time[p] = fromSeeds[p] + fromTargets[p];
      earliest = std::min(earliest, double(both.time[p]));
    }
    return earliest;
  };
  double earliest = pool.reduce(points, std::numeric_limits<double>::infinity(), add,
                                [](double& all, double part) { all = std::min(all, part); });
  problem.part.allMin({&earliest, 1}); // the margin has the values of its owners
  const auto minimum = float(earliest);
  pool.forEach(points, [&](std::int64_t p) {
    const float time = both.time[p];
    const double whole = origin + time, best = origin + minimum;
    both.connectivity[p] = std::isinf(time) ? 0 : time <= minimum ? 1 : best > 0 ? float(best / whole) : 0;
  });
  both.meeting = meetingOf(problem, both.time, minimum);
  return both;
}

Path join(const Path& fromSeed, const Path& fromTarget) {
  if (fromSeed.size() == 0 || fromTarget.size() == 0) return {};
  Path path = fromSeed;
  const double total = fromSeed.travelTime.back() + fromTarget.travelTime.back();
  for (std::size_t p = fromTarget.size() - 1; p-- > 0;) { // both contain the point where they meet
    path.x.push_back(fromTarget.x[p]);
    path.y.push_back(fromTarget.y[p]);
    if (!path.z.empty()) path.z.push_back(fromTarget.z[p]);
    path.travelTime.push_back(total - fromTarget.travelTime[p]);
  }
  path.length += fromTarget.length;
  path.energy += fromTarget.energy;
  return path;
}

} // namespace isochrone::image
