// PlanarReduction.cxx - the least travel time over headings, its heading and its seed, one way or for round
// trips.
#include "CurvaturePaths/Flow.h"
#include "CurvaturePaths/RoundTrip.h"

#include <atomic>
#include <cmath>
#include <limits>

namespace isochrone::curvature {

namespace {

/// Which seed the strongest edges lead to, state by state. Ways that meet go on together, so every state is
/// visited about once, and threads that meet write the same answer.
class SeedLabels {
public:
  explicit SeedLabels(const Flow& f) : flow(f) {
    const std::vector<std::int32_t> live = flow.liveSeeds();
    if (live.size() == 1)
      only = live[0];
    else
      labels.assign(flow.grid().points(), unknown);
  }

  /// @param way  scratch memory
  std::int32_t at(GridState q, std::vector<std::int64_t>& way) {
    if (labels.empty()) return only;
    way.clear();
    std::int32_t label;
    while ((label = std::atomic_ref(labels[flow.index(q)]).load(std::memory_order_relaxed)) == unknown) {
      way.push_back(flow.index(q));
      label = flow.seedAt(q);
      if (label >= 0) break;
      const Flow::Descent descent = flow.at(q);
      const int e = descent.dominant();
      if (e < 0) break; // no way on: the travel time is no solution here
      const Offset& o = descent.edges[e].offset;
      q = {q.i + o[0], q.j + o[1], q.k + o[2]};
    }
    for (const std::int64_t state : way)
      std::atomic_ref(labels[state]).store(label, std::memory_order_relaxed);
    return label;
  }

private:
  static constexpr std::int32_t unknown = -2;
  const Flow& flow;
  std::int32_t only = -1;
  std::vector<std::int32_t> labels; ///< -1: leads nowhere; empty where only one seed starts
};

/// @param timeAt  a total at (i, j, k)
template <class TimeAt>
PlanarResult reduce(const Flow& flow, int threads, TimeAt&& timeAt) {
  const StateGrid& g = flow.grid();
  SeedLabels labels(flow);
  PlanarResult plane;
  plane.travelTime.assign(g.planePoints(), std::numeric_limits<float>::infinity());
  plane.heading.assign(g.planePoints(), 0);
  plane.seed.assign(g.planePoints(), -1);

#pragma omp parallel num_threads(chooseThreads(threads))
  {
    std::vector<std::int64_t> way;
#pragma omp for schedule(dynamic)
    for (std::int64_t j = 0; j < g.ny; ++j) {
      const std::int64_t row = g.nx * j;
      for (int k = 0; k < g.headings; ++k) // plane by plane, to read memory in order
        for (std::int64_t i = 0; i < g.nx; ++i) {
          const float u = timeAt(i, j, k);
          if (!(u < plane.travelTime[row + i])) continue;
          plane.travelTime[row + i] = u;
          plane.heading[row + i] = float(k * g.headingStep());
        }
      for (std::int64_t i = 0; i < g.nx; ++i)
        if (std::isfinite(plane.travelTime[row + i]))
          plane.seed[row + i] =
              labels.at({i, j, int(std::lround(plane.heading[row + i] / g.headingStep()))}, way);
    }
  }
  return plane;
}

} // namespace

PlanarResult reduceToPlane(const Problem& problem, const Solution& solution, int threads) {
  const Flow flow(problem, solution);
  return reduce(flow, threads, [&](std::int64_t i, std::int64_t j, int k) { return flow.value({i, j, k}); });
}

PlanarResult reduceToPlane(const Problem& problem, const RoundTrip& trip, int threads) {
  const RoundTripTimes times(problem, trip);
  return reduce(Flow(problem, trip.out), threads,
                [&](std::int64_t i, std::int64_t j, int k) { return times.at(i, j, k); });
}

} // namespace isochrone::curvature
