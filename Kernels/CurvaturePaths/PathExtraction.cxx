// PathExtraction.cxx - from tips to paths.
#include "CurvaturePaths/PathShape.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

/// The centre of mass comes first: it reaches the seed by itself, and of 6900 paths on constant, rough and
/// oriented cost, between walls and with varying radius and shift it failed on 6, torn by walls. The
/// differential equation misses half of the Dubins seeds, where the travel time jumps, and a tenth of the
/// elastica's; where it arrives its paths are as good (energy on constant cost: both 0.95 of the travel time
/// for Reeds-Shepp, 0.86 and 0.85 for the elastica) and it steps along walls corner by corner, so it is the
/// second choice. The strongest edges come last.
Trace trace(const Flow& flow, const GridState& tip) {
  for (const auto method : {traceByMass, traceByOde, traceByEdges})
    if (Trace found = method(flow, tip); found.complete()) return found;
  return {};
}

/// `state` in grid steps, its heading unwrapped next to `near`.
Sample exactEnd(const Flow& flow, const State& state, const Sample& near) {
  const StateGrid& g = flow.grid();
  Sample end{std::clamp(state.x / g.hx, 0., double(g.nx - 1)),
             std::clamp(state.y / g.hy, 0., double(g.ny - 1)), near.k};
  if (!state.anyHeading)
    end.k += std::remainder(state.heading / g.headingStep() - near.k, double(g.headings));
  return end;
}

Path extractPath(const Flow& flow, const State& tip) {
  Path path;
  const Placement at = place(flow.input(), tip);
  if (at.status == Placement::Status::Outside) path.status = PathStatus::TipOutside;
  if (at.status == Placement::Status::InWall) path.status = PathStatus::TipInWall;
  if (at.status != Placement::Status::Inside) return path;

  GridState q{at.i, at.j, std::max(0, at.heading)};
  if (at.heading < 0)
    for (int k = 0; k < flow.grid().headings; ++k)
      if (flow.value({at.i, at.j, k}) < flow.value(q)) q.k = k;
  if (!std::isfinite(flow.value(q))) return path;
  Trace found = trace(flow, q);
  if (!found.complete()) return path;

  std::reverse(found.samples.begin(), found.samples.end());
  const Sample first = exactEnd(flow, flow.input().seeds[found.seed].state, found.samples.front());
  const Sample last = exactEnd(flow, tip, found.samples.back());
  const std::vector<Sample> samples = shapePath(flow, std::move(found.samples), first, last);
  path = describePath(flow, samples, flow.value(found.seedState), flow.value(q));
  path.status = PathStatus::Complete;
  path.seed = found.seed;
  return path;
}

} // namespace

std::vector<Path> extractPaths(const Problem& problem, std::span<const float> travelTime,
                               std::span<const State> tips, int threads) {
  const Flow flow(problem, travelTime);
  std::vector<Path> paths(tips.size());
  const int team = std::min<int>(chooseThreads(threads), int(std::max<std::size_t>(1, tips.size())));
#pragma omp parallel for schedule(dynamic) num_threads(team)
  for (std::size_t t = 0; t < tips.size(); ++t) paths[t] = extractPath(flow, tips[t]);
  return paths;
}

} // namespace isochrone::curvature
