#include "ImageTravelTime/Paths/NearestSeed.h"

#include "FirstException.h"
#include "ImageTravelTime/Paths/Gradient.h"
#include "ImageTravelTime/Paths/LocalMinima.h"
#include "ImageTravelTime/Paths/TensorUpwind.h"
#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <unordered_set>
#include <vector>

namespace isochrone::image {

namespace {

constexpr std::int32_t unknown = -2, noSeed = -1;

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
Sources sourcesOf(const Problem& problem, std::span<const float> u, std::int64_t point) {
  Sources from;
  if (hasTensors(problem)) {
    const std::int64_t only = earlierPoint(problem, u, point);
    const TensorUpwind upwind = tensorUpwind(problem, u, point);
    bool inStencil = false;
    for (const TensorNeighbour& n : upwind) inStencil = inStencil || n.point == only;
    if (only != point && !inStencil) from.add(only, 1); // the straight step along an axis
    for (const TensorNeighbour& n : upwind)
      if (inStencil && u[n.point] < u[point]) from.add(n.point, n.weight * (double(u[point]) - u[n.point]));
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
void labelSeeds(std::vector<SeedPoint> seeds, std::span<const float> u, Values<std::int32_t>& label) {
  std::ranges::stable_sort(seeds, {}, &SeedPoint::value);
  const double earliest = seeds.front().value;
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

  std::int32_t seedOf(std::int64_t point, std::vector<std::int64_t>& stack) {
    stack.assign(1, point);
    while (!stack.empty()) {
      const std::int64_t p = stack.back();
      if (read(p).seed != unknown) {
        stack.pop_back();
        continue;
      }
      Sources from = sourcesOf(problem, u, p);
      std::vector<std::int64_t> level;
      if (from.count == 0) {
        level = levelOf(p);
        if (const std::int64_t exit = exitOf(level); exit >= 0) from.add(exit, 1);
      }
      std::array<Claim, 6> known;
      bool all = true;
      for (int n = 0; n < from.count; ++n) {
        known[n] = read(from.point[n]);
        if (known[n].seed == unknown) stack.push_back(from.point[n]), all = false;
      }
      if (!all) continue;
      write(p, combine(from, known));
      for (const std::int64_t q : level) // all at once: a level may be large
        if (read(q).seed == unknown && sourcesOf(problem, u, q).count == 0) write(q, combine(from, known));
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

} // namespace

Values<std::int32_t> nearestSeeds(const SolverInput& input, std::span<const float> u,
                                  const Monitor& monitor) {
  const std::int64_t points = input.problem.grid.points();
  const std::vector<SeedPoint>& seeds = input.starts;
  const bool one = std::all_of(seeds.begin(), seeds.end(),
                               [&](const SeedPoint& s) { return s.seed == seeds.front().seed; });
  const std::int32_t reached = one ? seeds.front().seed : unknown;
  Values<std::int32_t> label(points);
#pragma omp parallel for schedule(static) num_threads(input.threads)
  for (std::int64_t p = 0; p < points; ++p) label[p] = std::isfinite(u[p]) ? reached : noSeed;
  if (one) return label;
  labelSeeds(seeds, u, label);
  Descent descent(input.problem, u, label);
  FirstException failure;
  constexpr std::int64_t part = 1 << 20; // points between two reports to the monitor
  for (std::int64_t first = 0; first < points; first += part) {
    if (!monitor.report(0.97)) return {};
    const std::int64_t end = std::min(points, first + part);
#pragma omp parallel num_threads(input.threads)
    {
      std::vector<std::int64_t> stack;
#pragma omp for schedule(dynamic, 4096)
      for (std::int64_t p = first; p < end; ++p) failure.guard([&] { label[p] = descent.seedOf(p, stack); });
    }
  }
  failure.rethrow();
  return label;
}

} // namespace isochrone::image
