#include "RayTracing/Host/PredecessorEdges.h"

#include "FirstException.h"
#include "RayTracing/Host/TilePlan.h"
#include "RayTracing/Host/TileWorkspace.h"

#include <algorithm>
#include <optional>

namespace isochrone::rays {

template <class Real>
Values<std::uint16_t> earlierNeighbours(const Problem& problem, const Options& options,
                                        const SlownessRange& range, std::span<const Real> times,
                                        int threads) {
  static_assert(noEarlier == noOffset);
  const TilePlan<Real> plan(problem, options, range);
  Values<std::uint16_t> numbers(times.size());
  FirstException failure;
#pragma omp parallel num_threads(std::min(threads, plan.tileCount()))
  {
    std::optional<TileWorkspace<Real>> space;
    failure.guard([&] { space.emplace(plan); });
#pragma omp for schedule(dynamic)
    for (int tile = 0; tile < plan.tileCount(); ++tile)
      failure.guard([&] { space->findEarlier(plan.tiles.indices(tile), times.data(), numbers.data()); });
  }
  failure.rethrow();
  return numbers;
}

template Values<std::uint16_t> earlierNeighbours(const Problem&, const Options&, const SlownessRange&,
                                                 std::span<const float>, int);
template Values<std::uint16_t> earlierNeighbours(const Problem&, const Options&, const SlownessRange&,
                                                 std::span<const double>, int);

} // namespace isochrone::rays
