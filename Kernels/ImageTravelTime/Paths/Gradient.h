// Gradient.h - the differences of the upwind scheme.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <array>
#include <span>

namespace isochrone::image {

/// The earlier of the two neighbours of a point on each axis.
struct Upwind {
  std::array<double, 3> value; ///< travel time, +infinity where both are barriers, unreached or outside
  std::array<int, 3> side;     ///< -1 or 1, the side on which it lies
};

Upwind upwindNeighbours(const Grid& grid, std::span<const float> travelTime, std::int64_t point);

/// Returns the gradient of the travel time at a point, from its earlier neighbours; 0 where unreached.
std::array<double, 3> upwindGradient(const Problem& problem, std::span<const float> travelTime,
                                     std::int64_t point);

/// Returns whether a point is earlier than all points that its value may come from.
bool isLowest(const Problem& problem, std::span<const float> travelTime, std::int64_t point);

/// @throws Error unless the travel time has one value per point
void requireTravelTime(const Grid& grid, std::span<const float> travelTime);

} // namespace isochrone::image
