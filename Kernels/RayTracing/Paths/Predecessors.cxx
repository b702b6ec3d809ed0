#include "RayTracing/Paths/Predecessors.h"

#include "Error.h"
#include "RayTracing/Host/PredecessorEdges.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace isochrone::rays {

template <class Real>
Predecessors<Real>::Predecessors(const EdgeWeights<Real>& edgesOfRun, std::span<const Real> timesOfRun,
                                 std::vector<Start<Real>> startsOfRun)
    : edges(edgesOfRun), times(timesOfRun), starts(std::move(startsOfRun)) {
  std::erase_if(starts, [&](const Start<Real>& s) { return s.time != times[s.point]; });
  std::ranges::stable_sort(starts, {}, &Start<Real>::point);
  const auto same = [](const Start<Real>& a, const Start<Real>& b) { return a.point == b.point; };
  starts.erase(std::unique(starts.begin(), starts.end(), same), starts.end());
}

template <class Real>
const Start<Real>* Predecessors<Real>::startAt(std::int64_t point) const {
  const auto found = std::ranges::lower_bound(starts, point, {}, &Start<Real>::point);
  return found != starts.end() && found->point == point ? &*found : nullptr;
}

template <class Real>
std::uint16_t Predecessors<Real>::earlier(std::int64_t point) const {
  for (int o = 0; o < edges.count(); ++o) {
    const std::int64_t from = edges.neighbour(point, o);
    if (from >= 0 && times[from] < times[point] && times[from] + edges.weight(point, o) == times[point])
      return std::uint16_t(o);
  }
  return noOffset;
}

template <class Real>
bool Predecessors<Real>::onPlateau(std::int64_t point) const {
  return std::isfinite(times[point]) && !startAt(point) && earlier(point) == noOffset;
}

template <class Real>
std::int64_t Predecessors<Real>::level(std::int64_t point, int offset) const {
  const std::int64_t from = edges.neighbour(point, offset);
  if (from < 0 || times[from] != times[point]) return -1;
  return times[from] + edges.weight(point, offset) == times[point] ? from : -1;
}

template <class Real>
std::vector<std::int64_t> Predecessors<Real>::plateauOf(std::int64_t point) const {
  std::vector<std::int64_t> plateau{point};
  std::unordered_set<std::int64_t> seen{point};
  for (std::size_t i = 0; i < plateau.size(); ++i)
    for (int o = 0; o < edges.count(); ++o) {
      const std::int64_t next = level(plateau[i], o);
      if (next >= 0 && seen.insert(next).second && onPlateau(next)) plateau.push_back(next);
    }
  std::ranges::sort(plateau);
  return plateau;
}

template <class Real>
std::vector<std::uint16_t> Predecessors<Real>::across(std::span<const std::int64_t> plateaus) const {
  std::vector<std::uint16_t> steps(plateaus.size(), noOffset);
  const auto numberOf = [&](std::int64_t point) {
    const auto found = std::ranges::lower_bound(plateaus, point);
    return found != plateaus.end() && *found == point ? found - plateaus.begin() : -1;
  };
  const auto isDecided = [&](std::int64_t point) {
    const auto n = numberOf(point);
    return n < 0 || steps[n] != noOffset;
  };

  // Each round handles the points one edge farther from the rim than the round before.
  std::vector<std::int64_t> candidates(plateaus.begin(), plateaus.end());
  while (!candidates.empty()) {
    std::vector<std::pair<std::int64_t, std::uint16_t>> reached;
    for (const std::int64_t point : candidates)
      if (const std::uint16_t step = levelStep(point, isDecided); step != noOffset)
        reached.emplace_back(point, step);
    for (const auto& [point, step] : reached) steps[numberOf(point)] = step;
    candidates.clear();
    for (const auto& [point, step] : reached)
      for (int o = 0; o < edges.count(); ++o)
        if (const std::int64_t next = level(point, o); next >= 0)
          if (const auto n = numberOf(next); n >= 0 && steps[n] == noOffset) candidates.push_back(next);
    std::ranges::sort(candidates);
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  }
  return steps;
}

