// BallsOfTiles.h - the point seed from which a point is factored: with additive factoring that whose ball
// contains it, with multiplicative factoring that of its tile.
#pragma once

#include "Execution/Scalar.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Sensitivity/PointShares.h"

#include <cstdint>
#include <vector>

namespace isochrone::image {

using Doubles = execution::ScalarOf<double>;

/// The balls of the solver, by tile. A tile meets one ball at most; with multiplicative factoring the balls
/// have no end, and each tile has that of the seed that arrives first at its middle.
class BallsOfTiles {
public:
  /// Finds the balls; none without factoring.
  BallsOfTiles(const SolverInput& input, const SolverUnits& units);

  const std::vector<SeedBall>& all() const { return balls; }

  TileFactoring factoring() const { return kind; }

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
  TileFactoring kind;          ///< Off: no balls
  Position spacing;            ///< world units
  std::vector<SeedBall> balls; ///< that contain a point
  std::vector<std::int32_t> ofTile;
};

} // namespace isochrone::image
