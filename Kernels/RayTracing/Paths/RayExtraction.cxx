// RayExtraction.cxx - traces rays from receivers back to sources, and converts rays to polylines.
#include "RayTracing/Paths/Predecessors.h"
#include "RayTracing/Paths/RaysInParts.h"
#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/WholeImage.h"
#include "RayTracing/Seeds/EndpointEdges.h"
#include "RayTracing/Seeds/PeriodicProblem.h"
#include "RayTracing/Validation.h"
#include "Workers.h"

#include "Error.h"
#include "Grid/Vector3.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>
#include <utility>

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
    const auto [ray, last] = arrivalAt(receiver);
    if (last < 0) return ray;
    return withPoints(ray, walk.to(last));
  }

  /// Returns the ray to a receiver in this part without its points, and the last of them; -1 if it has none.
  std::pair<Ray, std::int64_t> arrivalAt(const Position& receiver) const {
    Ray ray;
    ray.receiver = receiver;
    const auto steps = stepsTo(problem, receiver);
    const auto ends = steps ? endpointEdges(problem, rule, *steps) : std::vector<EndpointEdge>{};
    if (ends.empty()) {
      ray.status = steps ? PathStatus::TipInWall : PathStatus::TipOutside;
      return {ray, -1};
    }
    const LastSegment last = fastestOf(ends, *steps);
    if (std::isinf(last.time)) return {ray, -1};
    ray.status = PathStatus::Complete;
    ray.source = last.source;
    ray.travelTime = last.time;
    if (ray.source >= 0) ray.startTime = problem.sources[ray.source].startTime;
    return {ray, last.point};
  }

  /// Returns the ray to a receiver in an image with periodic axes, which goes on in the image where it leaves
  /// it.
  /// @param periodic  its problem is that of this tracer
  /// @param image  the problem of the image
  Ray periodicRayTo(const Position& receiver, const PeriodicProblem& periodic, const Problem& image,
                    std::span<const std::uint16_t> predecessors) const {
    const Position placed = periodic.inGrid(receiver);
    auto [ray, point] = arrivalAt(placed);
    ray.receiver = receiver;
    if (ray.status != PathStatus::Complete) return ray;
    GridIndex shift = periodic.stepsFrom(placed, receiver);
    while (point >= 0) {
      const GridIndex at = problem.grid.indices(point), here = periodic.inImage(at);
      GridIndex own;
      for (int a = 0; a < 3; ++a) own[a] = here[a] + periodic.first()[a], shift[a] += at[a] - own[a];
      point = problem.grid.index(own);
      ray.points.push_back(image.grid.index(here));
      ray.times.push_back(double(times[point]));
      ray.shift.push_back(shift);
      if (const Start<Real>* start = waves.startAt(point)) {
        ray.source = start->source;
        ray.startTime = startTimeOf(*start);
        break;
      }
      const std::uint16_t step = predecessors.empty() ? waves.earlier(point) : predecessors[point];
      if (step == noOffset) throw Error(foreignTimes);
      point = edges.neighbour(point, step);
    }
    std::ranges::reverse(ray.points);
    std::ranges::reverse(ray.times);
    std::ranges::reverse(ray.shift);
    if (ray.source >= 0) {
      const Position& copy = problem.sources[ray.source].at;
      ray.source %= problem.distinctSources;
      const GridIndex steps = periodic.stepsFrom(copy, image.sources[ray.source].at);
      for (int a = 0; a < 3; ++a) shift[a] -= steps[a];
    }
    ray.shift.push_back(shift);
    return ray;
  }

  /// Continues a trail within this part.
  /// @param predecessors  of all points, or empty where there is no plateau
  void follow(RayTrail& trail, std::span<const std::uint16_t> predecessors) const {
    const ImageNumbers numbers = ImageNumbers::ofPoints(problem);
    for (std::int64_t point = numbers.inPart(trail.points.back());
         problem.part.owns(problem.grid.indices(point));) {
      if (trail.times.size() < trail.points.size()) trail.times.push_back(double(times[point]));
      if (const Start<Real>* start = waves.startAt(point)) {
        trail.source = start->source;
        trail.startTime = startTimeOf(*start);
        return;
      }
      const std::uint16_t step = predecessors.empty() ? waves.earlier(point) : predecessors[point];
      if (step == noOffset) throw Error(foreignTimes);
      point = edges.neighbour(point, step);
      trail.points.push_back(numbers.inWhole(point));
    }
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
      const auto direct = straightEdge(problem, rule, *stepsTo(problem, source.at), receiver);
      if (direct && source.startTime + direct->time < best.time)
        best = {source.startTime + direct->time, -1, s};
    }
    return best;
  }

  double startTimeOf(const Start<Real>& start) const {
    return start.source >= 0 ? problem.sources[start.source].startTime : double(start.time);
  }

  Ray withPoints(Ray ray, std::vector<std::int64_t> points) const {
    if (points.empty()) throw Error(foreignTimes);
    const Start<Real>& start = *waves.startAt(points.front());
    ray.source = start.source;
    ray.startTime = startTimeOf(start);
    for (const std::int64_t point : points) ray.times.push_back(double(times[point]));
    ray.points = std::move(points);
    return ray;
  }
};

