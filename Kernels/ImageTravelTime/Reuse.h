// Reuse.h - public interface: results that need a finished travel time and its factoring balls, but no solve.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace isochrone::image {

/// Makes the result of a finished solve from its travel times: the seeds, and the seed of each point if it is
/// requested, as the solve had them. Nothing is solved.
/// @param travelTime  of the same problem; +infinity where unreached
/// @throws Error as solveImageTravelTime does, and if the values cannot be travel times from the seeds: not
/// numbers, before the first start value, in a barrier, or too late at the point that the front reaches first
Result takeTravelTime(const Problem& problem, const Options& options, Values<float> travelTime,
                      const Monitor& monitor);

/// A point seed with its factoring ball, in which u - T has no kink, with T the time along the straight line
/// from the seed: startValue + slowness * |x - at|.
struct FactoringBall {
  Position at{};
  double startValue = 0;
  double slowness =
      0;             ///< at the seed; NaN for unused seeds, and where T is not of this form (factoringBalls)
  double radius = 0; ///< world units; 0 without additive factoring
};

/// Returns the ball of each seed of a problem. The slowness is NaN with tensors, a drift, a tilted medium, a
/// rectilinear or spherical grid, and periodic axes. Collective.
std::vector<FactoringBall> factoringBalls(const Problem& problem, const Result& result);

/// Returns the gradient of the travel time as `gradient` does, but in the ball of the seed that arrives first
/// the gradient of T plus the differences of u - T. The error next to a seed is then that of the values: none
/// at constant speed.
/// @param balls  one per seed of the problem
Values<float> gradient(const Problem& problem, const Result& result, std::span<const FactoringBall> balls,
                       int threads, const Monitor& monitor = {});

/// A contour of the travel time: lines or triangles.
struct Front {
  using Piece = std::array<std::int64_t, 3>; ///< numbers of points; -1 at the end of a line
  std::vector<Position> points;
  std::vector<double> values; ///< travel time of each point, that of its contour
  std::vector<Piece> pieces;
  std::vector<std::array<std::int64_t, 2>> between; ///< of each added point, the points that it is between
};

/// Makes contours round in factoring balls, where T is known between the grid points and only u - T is
/// interpolated. Points on the edges of cells move along them to where this sum is the value of the contour.
/// Then lines and triangles are divided until their edges lie within a hundredth of the spacing from the
/// contour.
/// @param front  linear along the edges of cells and within cells
void roundFront(const Grid& grid, const std::function<double(std::int64_t)>& travelTime,
                std::span<const FactoringBall> balls, Front& front);

} // namespace isochrone::image
