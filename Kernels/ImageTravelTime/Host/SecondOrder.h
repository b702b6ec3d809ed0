// SecondOrder.h - travel times of second order from those of first order.
#pragma once

#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Seeds/Seeding.h"

#include <span>

namespace isochrone::image {

/// Replaces first order travel times by the solution with one-sided differences over three points, point
/// after point in the order of the first order times, which also say the side of each axis. Where only one
/// point of a side is earlier, that axis stays at first order. The points of seeds keep their values.
/// @return false if the monitor said stop
bool refineToSecondOrder(const Problem& problem, const std::vector<SeedPoint>& seeds,
                         const std::vector<SeedBall>& balls, SourceFactoring factoring, int threads,
                         const Monitor& monitor, std::span<float> travelTime);

} // namespace isochrone::image
