// OrthogonalSeeds.h - the seeds that the nodes of the tiles of a rectilinear or spherical grid are factored
// with.
#pragma once

#include "ImageTravelTime/Scheme/OrthogonalAxes.h"
#include "ImageTravelTime/Scheme/SolverUnits.h"
#include "ImageTravelTime/Scheme/Tiling.h"
#include "ImageTravelTime/Seeds/OrthogonalBalls.h"

#include <cstdint>
#include <vector>

namespace isochrone::image {

class OrthogonalSeeds {
public:
  /// @param axes  lives longer
  OrthogonalSeeds(const SolverInput& input, const SolverUnits& units, const OrthogonalAxes& axes,
                  const Tiling& tiling);

  /// Returns whether nodes of a tile are factored.
  bool has(int tile) const { return !ballOfTile.empty() && ballOfTile[std::size_t(tile)] >= 0; }
  const std::vector<double>& radii() const { return ballRadii; } ///< Result::ballRadius
  /// Returns the seed of a tile; zeros if it has none.
  OrthogonalSeed<execution::Scalar> seed(int tile) const;
  /// Returns the place of an index of an axis relative to the seed of a tile.
  AxisFromSeed<execution::Scalar> fromSeed(int tile, int axis, std::int64_t index) const;

  std::size_t bytes() const;

private:
  const grid::OrthogonalGrid& grid;
  const OrthogonalAxes& axes;
  double unit;         ///< length
  double slownessUnit; ///< from world units
  std::vector<OrthogonalBall> balls;
  std::vector<double> ballRadii;
  std::vector<std::int32_t> ballOfTile; ///< -1: none; empty without factoring

  const OrthogonalBall* ballOf(int tile) const {
    return has(tile) ? &balls[std::size_t(ballOfTile[std::size_t(tile)])] : nullptr;
  }
  const OrthogonalBall* ballNear(const grid::Box& box) const;
};

} // namespace isochrone::image
