#include "ImageTravelTime/Seeds/ThomsenSeeds.h"

#include "Backend.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

ThomsenSeeds::ThomsenSeeds(const SolverInput& input, const TensorSeeds& of, const std::array<int, 3>& reach,
                           double timeUnit)
    : grid(input.problem.grid), seeds(of) {
  if (!isTilted(input.problem)) return;
  const Position h = grid.spacing();
  std::int64_t count = 0;
  std::vector<GridIndex> sizes;
  for (const SeedBall& ball : seeds.ballsInWorld()) {
    ThomsenBall& to = ofBall.emplace_back();
    GridIndex& size = sizes.emplace_back();
    for (int a = 0; a < 3; ++a) { // bricks that meet the ball, and the stencils of their points
      const double margin = ball.radius / h[a] + double(TensorSeeds::edge) + reach[a], at = ball.at[a] / h[a];
      const auto last = double(grid.sizes()[a] - 1);
      to.low[a] = std::int64_t(std::floor(std::clamp(at - margin, 0., last)));
      size[a] = std::int64_t(std::ceil(std::clamp(at + margin, 0., last))) + 1 - to.low[a];
    }
    if (ball.radius == 0) size = {0, 0, 0};
    to.step[0] = 1, to.step[1] = size[0], to.step[2] = size[0] * size[1];
    to.first = count;
    count += size[0] * size[1] * size[2];
  }
  requireHostMemory(std::size_t(count) * sizeof(ThomsenArrival), "the arrivals of factored seeds");
  arrival.resize(std::size_t(count));
  for (std::size_t b = 0; b < ofBall.size(); ++b) {
    const SeedBall& ball = seeds.ballsInWorld()[b];
    const ThomsenBall& box = ofBall[b];
    const GridIndex& size = sizes[b];
    input.pool.forEach(size[1] * size[2], [&](std::int64_t row) {
      const std::int64_t j = row % size[1], k = row / size[1];
      for (std::int64_t i = 0; i < size[0]; ++i) {
        const GridIndex at{box.low[0] + i, box.low[1] + j, box.low[2] + k};
        grid::Vector3 vector;
        for (int a = 0; a < 3; ++a) vector[a] = double(at[a]) * h[a] - ball.at[a];
        const ThomsenRay ray = rayAlong(ball.medium, vector);
        ThomsenArrival& to = arrival[std::size_t(box.first + row * size[0] + i)];
        to.time = ray.time / timeUnit;
        for (int a = 0; a < 3; ++a) to.slowness[a] = float(ray.slowness[a] * h[a] / timeUnit);
      }
    });
  }
}

ThomsenSeed ThomsenSeeds::seenFrom(std::int64_t point) const {
  const auto [i, j, k] = grid.indices(point);
  const ThomsenBall& box = ofBall[std::size_t(seeds.ballOf(point))];
  return box.seenFrom(i, j, k, seeds.seenFrom(point), arrival.data());
}

} // namespace isochrone::image
