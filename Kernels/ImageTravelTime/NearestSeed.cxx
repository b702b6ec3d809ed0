#include "ImageTravelTime/NearestSeed.h"

#include "ImageTravelTime/TensorUpwind.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace isochrone::image {

namespace {

constexpr std::int32_t unknown = -2, none = -1;

/// The earliest of the points beside a point (with tensors the one from which most of its value comes), if it
/// is earlier than that; else the point itself.
std::int64_t earliestNeighbour(const Problem& problem, std::span<const float> u, std::int64_t point) {
  if (hasTensors(problem)) return earlierPoint(problem, u, point);
  const Grid& g = problem.grid;
  const std::int64_t sizes[3] = {g.nx, g.ny, g.nz}, steps[3] = {1, g.nx, g.nx * g.ny};
  std::int64_t earliest = point, rest = point;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t at = rest % sizes[axis];
    rest /= sizes[axis];
    if (at > 0 && u[point - steps[axis]] < u[earliest]) earliest = point - steps[axis];
    if (at + 1 < sizes[axis] && u[point + steps[axis]] < u[earliest]) earliest = point + steps[axis];
  }
  return earliest;
}

/// Points at which a seed's own value stands; of several seeds the earliest, then the first.
void labelSeeds(std::vector<SeedPoint> seeds, std::span<const float> u, Values<std::int32_t>& label) {
  std::stable_sort(seeds.begin(), seeds.end(),
                   [](const SeedPoint& a, const SeedPoint& b) { return a.value < b.value; });
  for (const SeedPoint& seed : seeds) {
    const float rounding = 1e-6f * std::max(std::abs(u[seed.point]), float(std::abs(seed.value)));
    if (label[seed.point] == unknown && u[seed.point] >= float(seed.value) - rounding)
      label[seed.point] = seed.seed;
  }
}

} // namespace

Values<std::int32_t> nearestSeeds(const Problem& problem, const std::vector<SeedPoint>& seeds,
                                  std::span<const float> u, int threads) {
  const std::int64_t points = problem.grid.points();
  Values<std::int32_t> label(points);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t p = 0; p < points; ++p) label[p] = std::isfinite(u[p]) ? unknown : none;
  labelSeeds(seeds, u, label);
  // Each point follows the earliest neighbours until one that knows, and tells all on the way. Threads that
  // meet write the same.
#pragma omp parallel for schedule(dynamic, 4096) num_threads(threads)
  for (std::int64_t p = 0; p < points; ++p) {
    std::int64_t end = p;
    std::int32_t found = unknown;
    for (;;) {
      found = std::atomic_ref(label[end]).load(std::memory_order_relaxed);
      if (found != unknown) break;
      const std::int64_t next = earliestNeighbour(problem, u, end);
      if (next == end) break; // a seed whose value rounding has lowered
      end = next;
    }
    for (std::int64_t q = p; q != end; q = earliestNeighbour(problem, u, q))
      std::atomic_ref(label[q]).store(found == unknown ? none : found, std::memory_order_relaxed);
  }
  return label;
}

} // namespace isochrone::image
