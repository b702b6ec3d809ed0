#include "DistanceTransform/SurfaceFeet.h"

#include "Error.h"
#include "Execution/RoundPool.h"
#include "Workers.h"

#include <cmath>
#include <limits>

namespace isochrone::distance {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns whether a position lies in the image, or up to half a step beyond it.
bool isInside(const Problem& problem, const Position& at) {
  const Grid& grid = problem.grid;
  for (int a = 0; a < 3; ++a) {
    if (grid.sizes()[a] == 1 && !std::isnan(at[a])) continue;
    const double steps = at[a] / grid.spacing()[a] - double(problem.first[a]);
    if (!(steps >= -0.5 && steps <= double(grid.sizes()[a]) - 0.5)) return false;
  }
  return true;
}

} // namespace

std::vector<Segment> nearestFeet(const Problem& problem, const Options& options,
                                 std::span<const Position> tips) {
  const std::vector<surface::Piece>& pieces = problem.surface->pieces;
  const double limit = options.maximumDistance > 0 ? options.maximumDistance : infinity;
  std::vector<Segment> segments(tips.size());
  const double time = 5 * double(pieces.size()); // ns
  const Monitor monitor;
  Workers workers(chooseThreads(options.threads, time * double(tips.size())), monitor);
  workers.run(std::int64_t(tips.size()), [&](std::int64_t t, int) {
    Position tip = tips[std::size_t(t)];
    if (!isInside(problem, tip)) return;
    for (int a = 0; a < 3; ++a)
      if (problem.grid.sizes()[a] == 1) tip[a] = 0; // heights do not apply in the plane
    const surface::Foot foot = surface::nearestFoot(pieces, tip);
    segments[std::size_t(t)] = foot.piece >= 0 && foot.distance <= limit
                                   ? Segment{Segment::Status::Found, foot.piece, foot.distance, foot.at}
                                   : Segment{Segment::Status::NoSite, -1, infinity, {}};
  });
  return segments;
}

std::vector<double> extendValues(const Problem& problem, const Result& result, int threads) {
  const surface::Surface& surface = *problem.surface;
  const Box box = problem.box();
  if (std::int64_t(result.nearestSite.size()) != box.points())
    fail("extended values need the nearest piece of each of ", box.points(), " points, got ",
         result.nearestSite.size(), ": set Options::nearestSite");
  const auto components = std::size_t(surface.components);
  std::vector<double> extended(result.nearestSite.size() * components,
                               std::numeric_limits<double>::quiet_NaN());
  execution::RoundPool pool(chooseThreads(threads, 30. * double(box.points())));
  const std::int64_t nx = box.end[0] - box.begin[0], ny = box.end[1] - box.begin[1];
  const Position h = problem.grid.spacing();
  pool.forEach(std::int64_t(result.nearestSite.size()), [&](std::int64_t point) {
    const std::int64_t piece = result.nearestSite[std::size_t(point)];
    if (piece < 0) return;
    GridIndex at{point % nx, point / nx % ny, point / (nx * ny)};
    for (int a = 0; a < 3; ++a) at[a] += box.begin[a] + problem.first[a];
    const surface::Foot foot =
        surface::footOn(surface.pieces[std::size_t(piece)],
                        {double(at[0]) * h[0], double(at[1]) * h[1], double(at[2]) * h[2]});
    for (std::size_t c = 0; c < components; ++c) {
      double value = 0;
      for (std::size_t corner = 0; corner < 3; ++corner)
        if (foot.weights[corner] != 0) // others may have no value
          value += foot.weights[corner] * surface.values[(3 * std::size_t(piece) + corner) * components + c];
      extended[std::size_t(point) * components + c] = value;
    }
  });
  return extended;
}

} // namespace isochrone::distance
