#include "RayTracing/Host/PredecessorEdges.h"

#include "RayTracing/Host/TileWorkspace.h"

#include <optional>
#include <vector>

namespace isochrone::rays {

template <class Real>
Values<std::uint16_t> earlierNeighbours(const TilePlan<Real>& plan, std::span<const Real> times,
                                        execution::RoundPool& pool) {
  static_assert(noEarlier == noOffset);
  Values<std::uint16_t> numbers(times.size());
  std::vector<std::optional<TileWorkspace<Real>>> spaces(std::size_t(pool.size()));
  pool.forRanges(plan.tileCount(), [&](std::int64_t begin, std::int64_t end, int thread) {
    std::optional<TileWorkspace<Real>>& space = spaces[std::size_t(thread)];
    if (!space) space.emplace(plan);
    for (std::int64_t tile = begin; tile < end; ++tile)
      space->findEarlier(plan.tiles.indices(tile), times.data(), numbers.data());
  });
  return numbers;
}

template Values<std::uint16_t> earlierNeighbours(const TilePlan<float>&, std::span<const float>,
                                                 execution::RoundPool&);
template Values<std::uint16_t> earlierNeighbours(const TilePlan<double>&, std::span<const double>,
                                                 execution::RoundPool&);

} // namespace isochrone::rays
