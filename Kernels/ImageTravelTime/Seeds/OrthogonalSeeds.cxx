#include "ImageTravelTime/Seeds/OrthogonalSeeds.h"

#include "Bytes.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

OrthogonalSeeds::OrthogonalSeeds(const SolverInput& input, const SolverUnits& units,
                                 const OrthogonalAxes& axesOfGrid, const Tiling& tiling)
    : grid(*input.problem.orthogonal), axes(axesOfGrid), unit(units.length),
      slownessUnit(units.length / units.time) {
  if (input.options.factoring == SourceFactoring::Off) return;
  balls = orthogonalBalls(input);
  for (const OrthogonalBall& ball : balls) ballRadii.push_back(ball.radius);
  ballOfTile.assign(std::size_t(tiling.count()), -1);
  input.pool.forEach(tiling.count(), [&](std::int64_t tile) {
    if (const OrthogonalBall* ball = ballNear(tiling.boxOf(int(tile))))
      ballOfTile[std::size_t(tile)] = std::int32_t(ball - balls.data());
  });
}

/// Returns the ball for the nodes of a tile; null if none is near.
const OrthogonalBall* OrthogonalSeeds::ballNear(const grid::Box& box) const {
  GridIndex last;
  Position middle;
  double reach = 0; // no node of the tile lies farther from its middle
  for (std::size_t a = 0; a < 3; ++a) {
    last[a] = std::min(box.high[a], grid.size(int(a))) - 1;
    middle[a] = std::floor(double(box.low[a] + last[a]) / 2);
  }
  for (std::size_t a = 0; a < 3; ++a) {
    const auto value = [&](double step) { return grid.coordinate(int(a), step); };
    const double here = value(middle[a]);
    double factor = 1;
    if (axes.isAngle(int(a))) {
      const int r = axes.axisOf()[ofRadius];
      factor = grid.coordinate(r, double(last[std::size_t(r)]));
    }
    reach += factor * std::max(value(double(last[a])) - here, here - value(double(box.low[a])));
  }
  return earliestBall(balls, grid.embedded(middle), reach);
}

OrthogonalSeed<execution::Scalar> OrthogonalSeeds::seed(int tile) const {
  const OrthogonalBall* ball = ballOf(tile);
  if (!ball) return {0, 0, 0, 0};
  OrthogonalSeed<execution::Scalar> seed{float(ball->slowness * slownessUnit),
                                         float(withoutSurface * ball->radius / unit), 0, 0};
  if (!axes.isCurved()) return seed;
  const auto coordinate = [&](int axis) { return grid.coordinate(axis, ball->at[std::size_t(axis)]); };
  seed.radius = float(coordinate(axes.axisOf()[ofRadius]) / unit);
  seed.sine = float(std::sin(coordinate(axes.axisOf()[ofColatitude])));
  return seed;
}

AxisFromSeed<execution::Scalar> OrthogonalSeeds::fromSeed(int tile, int axis, std::int64_t index) const {
  const OrthogonalBall* ball = ballOf(tile);
  if (!ball) return {axes.isAngle(axis) ? 0.f : 1.f, 0};
  const double value = axes[axis].coordinate[std::size_t(index)],
               seed = grid.coordinate(axis, ball->at[std::size_t(axis)]);
  if (!axes.isAngle(axis)) return {float(value - seed / unit), 0};
  return {float(std::sin(value - seed)), float(versineOf(value - seed))};
}

std::size_t OrthogonalSeeds::bytes() const { return bytesOf(ballOfTile); }

} // namespace isochrone::image