template class Predecessors<float>;
template class Predecessors<double>;

namespace {

/// Returns the predecessors of all points.
/// @param steps  offset indices of the earlier neighbours, noOffset where none exists
template <class Real>
Values<std::uint16_t> predecessorsOf(const Predecessors<Real>& waves, std::span<const Real> times,
                                     Values<std::uint16_t> steps, execution::RoundPool& pool) {
  for (const auto& start : waves.startPoints()) steps[start.point] = noOffset;

  using Points = std::vector<std::int64_t>;
  const auto plateausIn = [&](std::int64_t begin, std::int64_t end, int) {
    Points found;
    for (std::int64_t p = begin; p < end; ++p)
      if (steps[p] == noOffset && std::isfinite(times[p]) && !waves.startAt(p)) found.push_back(p);
    return found;
  };
  const Points plateaus =
      pool.reduce(std::int64_t(times.size()), Points{}, plateausIn,
                  [](Points& all, const Points& part) { all.insert(all.end(), part.begin(), part.end()); });
  const auto across = waves.across(plateaus);
  for (std::size_t i = 0; i < plateaus.size(); ++i) {
    if (across[i] == noOffset) throw Error(foreignTimes);
    steps[plateaus[i]] = across[i];
  }
  return steps;
}

/// Follows predecessors to a point with a known source, and assigns this source to all points passed.
template <class Real>
Values<std::int32_t> sourcesOf(const EdgeWeights<Real>& edges, const Predecessors<Real>& waves,
                               std::span<const Real> times, std::span<const std::uint16_t> steps) {
  constexpr std::int32_t unknown = -2, noSource = -1;
  Values<std::int32_t> sources(times.size());
  for (std::size_t p = 0; p < times.size(); ++p) sources[p] = std::isfinite(times[p]) ? unknown : noSource;
  for (const auto& start : waves.startPoints()) sources[start.point] = start.source;
  std::vector<std::int64_t> path;
  for (std::size_t p = 0; p < times.size(); ++p) {
    auto at = std::int64_t(p);
    for (; sources[at] == unknown; at = edges.neighbour(at, steps[at])) path.push_back(at);
    for (const std::int64_t point : path) sources[point] = sources[at];
    path.clear();
  }
  return sources;
}

/// Returns the predecessors of the points of a part. Each round decides the points of plateaus that lie one
/// edge farther from the rim, on all processes.
template <class Real>
Values<std::uint16_t> predecessorsInPart(const Problem& problem, const Predecessors<Real>& waves,
                                         std::span<const Real> times, Values<std::uint16_t> steps) {
  for (const auto& start : waves.startPoints()) steps[start.point] = noOffset;
  std::vector<std::int64_t> undecided;
  grid::forEachPoint(problem.part.own, [&](const GridIndex& at) {
    const std::int64_t p = problem.grid.index(at);
    if (steps[p] == noOffset && std::isfinite(times[p]) && !waves.startAt(p)) undecided.push_back(p);
  });
  const auto existsAnywhere = [&](bool here) {
    double none = here ? 0 : 1;
    problem.part.allMin({&none, 1});
    return none == 0;
  };
  Values<std::uint8_t> isUndecided;
  while (existsAnywhere(!undecided.empty())) {
    if (isUndecided.empty()) {
      isUndecided.assign(times.size(), 0);
      for (const std::int64_t p : undecided) isUndecided[p] = 1;
    }
    grid::fillMargin<std::uint8_t>(problem.grid, problem.part, isUndecided);
    std::vector<std::int64_t> reached;
    for (const std::int64_t p : undecided) {
      const std::uint16_t step = waves.levelStep(p, [&](std::int64_t from) { return !isUndecided[from]; });
      if (step == noOffset) continue;
      steps[p] = step;
      reached.push_back(p);
    }
    if (!existsAnywhere(!reached.empty())) throw Error(foreignTimes);
    for (const std::int64_t p : reached) isUndecided[p] = 0;
    std::erase_if(undecided, [&](std::int64_t p) { return !isUndecided[p]; });
  }
  grid::fillMargin<std::uint16_t>(problem.grid, problem.part, steps);
  return steps;
}

/// Returns the sources of the points of a part. The predecessors lead to a point with a known source, or
/// leave the part at an exit, a point in the margin, whose process finds its source.
template <class Real>
Values<std::int32_t> sourcesInPart(const Problem& problem, const EdgeWeights<Real>& edges,
                                   const Predecessors<Real>& waves, std::span<const Real> times,
                                   std::span<const std::uint16_t> steps) {
  // Numbers below `unknown` stand for the source of exit 0, 1, ...
  constexpr std::int32_t unknown = -2, noSource = -1, firstExit = -3;
  Values<std::int32_t> sources(times.size());
  for (std::size_t p = 0; p < times.size(); ++p) sources[p] = std::isfinite(times[p]) ? unknown : noSource;
  for (const auto& start : waves.startPoints()) sources[start.point] = start.source;
  std::vector<std::int64_t> exits, path;
  grid::forEachPoint(problem.part.own, [&](const GridIndex& from) {
    std::int64_t at = problem.grid.index(from);
    for (; sources[at] == unknown && problem.part.owns(problem.grid.indices(at));
         at = edges.neighbour(at, steps[at]))
      path.push_back(at);
    if (sources[at] == unknown) {
      sources[at] = firstExit - std::int32_t(exits.size());
      exits.push_back(at);
    }
    for (const std::int64_t point : path) sources[point] = sources[at];
    path.clear();
  });
  for (double minimum = 0;;) {
    grid::fillMargin<std::int32_t>(problem.grid, problem.part, sources);
    minimum = 0;
    grid::forEachPoint(problem.part.own, [&](const GridIndex& at) {
      std::int32_t& source = sources[problem.grid.index(at)];
      if (source > firstExit) return;
      const std::int32_t there = sources[exits[std::size_t(firstExit - source)]];
      if (there > unknown)
        source = there;
      else
        minimum = unknown;
    });
    problem.part.allMin({&minimum, 1});
    if (minimum == 0) break;
  }
  grid::fillMargin<std::int32_t>(problem.grid, problem.part, sources);
  return sources;
}

} // namespace

