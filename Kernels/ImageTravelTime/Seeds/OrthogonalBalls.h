// OrthogonalBalls.h - the seeds for source factoring on a rectilinear or spherical grid.
#pragma once

#include "ImageTravelTime/Seeds/SolverInput.h"

#include <span>
#include <vector>

namespace isochrone::image {

/// A point seed with the ball around it, in space, that contains no barrier and in which the speed differs by
/// less than a factor of two from the speed at the seed.
struct OrthogonalBall {
  Position at;         ///< grid steps
  grid::Vector3 place; ///< in space
  double startValue, slowness, radius;
};

/// Returns one ball per usable point seed, in order. Balls do not overlap.
std::vector<OrthogonalBall> orthogonalBalls(const SolverInput& input);

/// Returns the ball of the seed whose front would arrive first at uniform speed, among the balls within
/// `reach` of a place; null if there are none.
const OrthogonalBall* earliestBall(std::span<const OrthogonalBall> balls, const grid::Vector3& place,
                                   double reach);

} // namespace isochrone::image
