#include "RayTracing/Seeds/Starts.h"

#include "RayTracing/Scheme/Precision.h"
#include "RayTracing/Seeds/EndpointEdges.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace isochrone::rays {

template <class Real>
std::vector<Start<Real>> startsOf(const Problem& problem, const Options& options,
                                  std::span<const std::int32_t> sources) {
  std::vector<Start<Real>> starts;
  for (const std::int32_t s : sources) {
    const Source& source = problem.sources[s];
    for (const EndpointEdge& edge : endpointEdges(problem, options.rule, *stepsTo(problem, source.at)))
      if (problem.part.owns(problem.grid.indices(edge.point)))
        starts.push_back({edge.point, Real(source.startTime + edge.time), s});
  }
  const auto times = startTimesOf<Real>(problem);
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::isfinite(times[i]) && isOpen(problem, options.rule, std::int64_t(i)) &&
        problem.part.owns(problem.grid.indices(std::int64_t(i))))
      starts.push_back({std::int64_t(i), times[i], -1});
  return starts;
}
template std::vector<Start<float>> startsOf(const Problem&, const Options&, std::span<const std::int32_t>);
template std::vector<Start<double>> startsOf(const Problem&, const Options&, std::span<const std::int32_t>);

std::vector<std::vector<std::int32_t>> runsOf(const Problem& problem, const Options& options) {
  std::vector<std::int32_t> all(problem.sources.size());
  std::iota(all.begin(), all.end(), 0);
  if (!options.separateSources) return {all};
  const std::size_t distinct =
      problem.distinctSources > 0 ? std::size_t(problem.distinctSources) : all.size();
  const std::vector<std::int32_t>& field = options.fieldOfSource;
  const std::size_t fields = field.empty() ? distinct : std::size_t(*std::ranges::max_element(field) + 1);
  std::vector<std::vector<std::int32_t>> runs(fields);
  for (std::size_t s = 0; s < all.size(); ++s)
    runs[field.empty() ? s % distinct : std::size_t(field[s % distinct])].push_back(all[s]);
  return runs;
}

} // namespace isochrone::rays