template <class Real>
void describeWaves(const Problem& problem, const Options& options, const TilePlan<Real>& plan,
                   std::span<const std::int32_t> sources, bool plateaus, execution::RoundPool& pool,
                   Field& field) {
  const bool withPredecessors = options.predecessors || (plateaus && problem.part.isDivided());
  if (!withPredecessors && !options.sourceIds) return;
  const std::span<const Real> times = timesOf<Real>(field);
  const EdgeWeights<Real> edges(problem, options);
  const Predecessors<Real> waves(edges, times, startsOf<Real>(problem, options, sources));
  Values<std::uint16_t> steps = std::move(field.predecessor);
  if (steps.empty()) steps = earlierNeighbours<Real>(plan, times, pool);
  if (problem.part.isDivided()) {
    steps = predecessorsInPart<Real>(problem, waves, times, std::move(steps));
    if (options.sourceIds) field.source = sourcesInPart<Real>(problem, edges, waves, times, steps);
  } else {
    steps = predecessorsOf<Real>(waves, times, std::move(steps), pool);
    if (options.sourceIds) field.source = sourcesOf<Real>(edges, waves, times, steps);
  }
  field.predecessor.clear();
  if (withPredecessors) field.predecessor = std::move(steps);
}
template void describeWaves(const Problem&, const Options&, const TilePlan<float>&,
                            std::span<const std::int32_t>, bool, execution::RoundPool&, Field&);
template void describeWaves(const Problem&, const Options&, const TilePlan<double>&,
                            std::span<const std::int32_t>, bool, execution::RoundPool&, Field&);

} // namespace isochrone::rays
