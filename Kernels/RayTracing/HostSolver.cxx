#include "RayTracing/HostSolver.h"

#include "RayTracing/EdgeWeights.h"
#include "RayTracing/Starts.h"
#include "RayTracing/Validation.h"

#include <limits>
#include <numeric>

namespace isochrone::rays {

namespace {

template <class Real>
Values<Real>& timesOf(Field& f) {
  if constexpr (sizeof(Real) == 4)
    return f.travelTime;
  else
    return f.preciseTravelTime;
}

/// Sweeps over all points, forth and back, until nothing changes.
template <class Real>
bool sweep(const EdgeWeights<Real>& edges, std::span<const Start<Real>> starts, Values<Real>& times,
           const Monitor& monitor) {
  for (auto& t : times) t = std::numeric_limits<Real>::infinity();
  for (const auto& start : starts) times[start.point] = std::min(times[start.point], start.time);
  const std::int64_t n = std::int64_t(times.size());
  for (bool changed = true, forth = true; changed; forth = !forth) {
    changed = false;
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t point = forth ? i : n - 1 - i;
      for (int o = 0; o < edges.count(); ++o) {
        const std::int64_t from = edges.neighbour(point, o);
        if (from < 0 || !(times[from] < times[point])) continue;
        const Real time = times[from] + edges.weight(point, o);
        if (time < times[point]) times[point] = time, changed = true;
      }
    }
    if (!monitor.goOn(0)) return false;
  }
  return true;
}

template <class Real>
void solve(const Problem& problem, const Options& options, const Monitor& monitor, Result& result) {
  const EdgeWeights<Real> edges(problem, options);
  std::vector<std::int32_t> all(problem.sources.size());
  std::iota(all.begin(), all.end(), 0);
  const std::span<const std::int32_t> sources(all);
  const std::size_t runs = options.separateSources ? sources.size() : 1;
  result.fields.resize(runs);
  for (std::size_t r = 0; r < runs; ++r) {
    Values<Real>& times = timesOf<Real>(result.fields[r]);
    times.resize(problem.grid.points());
    const auto starts =
        startsOf<Real>(problem, options, options.separateSources ? sources.subspan(r, 1) : sources);
    if (!sweep<Real>(edges, starts, times, monitor)) {
      result.aborted = true;
      result.fields.clear();
      return;
    }
  }
}

} // namespace

void solveOnHost(const Problem& problem, const Options& options, int, const Monitor& monitor,
                 Result& result) {
  requireHostMemory(resultBytes(problem, options), nameOf(problem, options));
  if (options.doublePrecision)
    solve<double>(problem, options, monitor, result);
  else
    solve<float>(problem, options, monitor, result);
}

} // namespace isochrone::rays
