// PathExtraction.cxx - extracts the paths to tips.
#include "CurvaturePaths/Paths/PathShape.h"
#include "CurvaturePaths/Paths/PathTurning.h"
#include "CurvaturePaths/Paths/TrailsInParts.h"
#include "CurvaturePaths/Seeds/PeriodicProblem.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace isochrone::curvature {

namespace {

/// Returns `state` in grid steps, with its heading unwrapped next to `near`.
Sample exactEnd(const DescentFlow& flow, const State& state, const Sample& near) {
  const StateGrid& g = flow.grid();
  Sample end{std::clamp(state.x / g.hx, 0., double(g.nx - 1)),
             std::clamp(state.y / g.hy, 0., double(g.ny - 1)), near.k};
  if (!state.anyHeading)
    end.k += std::remainder(state.heading / g.headingStep() - near.k, double(g.headings));
  return end;
}

/// Returns whether the fastest path arrives at `q` moving along its heading, not backwards.
bool arrivesForward(const DescentFlow& flow, const GridState& q) {
  const Direction n = headingDirection(q.k, flow.grid().headings);
  const DescentFlow::Descent descent = flow.at(q);
  double along = 0;
  for (int e = 0; e < descent.count; ++e) {
    const Offset& o = descent.edges[e].offset;
    along -=
        descent.edges[e].weight * (n.x * flow.grid().hx * double(o[0]) + n.y * flow.grid().hy * double(o[1]));
  }
  return along > 0;
}

/// Returns the heading with the minimum value at a point. Where seeds have any heading too, a reversible path
/// and its reverse cost the same up to rounding. Then returns the forward one.
int cheapestHeading(const DescentFlow& flow, std::int64_t i, std::int64_t j) {
  constexpr double rounding = 1e-6;
  const int n = flow.grid().headings;
  GridState best{i, j, 0};
  for (int k = 1; k < n; ++k)
    if (flow.value({i, j, k}) < flow.value(best)) best.k = k;
  const GridState opposite{i, j, (best.k + n / 2) % n};
  const float minimum = flow.value(best), other = flow.value(opposite);
  const bool tie = n % 2 == 0 && std::isfinite(other) && other - minimum <= rounding * std::abs(minimum);
  return tie && !arrivesForward(flow, best) && arrivesForward(flow, opposite) ? opposite.k : best.k;
}

/// Returns whether the model bounds the curvature. Reeds-Shepp paths may turn on the spot, and the elastica
/// pays for tight turns.
bool boundsCurvature(Model model) { return model == Model::Dubins; }

/// Excess of a path's cost over its travel time that ExceedsTravelTime tolerates: a share for the first-order
/// error, and grid steps for the distance of the tip from its grid state.
constexpr double costsMore = 0.1, stepsMore = 1;

/// A bent path that costs more than this multiple of both its travel time and its guide is rejected.
constexpr double tooDear = 1.5;

/// Replaces `path`, along `samples`, by one that keeps the turning radius, or sets the status if none is
/// found.
void bendPath(const DescentFlow& flow, const std::vector<Sample>& samples, const State& tip,
              std::int32_t seed, Path& path) {
  const Sample &first = samples.front(), &last = samples.back();
  if (path.length == 0) {
    if (first.k != last.k) path.status = PathStatus::TurnsTooTightly;
    return;
  }
  const std::vector<Sample> bent =
      keepTurningRadius(flow, samples, {!flow.input().seeds[seed].state.anyHeading, !tip.anyHeading});
  const double startTime = path.travelTime.front(), endTime = path.travelTime.back();
  const double maximum = tooDear * std::max(path.energy, endTime - startTime);
  path.status = PathStatus::TurnsTooTightly;
  if (bent.empty()) return;
  Path wide = describePath(flow, bent, startTime, endTime);
  if (wide.energy > maximum) return;
  path = std::move(wide);
  const double step = std::min(flow.grid().hx, flow.grid().hy) * path.energy / path.length;
  const bool agrees = path.energy <= (1 + costsMore) * (endTime - startTime) + stepsMore * step;
  path.status = agrees ? PathStatus::Complete : PathStatus::ExceedsTravelTime;
}

/// A path that may be traced, or the status of one that cannot.
struct Request {
  PathStatus status = PathStatus::Unreachable;
  std::optional<GridState> from; ///< the state of the tip, if it is reached
};

Request requestOf(const DescentFlow& flow, const Placement& tip) {
  Request request;
  if (tip.status == Placement::Status::Outside) request.status = PathStatus::TipOutside;
  if (tip.status == Placement::Status::InWall) request.status = PathStatus::TipInWall;
  if (tip.status != Placement::Status::Inside) return request;
  const GridState q{tip.i, tip.j, tip.heading < 0 ? cheapestHeading(flow, tip.i, tip.j) : tip.heading};
  if (std::isfinite(flow.value(q))) request.from = q;
  return request;
}

/// Returns the path of a trace that has ended.
/// @param seed  the state that it starts at
/// @param hasBalls  whether the solution has near-seed start values
/// @param endTime  travel time at the tip
Path pathAlong(const DescentFlow& flow, Trace found, const State& seed, bool hasBalls, float endTime,
               const State& tip) {
  Path path;
  if (!found.complete()) return path;
  std::reverse(found.samples.begin(), found.samples.end());
  const Sample first = exactEnd(flow, seed, found.samples.front());
  if (hasBalls && flow.walls().freeSegment(found.samples[0].x, found.samples[0].y, first.x, first.y))
    found.samples.insert(found.samples.begin(), first); // may be some steps away
  const Sample last = exactEnd(flow, tip, found.samples.back());
  const std::vector<Sample> samples = shapePath(flow, std::move(found.samples), first, last);
  path = describePath(flow, samples, flow.input().seeds[found.seed].startValue, endTime);
  path.status = PathStatus::Complete;
  if (boundsCurvature(flow.input().model)) bendPath(flow, samples, tip, found.seed, path);
  path.seed = found.seed;
  return path;
}

/// The same where the flow is known at the tip.
Path pathAlong(const DescentFlow& flow, Trace found, const GridState& from, const State& tip) {
  const State seed = found.complete() ? flow.input().seeds[found.seed].state : State{};
  return pathAlong(flow, std::move(found), seed, flow.hasBalls(), flow.value(from), tip);
}

/// Traces by the centre of mass or by the strongest edges, as far as the flow is known.
void trace(const DescentFlow& flow, Trail& trail) {
  trail.next = trail.cloud ? traceByMass(flow, *trail.cloud, trail.trace) : traceByEdges(flow, trail.trace);
}

/// Returns a trail from a tip by the centre of mass.
Trail trailByMass(const DescentFlow& flow, std::int32_t tip, const GridState& from) {
  return {tip, {}, MassCloud(flow, from), {}, {}, {}};
}
/// Returns one by the strongest edges, for a tip where the other one fails.
Trail trailByEdges(std::int32_t tip, const GridState& from) {
  return {tip, {{sampleAt(from)}, -1}, {}, {}, {}, {}};
}

Path extractPath(const DescentFlow& flow, const State& tip) {
  const Request request = requestOf(flow, place(flow.input(), tip));
  Path path;
  path.status = request.status;
  if (!request.from) return path;
  Trail trail = trailByMass(flow, 0, *request.from);
  trace(flow, trail);
  if (!trail.trace.complete()) {
    trail = trailByEdges(0, *request.from);
    trace(flow, trail);
  }
  return pathAlong(flow, std::move(trail.trace), *request.from, tip);
}

/// The traces of the tips in this part of the plane.
struct TracesInParts {
  std::vector<Path> paths;                    ///< with a status only
  std::vector<std::optional<GridState>> from; ///< the states of the tips that are reached
  std::vector<Trail> ended;
};

/// Returns nothing if the monitor requested a stop.
std::optional<TracesInParts> traceInParts(const DescentFlow& flow, std::span<const State> tips,
                                          Workers& workers) {
  TracesInParts traces{
      std::vector<Path>(tips.size()), std::vector<std::optional<GridState>>(tips.size()), {}};
  auto& [paths, from, ended] = traces;
  std::vector<Trail> trails;
  for (std::size_t t = 0; t < tips.size(); ++t) {
    const Placement at = place(flow.input(), tips[t]);
    paths[t].status = PathStatus::TipOutside;
    if (at.status == Placement::Status::Inside && !flow.owns({at.i, at.j, 0})) continue;
    const Request request = requestOf(flow, at);
    paths[t].status = request.status;
    from[t] = request.from;
    if (from[t]) trails.push_back(trailByMass(flow, std::int32_t(t), *from[t]));
  }
  const TrailsInParts parts(flow);
  const auto follow = [&](double begin, double end) {
    return parts.follow(trails, [&](std::vector<Trail>& some) {
      return workers.run(std::int64_t(some.size()), begin, end,
                         [&](std::int64_t n, int) { trace(flow, some[n]); });
    });
  };
  if (!follow(0, 0.2)) return {};
  ended = std::exchange(trails, {});
  for (const Trail& trail : ended)
    if (!trail.trace.complete()) trails.push_back(trailByEdges(trail.tip, *from[trail.tip]));
  if (!follow(0.2, 0.4)) return {};
  ended.insert(ended.end(), trails.begin(), trails.end());
  return traces;
}

/// Extracts the paths of the tips in this part of the plane. The others have their status only.
std::vector<Path> extractInParts(const DescentFlow& flow, std::span<const State> tips, Workers& workers) {
  std::optional<TracesInParts> traces = traceInParts(flow, tips, workers);
  if (!traces) return {};
  std::vector<Path>& paths = traces->paths;
  const std::vector<std::optional<GridState>>& from = traces->from;
  std::vector<Trail>& ended = traces->ended;
  const auto shape = [&](std::int64_t n, int) {
    const std::int32_t t = ended[n].tip;
    if (ended[n].trace.complete()) paths[t] = pathAlong(flow, std::move(ended[n].trace), *from[t], tips[t]);
  };
  if (!workers.run(std::int64_t(ended.size()), 0.4, 1, shape)) return {};
  agreeOnStatus<Path>(flow.input().part, paths);
  return paths;
}

/// Returns the points around some traces, and as many beyond them as a path may turn aside to keep its
/// turning radius, in the indices of the image.
grid::Box around(const PeriodicProblem& periodic, const std::vector<Trail>& trails, double radius) {
  constexpr double aside = 8, radii = 4;
  grid::Box box = periodic.plane();
  for (const Trail& trail : trails)
    for (const Sample& s : trail.trace.samples)
      for (const auto& [axis, at] : {std::pair{0, s.x}, {1, s.y}}) {
        const std::int64_t low = periodic.plane().low[axis];
        box.low[axis] = std::min(box.low[axis], low + std::int64_t(std::floor(at)));
        box.high[axis] = std::max(box.high[axis], low + std::int64_t(std::ceil(at)) + 1);
      }
  const StateGrid& g = periodic.problem().grid;
  const double widest =
      double(std::max(box.size(0), box.size(1))); // no path turns aside farther than it goes
  const auto margin = std::int64_t(aside + std::min(radii * radius / std::min(g.hx, g.hy), widest));
  for (int a = 0; a < 2; ++a) box.low[a] -= margin, box.high[a] += margin;
  return box;
}

/// Extracts paths through a plane with periodic axes. They are traced in the part, and shaped in a plane of
/// as many copies as they pass.
std::vector<Path> extractPeriodic(const Problem& given, const Solution& solution, std::span<const State> tips,
                                  Workers& workers) {
  const std::shared_ptr<const Discretisation> ofImage = discretisationOfImage(given, solution);
  const PeriodicProblem periodic(given, ofImage);
  const PeriodicSolution extended(periodic, solution);
  const DescentFlow flow(periodic.problem(), extended.solution);
  std::vector<State> inPlane;
  for (const State& tip : tips) inPlane.push_back(periodic.inPlane(tip));
  std::optional<TracesInParts> traces = traceInParts(flow, inPlane, workers);
  if (!traces) return {};
  const bool bends = boundsCurvature(given.model);
  const PeriodicProblem wide(
      given, ofImage, around(periodic, traces->ended, bends ? flow.discretisation()->turningRadius.hi : 0));
  Solution ofPlane(extended.travelTime);
  ofPlane.discretisation = wide.discretisation();
  const DescentFlow shaping(wide.problem(), ofPlane);
  const StateGrid& g = given.grid;
  const GridIndex shift{periodic.plane().low[0] - wide.plane().low[0],
                        periodic.plane().low[1] - wide.plane().low[1], 0};
  const auto moved = [&](State state, double x, double y) {
    state.x += x * g.hx, state.y += y * g.hy;
    return state;
  };
  const auto shape = [&](std::int64_t n, int) {
    Trail& trail = traces->ended[std::size_t(n)];
    const std::int32_t t = trail.tip;
    if (!trail.trace.complete()) return;
    const State& copy = periodic.problem().seeds[std::size_t(trail.trace.seed)].state;
    moveTrail(trail, shift);
    const State seed = moved(copy, trail.seedShift[0], trail.seedShift[1]),
                tip = moved(inPlane[t], double(shift[0]), double(shift[1]));
    trail.trace.seed %= periodic.distinctSeeds();
    Path& path = traces->paths[t] =
        pathAlong(shaping, std::move(trail.trace), seed, flow.hasBalls(), flow.value(*traces->from[t]), tip);
    const std::array<double, 2> turns = periodic.turnsOf(tips[t]);
    for (double& x : path.x) x += (double(wide.plane().low[0]) + turns[0] * double(g.nx)) * g.hx;
    for (double& y : path.y) y += (double(wide.plane().low[1]) + turns[1] * double(g.ny)) * g.hy;
  };
  if (!workers.run(std::int64_t(traces->ended.size()), 0.4, 1, shape)) return {};
  return std::move(traces->paths);
}

} // namespace

std::vector<Path> extractPaths(const Problem& problem, const Solution& solution, std::span<const State> tips,
                               int threads, const Monitor& monitor) {
  Workers workers(chooseThreads(threads, 1e5 * double(tips.size())), monitor);
  if (isPeriodic(problem)) return extractPeriodic(problem, solution, tips, workers);
  const DescentFlow flow(problem, solution);
  if (problem.part.isDivided()) return extractInParts(flow, tips, workers);
  std::vector<Path> paths(tips.size());
  const auto extract = [&](std::int64_t t, int) { paths[t] = extractPath(flow, tips[t]); };
  if (!workers.run(std::int64_t(tips.size()), extract)) return {};
  return paths;
}

} // namespace isochrone::curvature
