// PathExtraction.cxx - extracts the paths to tips.
#include "CurvaturePaths/Paths/PathShape.h"
#include "CurvaturePaths/Paths/PathTurning.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

/// Traces a path by the centre of mass, and by the strongest edges where that fails.
Trace trace(const DescentFlow& flow, const GridState& tip) {
  Trace byMass = traceByMass(flow, tip);
  return byMass.complete() ? byMass : traceByEdges(flow, tip);
}

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

Path extractPath(const DescentFlow& flow, const State& tip) {
  Path path;
  const Placement at = place(flow.input(), tip);
  if (at.status == Placement::Status::Outside) path.status = PathStatus::TipOutside;
  if (at.status == Placement::Status::InWall) path.status = PathStatus::TipInWall;
  if (at.status != Placement::Status::Inside) return path;

  const GridState q{at.i, at.j, at.heading < 0 ? cheapestHeading(flow, at.i, at.j) : at.heading};
  if (!std::isfinite(flow.value(q))) return path;
  Trace found = trace(flow, q);
  if (!found.complete()) return path;

  std::reverse(found.samples.begin(), found.samples.end());
  const Sample first = exactEnd(flow, flow.input().seeds[found.seed].state, found.samples.front());
  if (flow.hasBalls() && flow.walls().freeSegment(found.samples[0].x, found.samples[0].y, first.x, first.y))
    found.samples.insert(found.samples.begin(), first); // may be some steps away
  const Sample last = exactEnd(flow, tip, found.samples.back());
  const std::vector<Sample> samples = shapePath(flow, std::move(found.samples), first, last);
  path = describePath(flow, samples, flow.input().seeds[found.seed].startValue, flow.value(q));
  path.status = PathStatus::Complete;
  if (boundsCurvature(flow.input().model)) bendPath(flow, samples, tip, found.seed, path);
  path.seed = found.seed;
  return path;
}

} // namespace

std::vector<Path> extractPaths(const Problem& problem, const Solution& solution, std::span<const State> tips,
                               int threads, const Monitor& monitor) {
  const DescentFlow flow(problem, solution);
  std::vector<Path> paths(tips.size());
  const auto extract = [&](std::int64_t t, int) { paths[t] = extractPath(flow, tips[t]); };
  if (!Workers(chooseThreads(threads), monitor).run(std::int64_t(tips.size()), extract)) return {};
  return paths;
}

} // namespace isochrone::curvature
