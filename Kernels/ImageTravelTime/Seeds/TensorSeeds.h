// TensorSeeds.h - source factoring of point seeds with tensors.
#pragma once

#include "ImageTravelTime/Scheme/TensorFactoring.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"

#include <span>
#include <vector>

namespace isochrone::image {

class TensorSeeds {
public:
  /// Finds the balls of the seeds, unless factoring is off. Multiplicative factoring starts from times with
  /// additive factoring.
  TensorSeeds(const SolverInput& input, double timeUnit);

  std::vector<double> radii() const { return radiiOf(balls); }

  bool any() const { return !balls.empty(); }

  /// Returns whether a point lies in a brick of points that a ball meets.
  bool has(std::int64_t point) const { return !ballOfBrick.empty() && ballOfBrick[brickOf(point)] >= 0; }

  /// Returns the seed whose ball meets the brick of a point, relative to the point.
  TensorSeed seenFrom(std::int64_t point) const;

  /// Adds to the starts the points next to each seed, as far as offsets of the stencil lead past the seed,
  /// with the time along the straight line. These may be earlier than the starts before: lowers
  /// SolverInput::earliest.
  void addNear(SolverInput& input) const;

  /// Edge length of a brick, in points.
  static constexpr std::int64_t edge = 8;

  /// Returns the number of the ball that meets the brick of a point.
  std::int32_t ballOf(std::int64_t point) const { return ballOfBrick[brickOf(point)]; }
  std::span<const SeedBall> ballsInWorld() const { return balls; }
  std::span<const TensorBall> ballsOnGrid() const { return onGrid; }
  /// Returns per brick, x fastest, the number of its ball in ballsOnGrid(), -1 without one; empty: no balls.
  std::span<const std::int32_t> bricks() const { return ballOfBrick; }

private:
  Grid grid;
  std::vector<SeedBall> balls;
  std::vector<TensorBall> onGrid;
  std::vector<grid::Symmetric3> metrics; ///< per ball, in grid steps
  std::vector<std::int32_t> ballOfBrick; ///< per brick, -1: none; empty: no balls

  std::int64_t brickOf(std::int64_t point) const;
  std::int32_t ballAt(const GridIndex& first) const;
};

} // namespace isochrone::image
