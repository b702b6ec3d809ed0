#include "ImageTravelTime/Sensitivity/BallsOfTiles.h"

#include <cmath>
#include <limits>

namespace isochrone::image {

BallsOfTiles::BallsOfTiles(const SolverInput& input, const SolverUnits& solverUnits)
    : tiling(input.problem, tileShape(input.problem.grid)), units(solverUnits), earliest(input.earliest),
      kind(TileFactoring::Off), spacing(input.problem.grid.spacing()) {
  if (input.options.factoring == SourceFactoring::Off) return;
  const bool additive = input.options.factoring == SourceFactoring::Additive;
  Position size; // of a tile, from its first node to its last
  for (int a = 0; a < 3; ++a) size[a] = (tiling.shape[a] - 1) * spacing[a];
  const double diagonal = std::hypot(size[0], size[1], size[2]);
  balls = seedBalls(input, diagonal);
  if (additive) std::erase_if(balls, isEmpty);
  if (balls.empty()) return;
  kind = additive ? TileFactoring::Additive : TileFactoring::Multiplicative;
  const double reach = additive ? diagonal / 2 : std::numeric_limits<double>::infinity();
  ofTile.assign(std::size_t(tiling.count()), -1);
  input.pool.forEach(tiling.count(), [&](std::int64_t tile) {
    const grid::Box box = tiling.boxOf(int(tile));
    Position middle;
    for (int a = 0; a < 3; ++a) middle[a] = double(box.low[a]) * spacing[a] + size[a] / 2;
    if (const SeedBall* ball = earliestBall(balls, middle, reach))
      ofTile[std::size_t(tile)] = std::int32_t(ball - balls.data());
  });
}

int BallsOfTiles::ballAt(const GridIndex& point) const {
  if (ofTile.empty()) return -1;
  const int ball = ofTile[std::size_t(tiling.tileOf(point))];
  if (ball < 0 || kind == TileFactoring::Multiplicative) return ball;
  const SeedBall& b = balls[std::size_t(ball)];
  double squared = 0;
  for (int a = 0; a < 3; ++a) {
    const double away = double(point[a]) * spacing[a] - b.at[a];
    squared += away * away;
  }
  return std::sqrt(squared) < withoutSurface * b.radius ? ball : -1;
}

BallSeed BallsOfTiles::seedFrom(int ball, const GridIndex& point) const {
  const SeedBall& b = balls[std::size_t(ball)];
  BallSeed seed{};
  for (int a = 0; a < 3; ++a) {
    double at = b.at[a] / spacing[a];
    if (std::abs(at - std::round(at)) < 1e-9) at = std::round(at); // else it lies beside its own plane
    seed.away[a] = double(point[a]) - at;
    seed.unitStep[a] =
        double(units.spacing.step[a]); // so that the neighbour of a seed on a point is at the seed
  }
  seed.slowness = b.slowness * units.length / units.time;
  seed.startValue = (b.startValue - earliest) / units.time;
  seed.radius = withoutSurface * b.radius / units.length;
  seed.lengthPerRemainder = units.length / seed.slowness;
  return seed;
}

} // namespace isochrone::image
