#include "ImageTravelTime/Seeds/FactoringSeeds.h"

#include "ImageTravelTime/Seeds/FactoringBalls.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

FactoringSeeds::FactoringSeeds(const SolverInput& input)
    : spacing(input.problem.grid.spacing()), factoring(input.options.factoring) {
  if (factoring == SourceFactoring::Off) return;
  for (const SeedBall& found : seedBalls(input, 0)) {
    if (factoring == SourceFactoring::Additive && isEmpty(found)) continue;
    const double s = found.slowness * found.slowness;
    const grid::Symmetric3 metric = hasTensors(input.problem) ? found.metric : grid::Symmetric3{s, s, s};
    RefinementBall ball{};
    for (int a = 0; a < 3; ++a) ball.at[a] = found.at[a] / spacing[a];
    std::ranges::copy(grid::scaled(metric, spacing), ball.metric);
    ball.startValue = found.startValue, ball.number = found.seed;
    ball.squaredRadius = std::pow(withoutSurface * found.radius, 2);
    balls.push_back(ball);
  }
}

FactoringView FactoringSeeds::view() const {
  return {balls.data(), int(balls.size()), factoring, {spacing[0], spacing[1], spacing[2]}};
}

} // namespace isochrone::image
