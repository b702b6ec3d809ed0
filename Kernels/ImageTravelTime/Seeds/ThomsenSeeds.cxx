#include "ImageTravelTime/Seeds/ThomsenSeeds.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

ThomsenSeeds::ThomsenSeeds(const SolverInput& input, const TensorSeeds& of, const std::array<int, 3>& reach,
                           double timeUnit)
    : grid(input.problem.grid), seeds(of) {
  if (!isTilted(input.problem)) return;
  const Position h = grid.spacing();
  for (const SeedBall& ball : seeds.ballsInWorld()) {
    Arrivals& to = ofBall.emplace_back();
    for (int a = 0; a < 3; ++a) { // bricks that meet the ball, and the stencils of their points
      const double margin = ball.radius / h[a] + double(TensorSeeds::edge) + reach[a], at = ball.at[a] / h[a];
      const auto last = double(grid.sizes()[a] - 1);
      to.low[a] = std::int64_t(std::floor(std::clamp(at - margin, 0., last)));
      to.size[a] = std::int64_t(std::ceil(std::clamp(at + margin, 0., last))) + 1 - to.low[a];
    }
    if (ball.radius == 0) to.size = {0, 0, 0};
    to.at.resize(std::size_t(to.size[0] * to.size[1] * to.size[2]));
    input.pool.forEach(to.size[1] * to.size[2], [&](std::int64_t row) {
      const std::int64_t j = row % to.size[1], k = row / to.size[1];
      for (std::int64_t i = 0; i < to.size[0]; ++i) {
        const GridIndex at{to.low[0] + i, to.low[1] + j, to.low[2] + k};
        grid::Vector3 vector;
        for (int a = 0; a < 3; ++a) vector[a] = double(at[a]) * h[a] - ball.at[a];
        const ThomsenRay ray = rayAlong(ball.medium, vector);
        ThomsenArrival& arrival = to.at[std::size_t(row * to.size[0] + i)];
        arrival.time = ray.time / timeUnit;
        for (int a = 0; a < 3; ++a) arrival.slowness[a] = float(ray.slowness[a] * h[a] / timeUnit);
      }
    });
  }
}

ThomsenSeed ThomsenSeeds::seenFrom(std::int64_t point) const {
  const Arrivals& of = ofBall[std::size_t(seeds.ballOf(point))];
  const auto [i, j, k] = grid.indices(point);
  const std::int64_t step[3] = {1, of.size[0], of.size[0] * of.size[1]};
  const std::int64_t at = (i - of.low[0]) * step[0] + (j - of.low[1]) * step[1] + (k - of.low[2]) * step[2];
  return {seeds.seenFrom(point), of.at.data() + at, {step[0], step[1], step[2]}};
}

std::size_t ThomsenSeeds::bytes() const {
  std::size_t sum = 0;
  for (const Arrivals& arrivals : ofBall) sum += bytesOf(arrivals.at);
  return sum;
}

} // namespace isochrone::image
