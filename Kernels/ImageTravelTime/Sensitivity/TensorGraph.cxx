#include "ImageTravelTime/Sensitivity/TensorGraph.h"

#include "Error.h"
#include "Execution/Progress.h"

#include <algorithm>
#include <string>

namespace isochrone::image {

namespace {

std::size_t edgesPerPoint(const Problem& problem) { return problem.grid.nz == 1 ? 3 : 6; }

} // namespace

TensorGraph::TensorGraph(const Problem& problem, std::span<const std::int64_t> tips, std::size_t reached) {
  // Growing would copy them, and hold both copies meanwhile. What is not used takes no memory.
  points.reserve(reached), origins.reserve(reached), first.reserve(reached + 1);
  to.reserve(reached * edgesPerPoint(problem)), share.reserve(reached * edgesPerPoint(problem));
  nodes.resize(std::size_t(problem.grid.points()));
  std::ranges::fill(nodes, -1);
  for (const std::int64_t tip : tips) nodeOf(tip);
}

std::size_t TensorGraph::bytesNeeded(const Problem& problem, std::size_t reached) {
  const std::size_t perEdge = sizeof(std::int64_t) + sizeof(double),
                    perNode = 9 * sizeof(std::int64_t) + sizeof(double) + 2; // 7 of them in grid::Components
  return std::size_t(problem.grid.points()) * sizeof(std::int32_t) +
         reached * (perNode + edgesPerPoint(problem) * perEdge);
}

std::int64_t TensorGraph::nodeOf(std::int64_t point) {
  std::int32_t& node = nodes[std::size_t(point)];
  if (node < 0) {
    node = std::int32_t(points.size());
    points.push_back(point);
  }
  return node;
}

bool TensorGraph::flood(const std::function<TensorDependence(std::int64_t)>& evaluate,
                        execution::RoundPool& pool, const Monitor& monitor) {
  constexpr std::size_t ahead = 1 << 12; // points that are evaluated at a time
  constexpr std::int64_t batch = 64;     // points per job
  std::vector<TensorDependence> some;
  execution::Progress progress(monitor);
  for (std::size_t done = 0; done < points.size(); done += some.size()) {
    some.resize(std::min(ahead, points.size() - done));
    pool.forRanges(std::ssize(some), batch, [&](std::int64_t begin, std::int64_t end, int) {
      for (auto n = std::size_t(begin); n < std::size_t(end); ++n) some[n] = evaluate(points[done + n]);
    });
    for (const TensorDependence& d : some) {
      origins.push_back(d.from);
      d.forUsed([&](std::int32_t point, double of) { to.push_back(nodeOf(point)), share.push_back(of); });
      first.push_back(std::int64_t(to.size()));
    }
    if (!progress.report([&] { return double(done) / double(nodes.size()); })) return false;
  }
  return true;
}

bool TensorGraph::sort(const Monitor& monitor) {
  constexpr std::size_t maxSystem = 1024; // points of a dense system: 8 MiB, and less than a second
  execution::Progress progress(monitor);
  grid::Components components(first, to, [&] { return progress.report([] { return 0.5; }); });
  if (!components.complete) return false;
  members = std::move(components.members), ends = std::move(components.ends);
  lost.assign(size(), 0);
  for (std::size_t c = 0; c < ends.size(); ++c) {
    const std::span<const std::int64_t> cycle = membersOf(c);
    if (cycle.size() == 1) continue;
    const auto leadsOut = [&](std::int64_t member) {
      return std::ranges::any_of(usedBy(std::size_t(member)), [&](std::int64_t used) {
        return std::ranges::find(cycle, used) == cycle.end();
      });
    };
    if (std::ranges::none_of(cycle, leadsOut))
      for (const std::int64_t member : cycle) lost[std::size_t(member)] = 1;
    else if (cycle.size() > maxSystem)
      throw Error("the travel times of " + std::to_string(cycle.size()) +
                  " points depend on each other, and the sensitivities are solved for up to " +
                  std::to_string(maxSystem) + " of them: use factoring Off");
  }
  return true;
}

/// Replaces the masses that arrive at points that depend on each other by those that pass them.
void TensorGraph::solveCycle(std::span<const std::int64_t> cycle, std::vector<double>& mass) const {
  const std::size_t n = cycle.size();
  std::vector<double> matrix(n * n, 0), sides;
  for (std::size_t m = 0; m < n; ++m) {
    const auto node = std::size_t(cycle[m]);
    matrix[m * n + m] += 1;
    sides.push_back(mass[node]);
    for (std::size_t e = 0; e < usedBy(node).size(); ++e)
      if (const auto k = std::size_t(std::ranges::find(cycle, usedBy(node)[e]) - cycle.begin()); k < n)
        matrix[k * n + m] -= sharesOf(node)[e];
  }
  grid::solveDense(matrix, sides);
  for (std::size_t m = 0; m < n; ++m) mass[std::size_t(cycle[m])] = sides[m];
}

bool TensorGraph::spread(std::vector<double>& mass, const Monitor& monitor) const {
  constexpr std::size_t checked = 1 << 16; // components between two reports
  execution::Progress progress(monitor);
  for (std::size_t c = ends.size(); c-- > 0;) {
    const std::span<const std::int64_t> all = membersOf(c);
    if (c % checked == 0 && !progress.report([&] { return double(ends.size() - c) / double(ends.size()); }))
      return false;
    if (lost[std::size_t(all[0])] ||
        std::ranges::all_of(all, [&](std::int64_t member) { return mass[std::size_t(member)] == 0; }))
      continue;
    if (all.size() > 1) solveCycle(all, mass);
    for (const std::int64_t member : all)
      for (std::size_t e = 0; e < usedBy(std::size_t(member)).size(); ++e) {
        const std::int64_t next = usedBy(std::size_t(member))[e];
        if (all.size() == 1 || std::ranges::find(all, next) == all.end())
          mass[std::size_t(next)] += sharesOf(std::size_t(member))[e] * mass[std::size_t(member)];
      }
  }
  return true;
}

} // namespace isochrone::image
