#include "ImageTravelTime/Paths/NearestSeed.h"

#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Paths/LocalMinima.h"
#include "ImageTravelTime/Paths/OrthogonalUpwind.h"
#include "ImageTravelTime/Paths/TensorUpwind.h"
#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <vector>

namespace isochrone::image {

namespace {

constexpr std::int32_t noSeed = -1, unknown = -2;
constexpr std::int32_t waiting = -3; ///< for the seed of a point in another part

/// The seed of a point, and the share of its front in the value of the point.
struct alignas(8) Claim {
  std::int32_t seed = unknown;
  float share = 1;
};

/// The earlier points that the value of a point comes from, with their weights.
struct Sources {
  int count = 0;
  std::array<std::int64_t, 6> point;
  std::array<double, 6> weight;

  void add(std::int64_t p, double w) { point[count] = p, weight[count++] = w; }
};

/// Returns the sources of a point. Each weight is the scheme's weight times the difference to the source: it
/// is proportional to the derivative of the point's value.
Sources sourcesOf(const PathField& field, std::span<const float> u, std::int64_t point) {
  const Problem& problem = field.input();
  Sources from;
  if (hasTensors(problem)) {
    const std::int64_t only = earlierPoint(problem, u, point);
    const TensorUpwind upwind = tensorUpwind(problem, u, point);
    bool inStencil = false;
    for (const TensorNeighbour& n : upwind) inStencil = inStencil || n.point == only;
    if (only != point && !inStencil) from.add(only, 1); // the straight step along an axis
    for (const TensorNeighbour& n : upwind)
      if (const double fall = double(u[point]) - n.valueIn(u);
          inStencil && fall > 0 && u[n.point] < u[point]) // in a drift a later point may count, too
        from.add(n.point, n.weight * fall);
    return from;
  }
  if (problem.orthogonal) {
    for (const OrthogonalSource& source : field.upwind().sources(point))
      from.add(source.point, source.fall / (source.length * source.length));
    return from;
  }
  const Grid& g = problem.grid;
  const GridIndex stride = g.strides();
  const Position h = g.spacing();
  const Upwind upwind = upwindNeighbours(g, u, point);
  for (int axis = 0; axis < 3; ++axis)
    if (const double rise = u[point] - upwind.value[axis]; rise > 0)
      from.add(point + upwind.side[axis] * stride[axis], rise / (h[axis] * h[axis]));
  return from;
}

/// Returns the seed with the largest share among the seeds of the sources. The share of a source that is not
/// from its own seed is added to the other seeds.
Claim combine(const Sources& from, const std::array<Claim, 6>& claims) {
  Claim best{noSeed, 1};
  double all = 0, maximum = -1;
  for (int n = 0; n < from.count; ++n) all += from.weight[n];
  for (int n = 0; n < from.count; ++n) {
    const std::int32_t seed = claims[n].seed;
    double sum = 0;
    bool alone = true;
    for (int m = 0; m < from.count; ++m) alone = alone && claims[m].seed == seed;
    for (int m = 0; m < from.count; ++m)
      sum += from.weight[m] * (claims[m].seed == seed ? claims[m].share : 1 - claims[m].share);
    if (alone || sum > maximum || (sum == maximum && seed < best.seed))
      maximum = sum, best = {seed, float(sum / all)};
  }
  return best;
}

/// Labels the points that hold a seed's own value. Among several seeds the earliest has priority, then the
/// first.
/// @param earliest  minimum start value
void labelSeeds(std::vector<SeedPoint> seeds, double earliest, std::span<const float> u,
                Values<std::int32_t>& label) {
  std::ranges::stable_sort(seeds, {}, &SeedPoint::value);
  for (const SeedPoint& seed : seeds) {
    // The solver's times are relative to the earliest seed.
    const double rounding =
        1e-6 * std::max({double(std::abs(u[seed.point])), std::abs(seed.value), seed.value - earliest});
    if (label[seed.point] == unknown && u[seed.point] >= seed.value - rounding) label[seed.point] = seed.seed;
  }
}

/// Finds the seeds of points from the seeds of the points that they depend on. Threads that meet write the
/// same result.
class Descent {
public:
  Descent(const Problem& p, std::span<const float> travelTime, const Values<std::int32_t>& labels)
      : problem(p), u(travelTime), field(p, travelTime), claims(labels.size()) {
    for (std::size_t n = 0; n < labels.size(); ++n) {
      claims[n] = {labels[n], 1};
      if (labels[n] >= 0) starts.insert(std::int64_t(n));
    }
  }

