// BallsOfTiles.h - the point seed whose ball contains a point, for additive factoring.
#pragma once

#include "Execution/Scalar.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Sensitivity/PointShares.h"

#include <cstdint>
#include <vector>

namespace isochrone::image {

using Doubles = execution::ScalarOf<double>;

/// The balls of the solver, by tile. A tile meets one ball at most.
class BallsOfTiles {
public:
  /// Finds the balls; none unless Options::factoring is Additive.
  BallsOfTiles(const SolverInput& input, const SolverUnits& units);

  const std::vector<SeedBall>& all() const { return balls; }

  /// Returns the number of the ball that a tile meets; -1: none.
  int ballOf(int tile) const { return ofTile.empty() ? -1 : ofTile[std::size_t(tile)]; }

  /// Returns the number of the ball that contains a point; -1: none.
  int ballAt(const GridIndex& point) const;

  /// Returns the seed of a ball, relative to a point.
  BallSeed seedFrom(int ball, const GridIndex& point) const;

  /// Returns a point relative to the seed of a ball, in the solver's units.
  FromSeed<Doubles> relative(int ball, const GridIndex& point, double slowness) const {
    const BallSeed seed = seedFrom(ball, point);
    return fromSeed<Doubles>(seed, seed.away, slowness);
  }

private:
  Tiling tiling;
  SolverUnits units;
  double earliest;
  Position spacing;            ///< world units
  std::vector<SeedBall> balls; ///< that contain a point
  std::vector<std::int32_t> ofTile;
};

} // namespace isochrone::image
