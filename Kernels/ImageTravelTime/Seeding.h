// Seeding.h - from seeds to the grid points where the front starts.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <vector>

namespace isochrone::image {

/// A point with a value from the start.
struct SeedPoint {
  std::int64_t point;
  double value; ///< travel time
  std::int32_t seed;
};

/// Whether nothing passes through a point.
bool isBarrier(const Problem& problem, std::int64_t point);

/// Time per world length at a point that is no barrier.
double slownessAt(const Problem& problem, std::int64_t point);

/// One per seed of the problem.
std::vector<Placement> placeSeeds(const Problem& problem);

/// The points of all usable seeds: a seed on a point gives that point its start value; one between points
/// gives the corners of its cell that it sees the time along the straight line, with the speed of the corner.
std::vector<SeedPoint> seedPoints(const Problem& problem, const std::vector<Placement>& placements);

} // namespace isochrone::image