  /// Makes the points of other parts waiting, whose seeds their processes find.
  void await() {
    if (!problem.part.isDivided()) return;
    for (std::size_t n = 0; n < claims.size(); ++n)
      if (claims[n].seed == unknown && !owns(std::int64_t(n))) claims[n].seed = waiting;
  }

  /// Takes the claims on the margin from the other parts. Collective.
  void hear() { grid::fillMargin<Claim>(problem.grid, problem.part, claims); }

  /// Makes a waiting point unknown again.
  void retry(std::int64_t point) {
    if (claims[point].seed == waiting) claims[point] = {};
  }

  /// Gives a waiting point the seed of its earliest neighbour that has one. Returns whether there is one.
  bool takeFromNeighbour(std::int64_t point) {
    std::int64_t earliest = -1;
    for (const Corner& next : field.neighbours(corner(point)))
      if (claims[next.point].seed >= 0 && (earliest < 0 || u[next.point] < u[earliest]))
        earliest = next.point;
    if (earliest >= 0) claims[point] = claims[earliest];
    return earliest >= 0;
  }

  /// Returns the seed of a point, or `waiting`.
  std::int32_t seedOf(std::int64_t point, std::vector<std::int64_t>& stack) {
    stack.assign(1, point);
    while (!stack.empty()) {
      const std::int64_t p = stack.back();
      if (read(p).seed != unknown) {
        stack.pop_back();
        continue;
      }
      Sources from = sourcesOf(field, u, p);
      std::vector<std::int64_t> level;
      if (from.count == 0) {
        level = levelOf(p);
        if (const std::int64_t exit = exitOf(level); exit >= 0) from.add(exit, 1);
      }
      std::array<Claim, 6> known;
      bool all = true, waits = false;
      for (int n = 0; n < from.count; ++n) {
        known[n] = read(from.point[n]);
        if (known[n].seed == unknown) stack.push_back(from.point[n]), all = false;
        waits = waits || known[n].seed == waiting;
      }
      if (!all && !waits) continue;
      waits = waits || (from.count == 0 && problem.part.isDivided()); // the way on may be in another part
      const Claim claim = waits ? Claim{waiting, 1} : combine(from, known);
      write(p, claim);
      for (const std::int64_t q : level) // all at once: a level may be large
        if (read(q).seed == unknown && sourcesOf(field, u, q).count == 0) write(q, claim);
      stack.pop_back();
    }
    return read(point).seed;
  }

private:
  const Problem& problem;
  std::span<const float> u;
  PathField field;
  Values<Claim> claims;
  std::unordered_set<std::int64_t> starts; ///< points of seeds

  bool owns(std::int64_t p) const { return problem.part.owns(problem.grid.indices(p)); }
  Corner corner(std::int64_t p) const { return field.corner(problem.grid.indices(p)); }

  /// Returns the connected points with the travel time of a point, in order, for a point without an earlier
  /// neighbour: see LocalMinima.h.
  std::vector<std::int64_t> levelOf(std::int64_t p) const {
    std::vector<std::int64_t> level{p};
    std::unordered_set<std::int64_t> seen{p};
    for (std::size_t n = 0; n < level.size(); ++n)
      for (const Corner& next : field.neighbours(corner(level[n])))
        if (u[next.point] == u[p] && seen.insert(next.point).second) level.push_back(next.point);
    std::sort(level.begin(), level.end());
    return level;
  }

  /// Returns the earliest point next to a level if it is earlier than the level, otherwise the end of the
  /// path over the lowest rim; -1: none.
  std::int64_t exitOf(const std::vector<std::int64_t>& level) const {
    std::int64_t exit = level.front();
    for (const std::int64_t p : level)
      for (const Corner& next : field.neighbours(corner(p)))
        if (u[next.point] < u[exit] || (u[next.point] == u[exit] && next.point < exit)) exit = next.point;
    if (u[exit] < u[level.front()]) return exit;
    const auto route = leaveMinimum(field, corner(level.front()),
                                    [this](const Corner& c) { return starts.contains(c.point); });
    return route.empty() ? -1 : route.back().point;
  }

