// RayExtraction.cxx - traces rays from receivers back to sources, and converts rays to polylines.
#include "RayTracing/Paths/Predecessors.h"
#include "RayTracing/RayTracing.h"
#include "RayTracing/Seeds/EndpointEdges.h"
#include "Workers.h"

#include "Error.h"
#include "Grid/Vector3.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace isochrone::rays {

namespace {

/// Follows predecessors from points back to starts, and caches the plateaus that it meets.
template <class Real>
class Walk {
public:
  Walk(const EdgeWeights<Real>& e, const Predecessors<Real>& w) : edges(e), waves(w) {}

  /// Returns the points from a start to a point; empty if no start is found.
  std::vector<std::int64_t> to(std::int64_t point) {
    std::vector<std::int64_t> points{point};
    while (!waves.startAt(point)) {
      const std::uint16_t step = stepFrom(point);
      if (step == noOffset) return {};
      points.push_back(point = edges.neighbour(point, step));
    }
    std::reverse(points.begin(), points.end());
    return points;
  }

private:
  const EdgeWeights<Real>& edges;
  const Predecessors<Real>& waves;
  std::unordered_map<std::int64_t, std::uint16_t> onPlateaus;

  std::uint16_t stepFrom(std::int64_t point) {
    if (const auto known = onPlateaus.find(point); known != onPlateaus.end()) return known->second;
    if (const std::uint16_t step = waves.earlier(point); step != noOffset) return step;
    const auto plateau = waves.plateauOf(point);
    const auto steps = waves.across(plateau);
    for (std::size_t i = 0; i < plateau.size(); ++i) onPlateaus[plateau[i]] = steps[i];
    return onPlateaus[point];
  }
};

/// The last segment of a ray, to its receiver: from a grid point, or straight from a source.
struct LastSegment {
  double time = unreached<double>; ///< at the receiver
  std::int64_t point = -1;
  std::int32_t source = -1;
};

/// Traces the rays of one field.
template <class Real>
class Tracer {
public:
  Tracer(const Problem& p, const Options& o, std::span<const Real> timesOfField,
         std::span<const std::int32_t> sourcesOfField)
      : problem(p), rule(o.rule), times(timesOfField), sources(sourcesOfField), edges(p, o),
        waves(edges, times, startsOf<Real>(p, o, sources)) {}

  Walk<Real> walk() const { return {edges, waves}; }

  /// @param walk  of the calling thread
  Ray rayTo(const Position& receiver, Walk<Real>& walk) const {
    Ray ray;
    ray.receiver = receiver;
    const auto steps = stepsTo(problem.grid, receiver);
    const auto ends = steps ? endpointEdges(problem, rule, *steps) : std::vector<EndpointEdge>{};
    if (ends.empty()) {
      ray.status = steps ? PathStatus::TipInWall : PathStatus::TipOutside;
      return ray;
    }
    const LastSegment last = fastestOf(ends, *steps);
    if (std::isinf(last.time)) return ray;
    ray.status = PathStatus::Complete;
    ray.source = last.source;
    ray.travelTime = last.time;
    if (last.point >= 0) addPoints(ray, walk.to(last.point));
    if (ray.source >= 0) ray.startTime = problem.sources[ray.source].startTime;
    return ray;
  }

private:
  const Problem& problem;
  WeightRule rule;
  std::span<const Real> times;
  std::span<const std::int32_t> sources;
  EdgeWeights<Real> edges;
  Predecessors<Real> waves;

  /// Returns the fastest segment to a receiver, given in grid steps.
  LastSegment fastestOf(std::span<const EndpointEdge> ends, const Position& receiver) const {
    LastSegment best;
    for (const EndpointEdge& edge : ends)
      if (const double time = double(times[edge.point]) + edge.time; time < best.time)
        best = {time, edge.point, -1};
    if (isPoint(receiver)) return best;
    for (const std::int32_t s : sources) {
      const Source& source = problem.sources[s];
      const auto direct = straightEdge(problem, rule, *stepsTo(problem.grid, source.at), receiver);
      if (direct && source.startTime + direct->time < best.time)
        best = {source.startTime + direct->time, -1, s};
    }
    return best;
  }

