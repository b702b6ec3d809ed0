#include "ImageTravelTime/Seeds/SecondOrderScheme.h"

#include <cmath>

namespace isochrone::image {

SecondOrderScheme::SecondOrderScheme(const SolverInput& input, std::span<const float> firstOrder)
    : problem(input.problem), seeds(input), first(firstOrder.begin(), firstOrder.end()) {
  for (const SeedPoint& seed : input.starts)
    if (std::abs(firstOrder[seed.point] - float(seed.value)) <= 1e-6f * std::abs(firstOrder[seed.point]))
      first[seed.point] = -std::numeric_limits<float>::infinity();
}

SecondOrderView SecondOrderScheme::view(std::span<const float> value) const {
  const Position h = problem.grid.spacing();
  const GridIndex sizes = problem.grid.sizes();
  return {first.data(),
          value.data(),
          problem.speed.empty() ? nullptr : problem.speed.data(),
          problem.constantSpeed,
          problem.speedType == SpeedType::Slowness,
          {h[0], h[1], h[2]},
          {sizes[0], sizes[1]},
          seeds.view(),
          UpstreamNeighbours(problem.grid, first.data())};
}

} // namespace isochrone::image
