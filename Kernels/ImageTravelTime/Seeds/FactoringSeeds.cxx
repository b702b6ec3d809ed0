#include "ImageTravelTime/Seeds/FactoringSeeds.h"

#include "ImageTravelTime/Seeds/FactoringBalls.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

FactoringSeeds::FactoringSeeds(const SolverInput& input)
    : spacing(input.problem.grid.spacing()), factoring(input.options.factoring) {
  if (factoring == SourceFactoring::Off) return;
  for (const SeedBall& ball : seedBalls(input, 0)) {
    if (factoring == SourceFactoring::Additive && isEmpty(ball)) continue;
    const double s = ball.slowness * ball.slowness;
    const grid::Symmetric3 metric = hasTensors(input.problem) ? ball.metric : grid::Symmetric3{s, s, s};
    Seed seed{{{}, grid::scaled(metric, spacing), ball.startValue, ball.seed},
              std::pow(withoutSurface * ball.radius, 2)};
    for (int a = 0; a < 3; ++a) seed.at[a] = ball.at[a] / spacing[a];
    seeds.push_back(seed);
  }
}

FactoredQuantity FactoringSeeds::at(const GridIndex& point) const {
  const grid::Vector3 x{double(point[0]), double(point[1]), double(point[2])};
  const Seed* earliest = nullptr;
  double minimum = 0;
  for (const Seed& seed : seeds)
    if (const double arrival = seed.startValue + seed.time(x); !earliest || arrival < minimum)
      earliest = &seed, minimum = arrival;
  if (earliest && factoring == SourceFactoring::Additive) {
    double squared = 0;
    for (int a = 0; a < 3; ++a) squared += std::pow((x[a] - earliest->at[a]) * spacing[a], 2);
    if (squared >= earliest->squaredRadius) earliest = nullptr;
  }
  return {earliest, earliest ? factoring : SourceFactoring::Off, x};
}

} // namespace isochrone::image
