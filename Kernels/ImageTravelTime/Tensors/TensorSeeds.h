// TensorSeeds.h - source factoring of point seeds with tensors.
#pragma once

#include "ImageTravelTime/Scheme/Tensors.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Seeds/Seeding.h"
#include "ImageTravelTime/Tensors/TensorUpdate.h"

#include <vector>

namespace isochrone::image {

class TensorSeeds {
public:
  /// Finds the balls of the seeds, if factoring is additive; otherwise none.
  TensorSeeds(const Problem& problem, const std::vector<Placement>& placements, SourceFactoring factoring,
              double timeUnit, int threads);

  std::vector<double> radii() const; ///< radii of the balls, world units

  /// Returns whether a point lies in a brick of points that a ball meets.
  bool has(std::int64_t point) const { return !ballOfBrick.empty() && ballOfBrick[brickOf(point)] >= 0; }

  /// Returns the seed whose ball meets the brick of a point, relative to the point.
  TensorSeed seenFrom(std::int64_t point) const;

  /// Adds the points next to each seed, as far as offsets of the stencil lead past the seed, with the time
  /// along the straight line.
  void addNear(const Problem& problem, std::vector<SeedPoint>& points) const;

private:
  static constexpr std::int64_t edge = 8; ///< edge length of a brick, in points
  Grid grid;
  double unit;
  std::vector<SeedBall> balls;
  std::vector<grid::Symmetric3> metrics; ///< per ball, in grid steps
  std::vector<std::int32_t> ballOfBrick; ///< per brick, -1: none; empty: no balls

  std::int64_t brickOf(std::int64_t point) const;
  std::int32_t ballAt(const std::array<std::int64_t, 3>& first) const;
};

} // namespace isochrone::image