  void addPoints(Ray& ray, std::vector<std::int64_t> points) const {
    if (points.empty()) throw Error(foreignTimes);
    const Start<Real>& start = *waves.startAt(points.front());
    ray.source = start.source;
    ray.startTime = double(start.time);
    for (const std::int64_t point : points) ray.times.push_back(double(times[point]));
    ray.points = std::move(points);
  }
};

template <class Real>
std::vector<Ray> trace(const Problem& problem, const Options& options, std::span<const Real> times,
                       std::span<const std::int32_t> sources, std::span<const Position> receivers,
                       const Monitor& monitor) {
  if (std::int64_t(times.size()) != problem.grid.points()) throw Error(foreignTimes);
  const Tracer<Real> tracer(problem, options, times, sources);
  std::vector<Ray> rays(receivers.size());
  const int threads = chooseThreads(options.threads);
  std::vector<Walk<Real>> walks(threads, tracer.walk());
  const auto traceOne = [&](std::int64_t r, int thread) {
    rays[r] = tracer.rayTo(receivers[r], walks[thread]);
  };
  if (!Workers(threads, monitor).run(std::int64_t(receivers.size()), traceOne)) return {};
  return rays;
}

/// Returns whether three positions, in grid steps, are collinear and in order.
bool isStraight(const Position& a, const Position& b, const Position& c) {
  const Position u = grid::difference(b, a), v = grid::difference(c, b), normal = grid::cross(u, v);
  const double across = std::hypot(normal[0], normal[1], normal[2]), along = grid::dot(u, v);
  return along > 0 && across <= 1e-9 * along;
}

/// A point of a ray.
struct Knot {
  Position at; ///< grid steps
  double time;
};

/// Returns the points of a ray from the source to the receiver.
std::vector<Knot> knotsOf(const Problem& problem, const Ray& ray) {
  std::vector<Knot> knots;
  const auto addUnlessPoint = [&](const Position& place, double time) {
    const Position steps = *stepsTo(problem.grid, place);
    if (!isPoint(steps) || ray.points.empty()) knots.push_back({steps, time});
  };
  if (ray.source >= 0) addUnlessPoint(problem.sources[ray.source].at, ray.startTime);
  for (std::size_t p = 0; p < ray.points.size(); ++p) {
    const GridIndex i = problem.grid.indices(ray.points[p]);
    knots.push_back({{double(i[0]), double(i[1]), double(i[2])}, ray.times[p]});
  }
  addUnlessPoint(ray.receiver, ray.travelTime);
  if (knots.size() == 1) knots.push_back(knots[0]); // a receiver on its source
  return knots;
}

} // namespace

std::vector<Ray> traceRays(const Problem& problem, const Options& options, const Field& field,
                           std::span<const std::int32_t> sources, std::span<const Position> receivers,
                           const Monitor& monitor) {
  for (const std::int32_t s : sources)
    if (s < 0 || std::size_t(s) >= problem.sources.size())
      fail("rays come from sources 0 to ", problem.sources.size(), " - 1, got ", s);
  if (options.doublePrecision)
    return trace<double>(problem, options, timesOf<double>(field), sources, receivers, monitor);
  return trace<float>(problem, options, timesOf<float>(field), sources, receivers, monitor);
}

Path pathOf(const Problem& problem, const Ray& ray, bool merge) {
  Path path;
  path.status = ray.status;
  if (ray.status != PathStatus::Complete) return path;
  path.seed = ray.source;
  path.energy = ray.travelTime - ray.startTime;
  const std::vector<Knot> knots = knotsOf(problem, ray);
  const Position h = problem.grid.spacing();
  Position last{};
  for (std::size_t k = 0; k < knots.size(); ++k) {
    const auto& [at, time] = knots[k];
    const bool isEnd = k == 0 || k + 1 == knots.size();
    if (!isEnd && merge && isStraight(knots[k - 1].at, at, knots[k + 1].at)) continue;
    if (k > 0)
      path.length += std::hypot((at[0] - last[0]) * h[0], (at[1] - last[1]) * h[1], (at[2] - last[2]) * h[2]);
    path.x.push_back(at[0] * h[0]);
    path.y.push_back(at[1] * h[1]);
    if (problem.grid.nz > 1) path.z.push_back(at[2] * h[2]);
    path.travelTime.push_back(time);
    last = at;
  }
  return path;
}

Path join(const Path& toInterface, const Path& fromInterface) {
  if (toInterface.size() == 0 || fromInterface.size() == 0) return {};
  Path path = toInterface;
  const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
    if (!from.empty())
      to.insert(to.end(), from.begin() + 1, from.end()); // both contain the point of the interface
  };
  append(path.x, fromInterface.x);
  append(path.y, fromInterface.y);
  append(path.z, fromInterface.z);
  append(path.travelTime, fromInterface.travelTime);
  path.length += fromInterface.length;
  path.energy += fromInterface.energy;
  return path;
}

} // namespace isochrone::rays