/// Traces the rays of one field in a part.
template <class Real>
std::vector<Ray> traceInParts(const Problem& problem, const Tracer<Real>& tracer, const Field& field,
                              std::span<const Position> receivers, Workers& workers) {
  std::vector<Ray> rays(receivers.size());
  std::vector<RayTrail> trails;
  for (std::size_t r = 0; r < receivers.size(); ++r) {
    const auto steps = stepsTo(problem, receivers[r]);
    rays[r].receiver = receivers[r];
    rays[r].status = PathStatus::TipOutside;
    if (!steps || !ownsNearest(problem, *steps)) continue;
    std::int64_t last = -1;
    std::tie(rays[r], last) = tracer.arrivalAt(receivers[r]);
    if (last >= 0)
      trails.push_back(
          {std::int32_t(r), {ImageNumbers::ofPoints(problem).inWhole(last)}, {}, RayTrail::unknown, 0, {}});
  }
  const auto trace = [&](std::vector<RayTrail>& some) {
    return workers.run(std::int64_t(some.size()), 0, 0,
                       [&](std::int64_t n, int) { tracer.follow(some[n], field.predecessor); });
  };
  if (!RaysInParts(problem).follow(trails, trace)) return {};
  for (RayTrail& trail : trails) {
    Ray& ray = rays[trail.ray];
    ray.source = trail.source;
    ray.startTime = trail.startTime;
    ray.points.assign(trail.points.rbegin(), trail.points.rend());
    ray.times.assign(trail.times.rbegin(), trail.times.rend());
  }
  agreeOnStatus<Ray>(problem.part, rays);
  return rays;
}

template <class Real>
std::vector<Ray> trace(const Problem& problem, const Options& options, const Field& field,
                       std::span<const std::int32_t> sources, std::span<const Position> receivers,
                       const Monitor& monitor) {
  const std::span<const Real> times = timesOf<Real>(field);
  if (std::int64_t(times.size()) != problem.grid.points()) throw Error(foreignTimes);
  const Tracer<Real> tracer(problem, options, times, sources);
  const int threads = chooseThreads(options.threads, 1e5 * double(receivers.size()));
  Workers workers(threads, monitor);
  if (problem.part.isDivided()) return traceInParts(problem, tracer, field, receivers, workers);
  std::vector<Ray> rays(receivers.size());
  std::vector<Walk<Real>> walks(threads, tracer.walk());
  const auto traceOne = [&](std::int64_t r, int thread) {
    rays[r] = tracer.rayTo(receivers[r], walks[thread]);
  };
  if (!workers.run(std::int64_t(receivers.size()), traceOne)) return {};
  return rays;
}

/// Traces the rays of one field of an image with periodic axes.
template <class Real>
std::vector<Ray> tracePeriodic(const Problem& problem, const Options& options, const Field& field,
                               std::span<const std::int32_t> sources, std::span<const Position> receivers,
                               const Monitor& monitor) {
  if (std::int64_t(timesOf<Real>(field).size()) != problem.grid.points()) throw Error(foreignTimes);
  const PeriodicProblem periodic(problem, options);
  const Field extended = periodic.extended(field);
  const std::vector<std::int32_t> all = periodic.withCopies(sources);
  const Tracer<Real> tracer(periodic.problem(), options, timesOf<Real>(extended), all);
  Workers workers(chooseThreads(options.threads, 1e5 * double(receivers.size())), monitor);
  std::vector<Ray> rays(receivers.size());
  const auto traceOne = [&](std::int64_t r, int) {
    rays[r] = tracer.periodicRayTo(receivers[r], periodic, problem, extended.predecessor);
  };
  if (!workers.run(std::int64_t(receivers.size()), traceOne)) return {};
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
  const auto shifted = [](Position steps, const GridIndex& by) {
    for (int a = 0; a < 3; ++a) steps[a] += double(by[a]);
    return steps;
  };
  const auto addUnlessPoint = [&](const Position& steps, double time) {
    if (!isPoint(steps) || ray.points.empty()) knots.push_back({steps, time});
  };
  const bool wraps = !ray.shift.empty();
  if (ray.source >= 0)
    addUnlessPoint(
        shifted(*stepsTo(problem, problem.sources[ray.source].at), wraps ? ray.shift.back() : GridIndex{}),
        ray.startTime);
  for (std::size_t p = 0; p < ray.points.size(); ++p) {
    const GridIndex i = wholeGrid(problem).indices(ray.points[p]);
    knots.push_back({shifted({double(i[0]), double(i[1]), double(i[2])}, wraps ? ray.shift[p] : GridIndex{}),
                     ray.times[p]});
  }
  addUnlessPoint(*stepsTo(problem, ray.receiver), ray.travelTime);
  if (knots.size() == 1) knots.push_back(knots[0]); // a receiver on its source
  return knots;
}

} // namespace

std::vector<Ray> traceRays(const Problem& problem, const Options& options, const Field& field,
                           std::span<const std::int32_t> sources, std::span<const Position> receivers,
                           const Monitor& monitor) {
  requireSources(problem, sources);
  if (isPeriodic(problem))
    return options.doublePrecision
               ? tracePeriodic<double>(problem, options, field, sources, receivers, monitor)
               : tracePeriodic<float>(problem, options, field, sources, receivers, monitor);
  if (options.doublePrecision) return trace<double>(problem, options, field, sources, receivers, monitor);
  return trace<float>(problem, options, field, sources, receivers, monitor);
}

Path pathOf(const Problem& problem, const Ray& ray, bool merge) {
  Path path;
  path.status = ray.status;
  const bool isElsewhere = ray.points.empty() && ray.source < 0; // in another part
  if (ray.status != PathStatus::Complete || isElsewhere) return path;
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
