#include "RayTracing/Seeds/Starts.h"

#include "RayTracing/Scheme/EdgeWeights.h"
#include "RayTracing/Seeds/EndpointEdges.h"

#include <cmath>

namespace isochrone::rays {

template <class Real>
std::vector<Start<Real>> startsOf(const Problem& problem, const Options& options,
                                  std::span<const std::int32_t> sources) {
  std::vector<Start<Real>> starts;
  for (const std::int32_t s : sources) {
    const Source& source = problem.sources[s];
    for (const Approach& way : approaches(problem, options.rule, *stepsTo(problem.grid, source.at)))
      starts.push_back({way.point, Real(source.startTime + way.time), s});
  }
  const auto times = startTimesOf<Real>(problem);
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::isfinite(times[i]) && isOpen(problem, options.rule, std::int64_t(i)))
      starts.push_back({std::int64_t(i), times[i], -1});
  return starts;
}
template std::vector<Start<float>> startsOf(const Problem&, const Options&, std::span<const std::int32_t>);
template std::vector<Start<double>> startsOf(const Problem&, const Options&, std::span<const std::int32_t>);

} // namespace isochrone::rays
