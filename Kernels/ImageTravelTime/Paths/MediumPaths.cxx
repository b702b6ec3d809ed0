// MediumPaths.cxx - paths as seen in a medium that drifts.
#include "Error.h"
#include "ImageTravelTime/Paths/PathField.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"
#include "Workers.h"

#include <cmath>

namespace isochrone::image {

namespace {

/// Returns the drift at a position, interpolated between the corners that it sees.
Position driftBetween(const Problem& problem, const Corners& corners) {
  Position sum{};
  double shares = 0;
  for (const Corner& c : corners) {
    const grid::Vector3 drift = driftAt(problem, c.point);
    for (int a = 0; a < 3; ++a) sum[a] += c.share * drift[a];
    shares += c.share;
  }
  for (double& s : sum) s /= shares;
  return sum;
}

/// Returns a path as seen in the medium.
Path inTheMedium(const PathField& field, Path path) {
  const auto at = [&](std::size_t n) -> Position {
    return {path.x[n], path.y[n], path.z.empty() ? 0 : path.z[n]};
  };
  Position drifted{}, before{};
  path.length = 0;
  for (std::size_t n = 0; n < path.size(); ++n) {
    const Position ground = at(n);
    if (n > 0) {
      const GridCoordinates a = field.coordinates(before), b = field.coordinates(ground);
      const GridCoordinates middle = field.clamped({(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2});
      const Position drift = driftBetween(field.input(), field.around(middle));
      const double time = field.timeBetween(b, a);
      double squared = 0;
      for (int axis = 0; axis < 3; ++axis) {
        drifted[axis] += time * drift[axis];
        squared += std::pow(ground[axis] - before[axis] - time * drift[axis], 2);
      }
      path.length += std::sqrt(squared);
    }
    before = ground;
    path.x[n] -= drifted[0], path.y[n] -= drifted[1];
    if (!path.z.empty()) path.z[n] -= drifted[2];
  }
  return path;
}

} // namespace

std::vector<Path> mediumPaths(const Problem& problem, std::span<const Path> paths, int threads,
                              const Monitor& monitor) {
  std::vector<Path> all(paths.begin(), paths.end());
  if (!hasDrift(problem)) return all;
  if (isPeriodic(problem))
    throw Error(
        "paths in the medium are not possible with periodic axes: make no axis periodic, or do without "
        "these paths");
  const PathField field(problem, {});
  Workers workers(chooseThreads(threads, 1e5 * double(paths.size())), monitor);
  if (!workers.run(std::int64_t(all.size()),
                   [&](std::int64_t p, int) { all[p] = inTheMedium(field, all[p]); }))
    return {};
  return all;
}

} // namespace isochrone::image