  void write(std::int64_t p, const Claim& claim) {
    std::atomic_ref(claims[p]).store(claim, std::memory_order_relaxed);
  }
  Claim read(std::int64_t p) { return std::atomic_ref(claims[p]).load(std::memory_order_relaxed); }
};

/// Returns the only seed with a start, or `unknown` if several have one. Collective.
std::int32_t onlySeed(const SolverInput& input) {
  double ends[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (const SeedPoint& start : input.starts) {
    ends[0] = std::min(ends[0], double(start.seed));
    ends[1] = std::min(ends[1], -double(start.seed));
  }
  input.problem.part.allMin(ends);
  return ends[0] == -ends[1] ? std::int32_t(ends[0]) : unknown;
}

/// Finds the seeds of all points that do not wait for another part. Returns false if the monitor requested a
/// stop.
bool label(const SolverInput& input, const Monitor& monitor, Descent& descent, Values<std::int32_t>& label) {
  const std::int64_t points = input.problem.grid.points();
  std::vector<std::vector<std::int64_t>> stacks(input.pool.size());
  constexpr std::int64_t part = 1 << 20, share = 4096; // points between two reports to the monitor, of a job
  for (std::int64_t first = 0; first < points; first += part) {
    if (!monitor.report(0.97)) return false;
    const std::int64_t count = std::min(points - first, part);
    input.pool.forRanges(count, share, [&](std::int64_t begin, std::int64_t end, int thread) {
      for (std::int64_t p = first + begin; p < first + end; ++p) label[p] = descent.seedOf(p, stacks[thread]);
    });
  }
  return true;
}

/// Returns the own points that wait for another part.
std::vector<std::int64_t> waitingPoints(const Problem& problem, const Values<std::int32_t>& label) {
  std::vector<std::int64_t> points;
  for (std::int64_t p = 0; p < std::int64_t(label.size()); ++p)
    if (label[p] == waiting && problem.part.owns(problem.grid.indices(p))) points.push_back(p);
  return points;
}

/// Finds the seeds of the points that depend on other parts: from border to border, as the front passed them.
/// Parts with points of one travel time, from which no front leads on, may wait for each other; such points
/// take the seed of a neighbour. Returns false if the monitor requested a stop. Collective.
bool labelWithOthers(const SolverInput& input, const Monitor& monitor, Descent& descent,
                     Values<std::int32_t>& label) {
  const grid::GridPart& part = input.problem.part;
  std::vector<std::int64_t> left = waitingPoints(input.problem, label), stack;
  std::size_t before = left.size() + 1;
  for (;;) {
    double minima[2] = {-double(left.size()), -double(before - left.size())}; // the maxima, negative
    part.allMin(minima);
    if (minima[0] == 0) break;
    const bool stuck = minima[1] == 0;
    before = left.size();
    descent.hear();
    descent.await();
    for (const std::int64_t p : left) descent.retry(p);
    for (const std::int64_t p : left) {
      if (!stuck)
        label[p] = descent.seedOf(p, stack);
      else if (descent.takeFromNeighbour(p))
        label[p] = descent.seedOf(p, stack);
    }
    std::erase_if(left, [&](std::int64_t p) { return label[p] != waiting; });
    if (!monitor.report(0.97)) return false;
  }
  grid::fillMargin<std::int32_t>(input.problem.grid, part, label);
  return true;
}

} // namespace

Values<std::int32_t> nearestSeeds(const SolverInput& input, std::span<const float> u,
                                  const Monitor& monitor) {
  const std::int64_t points = input.problem.grid.points();
  const std::int32_t only = onlySeed(input);
  Values<std::int32_t> seeds(points);
  input.pool.forEach(points, [&](std::int64_t p) { seeds[p] = std::isfinite(u[p]) ? only : noSeed; });
  if (only != unknown) return seeds;
  labelSeeds(input.starts, input.earliest, u, seeds);
  Descent descent(input.problem, u, seeds);
  descent.await();
  if (!label(input, monitor, descent, seeds)) return {};
  if (input.problem.part.isDivided() && !labelWithOthers(input, monitor, descent, seeds)) return {};
  return seeds;
}

} // namespace isochrone::image
