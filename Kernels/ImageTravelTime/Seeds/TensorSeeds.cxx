#include "ImageTravelTime/Seeds/TensorSeeds.h"

#include "ImageTravelTime/Scheme/TensorStencil.h"
#include "ImageTravelTime/Scheme/ThomsenStencil.h"
#include "ImageTravelTime/Seeds/LineOfSight.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

namespace {

/// Returns the offsets of the stencils of a point.
std::vector<grid::Offset> offsetsAt(const Problem& problem, std::int64_t point) {
  std::vector<grid::Offset> offsets;
  if (isTilted(problem)) {
    for (const ThomsenPiece& piece : thomsenScheme(problem, point).pieces)
      offsets.insert(offsets.end(), piece.offset.begin(), piece.offset.begin() + piece.count);
    return offsets;
  }
  for (const TensorTerm& term : stencilAt(problem, point)) offsets.push_back(term.offset);
  return offsets;
}

/// Returns the time along a vector from a seed to a point. Averages both ends, since media vary.
double meanTime(const Problem& problem, const SeedBall& ball, std::int64_t point,
                const grid::Vector3& world) {
  if (isTilted(problem)) {
    const double there = rayAlong(ball.medium, world).time, here = timeAlong(problem, point, world);
    return std::sqrt((there * there + here * here) / 2);
  }
  const RandersMetric here = randersAt(problem, point);
  const double squares = grid::square(ball.metric, world) + grid::square(here.metric, world);
  return std::sqrt(squares / 2) + (grid::dot(ball.oneForm, world) + grid::dot(here.oneForm, world)) / 2;
}

/// Distance from the seed, in lengths of the longest offset, up to which points start with the time along the
/// straight line. Farther out, neighbours beyond the plane through the seed are used without a bound
/// (DESIGN.md).
constexpr double startReach = 1.2;

} // namespace

TensorSeeds::TensorSeeds(const SolverInput& input, double timeUnit) : grid(input.problem.grid) {
  if (input.options.factoring == SourceFactoring::Off) return;
  balls = seedBalls(input, double(edge) * std::hypot(grid.hx, grid.hy, grid.hz));
  const grid::Vector3 h = grid.spacing();
  for (const SeedBall& ball : balls) {
    metrics.push_back(grid::scaled(ball.metric, h));
    TensorBall& to = onGrid.emplace_back();
    for (int a = 0; a < 3; ++a) to.at[a] = ball.at[a] / h[a], to.length[a] = float(h[a] / h[0]);
    for (int c = 0; c < 6; ++c) to.metric[c] = float(metrics.back()[c] / (timeUnit * timeUnit));
    to.radius = float(withoutSurface * ball.radius / h[0]);
  }
  if (balls.empty()) return;
  for (std::int64_t k = 0; k < grid.nz; k += edge)
    for (std::int64_t j = 0; j < grid.ny; j += edge)
      for (std::int64_t i = 0; i < grid.nx; i += edge) ballOfBrick.push_back(ballAt({i, j, k}));
}

std::int64_t TensorSeeds::brickOf(std::int64_t point) const {
  const auto bricks = [](std::int64_t n) { return (n + edge - 1) / edge; };
  const auto [i, j, k] = grid.indices(point);
  return i / edge + bricks(grid.nx) * (j / edge + bricks(grid.ny) * (k / edge));
}

/// Returns the ball that meets a brick, or -1. The distance of the balls ensures that no brick meets two.
std::int32_t TensorSeeds::ballAt(const GridIndex& first) const {
  const grid::Vector3 h = grid.spacing();
  for (std::size_t b = 0; b < balls.size(); ++b) {
    double squared = 0;
    for (int a = 0; a < 3; ++a) {
      const double low = double(first[a]) * h[a], high = double(first[a] + edge - 1) * h[a];
      squared += std::pow(std::max({0., low - balls[b].at[a], balls[b].at[a] - high}), 2);
    }
    if (squared < balls[b].radius * balls[b].radius) return std::int32_t(b);
  }
  return -1;
}

TensorSeed TensorSeeds::seenFrom(std::int64_t point) const {
  const auto [i, j, k] = grid.indices(point);
  return onGrid[ballOf(point)].seenFrom(int(i), int(j), int(k));
}

void TensorSeeds::addNear(SolverInput& input) const {
  const Problem& problem = input.problem;
  const grid::Vector3 h = grid.spacing();
  for (std::size_t b = 0; b < balls.size(); ++b) {
    const SeedBall& ball = balls[b];
    double longest = 0; // squared, in the metric
    for (const std::int64_t point : nearestPoints(problem, problem.seeds[ball.seed].at))
      for (const grid::Offset& offset : offsetsAt(problem, point))
        longest = std::max(longest, grid::product(offset, metrics[b], offset));
    const double maximum = startReach * startReach * longest;
    const grid::Symmetric3 inverse = grid::inverse(metrics[b]);
    GridIndex low, high, at;
    GridCoordinates from;
    for (int a = 0; a < 3; ++a) { // the box around the ellipsoid
      from[a] = ball.at[a] / h[a];
      const double half = std::sqrt(maximum * inverse[a]);
      low[a] = std::max<std::int64_t>(0, std::int64_t(std::ceil(from[a] - half)));
      high[a] = std::min(grid.sizes()[a] - 1, std::int64_t(std::floor(from[a] + half)));
    }
    for (at[2] = low[2]; at[2] <= high[2]; ++at[2])
      for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
        for (at[0] = low[0]; at[0] <= high[0]; ++at[0]) {
          const GridCoordinates to = gridCoordinates(at);
          grid::Vector3 offset, world;
          for (int a = 0; a < 3; ++a) offset[a] = to[a] - from[a], world[a] = offset[a] * h[a];
          if (std::hypot(world[0], world[1], world[2]) >= withoutSurface * ball.radius) continue;
          const std::int64_t point = grid.index(at);
          if (grid::square(metrics[b], offset) > maximum || !isClear(problem, from, to)) continue;
          const double value = ball.startValue + meanTime(problem, ball, point, world);
          input.starts.push_back({point, value, ball.seed});
          input.earliest = std::min(input.earliest, value); // the corners of the seed's cell may be later
        }
  }
}

} // namespace isochrone::image
