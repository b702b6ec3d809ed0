// PathExtraction.cxx - the extraction of paths from tips.
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Paths/PathTrace.h"
#include "ImageTravelTime/Paths/TrailsInParts.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Seeds/ClosedProblem.h"
#include "ImageTravelTime/Seeds/PeriodicProblem.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace isochrone::image {

namespace {

/// Builds a path from positions in order, in segments of at most one step.
class PathBuilder {
public:
  PathBuilder(const PathField& pathField, const Position& from, double value) : field(pathField) {
    add(from, value);
  }

  /// @param time  that the straight line takes
  void goTo(const Position& to, double value, double time) {
    const Position from = last;
    const double start = path.travelTime.back(), end = std::max(start, value);
    if (field.input().orthogonal) return goInSpace(from, to, start, end, time);
    const Position along{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const double total = std::hypot(along[0], along[1], along[2]);
    if (total == 0 && path.size() > 1) return;
    const std::int64_t segments = field.pieces(along);
    for (std::int64_t n = 1; n <= segments; ++n) {
      const double share = double(n) / double(segments);
      const auto between = [=](double a, double b) { return a + share * (b - a); };
      add(n == segments ? to
                        : Position{between(from[0], to[0]), between(from[1], to[1]), between(from[2], to[2])},
          between(start, end));
    }
    path.length += total;
    path.energy += time;
  }

  Path path;

private:
  const PathField& field;
  Position last{};

  /// Goes along a straight line in space; positions are in grid steps.
  void goInSpace(const Position& from, const Position& to, double start, double end, double time) {
    const double total = field.distance(from, to);
    if (total == 0 && path.size() > 1) return;
    const std::int64_t segments = field.piecesBetween(from, to);
    for (std::int64_t n = 1; n <= segments; ++n) {
      const double share = double(n) / double(segments);
      add(n == segments ? to : field.between(from, to, share), start + share * (end - start));
    }
    path.length += total;
    path.energy += time;
  }

  void add(const Position& at, double value) {
    path.x.push_back(at[0]), path.y.push_back(at[1]);
    if (field.input().grid.nz > 1) path.z.push_back(at[2]);
    path.travelTime.push_back(value);
    last = at;
  }
};

/// Returns the path of a trace that has ended.
Path pathAlong(const PathField& field, const PathTrace& trace, const Position& tip) {
  if (!trace.seed) return {};
  const std::vector<PathSample>& samples = trace.samples;
  PathBuilder builder(field, field.inImage(trace.seed->at), samples.back().value);
  for (std::size_t n = samples.size() - 1; n-- > 1;)
    builder.goTo(field.position(samples[n].at), samples[n].value, samples[n + 1].time);
  builder.goTo(field.inImage(tip), samples.front().value, samples[1].time);
  Path path = std::move(builder.path);
  path.status = PathStatus::Complete;
  path.seed = trace.seed->number;
  return path;
}

/// Returns the status of a path before it is traced: Complete if it may be.
PathStatus statusOf(const PathField& field, const Placement& tip) {
  if (tip.status == Placement::Status::Outside) return PathStatus::TipOutside;
  if (tip.status == Placement::Status::InBarrier) return PathStatus::TipInWall;
  return field.isReached(tip.point) ? PathStatus::Complete : PathStatus::Unreachable;
}

/// Extracts the paths of the tips in this part. The others have their status only.
std::vector<Path> extractInParts(const PathField& field, const PathSeeds& seeds,
                                 std::span<const Position> tips, Workers& workers) {
  const Problem& problem = field.input();
  std::vector<Path> paths(tips.size());
  std::vector<Trail> trails;
  for (std::size_t t = 0; t < tips.size(); ++t) {
    const Placement at = place(problem, tips[t]);
    const bool here = at.point >= 0 && problem.part.owns(problem.grid.indices(at.point));
    paths[t].status = here ? statusOf(field, at) : PathStatus::TipOutside;
    if (paths[t].status == PathStatus::Complete)
      trails.push_back({std::int32_t(t), startAt(field, field.coordinates(field.inImage(tips[t]))), {}});
  }
  const TrailsInParts parts(problem);
  const auto trace = [&](std::vector<Trail>& some) {
    return workers.run(std::int64_t(some.size()), 0, 0,
                       [&](std::int64_t n, int) { traceDown(field, seeds, some[n].trace); });
  };
  if (!parts.follow(trails, trace)) return {};
  for (const Trail& trail : trails) paths[trail.tip] = pathAlong(field, trail.trace, tips[trail.tip]);
  agreeOnStatus<Path>(problem.part, paths);
  return paths;
}

/// Extracts paths through an image with periodic axes. Each ends at its tip, and leaves the image where it
/// crosses its border.
std::vector<Path> extractPeriodic(const Problem& given, std::span<const float> travelTime,
                                  std::span<const Position> tips, int threads, const Monitor& monitor) {
  requireTravelTime(given.grid, travelTime);
  const std::optional<GridIndex> reach = stencilReach(given, threads, monitor);
  if (!reach) return {};
  const PeriodicProblem periodic(given, *reach);
  std::vector<Position> inGrid;
  for (const Position& tip : tips) inGrid.push_back(periodic.inGrid(tip));
  std::vector<Path> paths =
      extractPaths(periodic.problem(), periodic.part().extend(travelTime), inGrid, threads, monitor);
  for (std::size_t t = 0; t < paths.size(); ++t) {
    Path& path = paths[t];
    if (path.size() == 0) continue;
    path.seed %= std::int32_t(given.seeds.size());
    for (double& x : path.x) x += tips[t][0] - inGrid[t][0];
    for (double& y : path.y) y += tips[t][1] - inGrid[t][1];
    for (double& z : path.z) z += tips[t][2] - inGrid[t][2];
  }
  return paths;
}

/// Makes the longitudes of a path, in steps, continuous from its tip on.
void unwind(Path& path, const grid::OrthogonalGrid& g) {
  if (!g.hasCopy()) return;
  const int phi = g.axisOf(grid::AxisRole::Longitude);
  const double round = double(g.size(phi) - 1);
  std::vector<double>& at = phi == 0 ? path.x : phi == 1 ? path.y : path.z;
  for (std::size_t n = at.size(); n-- > 1;) at[n - 1] -= round * std::round((at[n - 1] - at[n]) / round);
}

/// Extracts paths on a spherical grid that goes around without a copy of its first meridian.
std::vector<Path> extractClosed(const Problem& given, std::span<const float> travelTime,
                                std::span<const Position> tips, int threads, const Monitor& monitor) {
  requireTravelTime(given.grid, travelTime);
  const ClosedProblem closed(given);
  return extractPaths(closed.problem(), closed.extend(travelTime), tips, threads, monitor);
}

} // namespace

std::vector<Path> extractPaths(const Problem& given, std::span<const float> travelTime,
                               std::span<const Position> tips, int threads, const Monitor& monitor) {
  if (isOpenCircle(given)) return extractClosed(given, travelTime, tips, threads, monitor);
  if (isPeriodic(given)) return extractPeriodic(given, travelTime, tips, threads, monitor);
  const Problem problem = withoutZeroDrift(given);
  requireTravelTime(problem.grid, travelTime);
  const PathField field(problem, travelTime);
  const PathSeeds seeds(problem, travelTime);
  Workers workers(chooseThreads(threads, 1e5 * double(tips.size())), monitor);
  if (problem.part.isDivided()) return extractInParts(field, seeds, tips, workers);
  std::vector<Path> paths(tips.size());
  const auto extract = [&](std::int64_t t, int) {
    paths[t].status = statusOf(field, place(problem, tips[t]));
    if (paths[t].status != PathStatus::Complete) return;
    PathTrace trace = startAt(field, field.coordinates(field.inImage(tips[t])));
    traceDown(field, seeds, trace);
    paths[t] = pathAlong(field, trace, tips[t]);
    if (problem.orthogonal) unwind(paths[t], *problem.orthogonal);
  };
  if (!workers.run(std::int64_t(tips.size()), extract)) return {};
  return paths;
}

} // namespace isochrone::image
