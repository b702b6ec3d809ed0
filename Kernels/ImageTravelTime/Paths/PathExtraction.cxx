// PathExtraction.cxx - the extraction of paths from tips.
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Paths/PathTrace.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

namespace {

/// Builds a path from positions in order, in segments of at most one step.
class PathBuilder {
public:
  PathBuilder(const PathField& pathField, const Position& from, double value) : field(pathField) {
    add(from, value);
  }

  void goTo(const Position& to, double value) {
    const Position from = last;
    const double start = path.travelTime.back(), end = std::max(start, value);
    const Position along{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const double total = std::hypot(along[0], along[1], along[2]);
    if (total == 0 && path.size() > 1) return;
    const auto segments =
        std::max<std::int64_t>(1, std::int64_t(std::ceil(field.steps(along) * (1 - rounding))));
    for (std::int64_t n = 1; n <= segments; ++n) {
      const double share = double(n) / double(segments);
      const auto between = [=](double a, double b) { return a + share * (b - a); };
      const Position before = last;
      const Position next =
          n == segments ? to
                        : Position{between(from[0], to[0]), between(from[1], to[1]), between(from[2], to[2])};
      add(next, between(start, end));
      path.length += total / double(segments);
      path.energy += field.timeBetween(field.coordinates(before), field.coordinates(next));
    }
  }

  Path path;

private:
  static constexpr double rounding = 1e-9;
  const PathField& field;
  Position last{};

  void add(const Position& at, double value) {
    path.x.push_back(at[0]), path.y.push_back(at[1]);
    if (field.input().grid.nz > 1) path.z.push_back(at[2]);
    path.travelTime.push_back(value);
    last = at;
  }
};

Path extractPath(const PathField& field, const PathSeeds& seeds, const Position& tip) {
  Path path;
  const Placement at = place(field.input(), tip);
  if (at.status == Placement::Status::Outside) path.status = PathStatus::TipOutside;
  if (at.status == Placement::Status::InBarrier) path.status = PathStatus::TipInWall;
  if (at.status != Placement::Status::Inside || !field.isReached(at.point)) return path;

  const PathTrace trace = traceDown(field, seeds, field.coordinates(field.inImage(tip)));
  if (!trace.seed) return path;
  PathBuilder builder(field, field.inImage(trace.seed->at), trace.samples.back().value);
  for (std::size_t n = trace.samples.size() - 1; n-- > 1;)
    builder.goTo(field.position(trace.samples[n].at), trace.samples[n].value);
  builder.goTo(field.inImage(tip), trace.samples.front().value);
  path = std::move(builder.path);
  path.status = PathStatus::Complete;
  path.seed = trace.seed->number;
  return path;
}

} // namespace

std::vector<Path> extractPaths(const Problem& problem, std::span<const float> travelTime,
                               std::span<const Position> tips, int threads, const Monitor& monitor) {
  requireTravelTime(problem.grid, travelTime);
  const PathField field(problem, travelTime);
  const PathSeeds seeds(problem, travelTime);
  std::vector<Path> paths(tips.size());
  const auto extract = [&](std::int64_t t, int) { paths[t] = extractPath(field, seeds, tips[t]); };
  if (!Workers(chooseThreads(threads), monitor).run(std::int64_t(tips.size()), extract)) return {};
  return paths;
}

} // namespace isochrone::image
