// Seeding.h - from seeds to the grid points where the front starts.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Scheme/Barriers.h"

#include <vector>

namespace isochrone::image {

/// A point with a value from the start.
struct SeedPoint {
  std::int64_t point;
  double value; ///< travel time
  std::int32_t seed;
};

/// Time per world length at a point that is no barrier; for problems without tensors.
double slownessAt(const Problem& problem, std::int64_t point);

/// Time along a vector in world units, with the speed or tensor of a point that is no barrier.
double timeAlong(const Problem& problem, std::int64_t point, const Position& vector);

/// Where a seed counts as lying: on a grid point if it is next to one, in the plane of an image in the plane.
Position seedPosition(const Grid& grid, const Position& at);

/// The grid points nearest to a seed that are no barriers: several if it lies in the middle between them.
std::vector<std::int64_t> nearestPoints(const Problem& problem, const Position& at);

/// The grid points of those positions that lie inside and in no barrier.
std::vector<std::int64_t> pointsOf(const Problem& problem, const std::vector<Position>& positions);

/// One per seed of the problem.
std::vector<Placement> placeSeeds(const Problem& problem);

/// The points of all usable seeds: a seed on a point gives that point its start value; one between points
/// gives the corners of its cell that it sees the time along the straight line, with the speed or tensor of
/// the corner.
std::vector<SeedPoint> seedPoints(const Problem& problem, const std::vector<Placement>& placements);

} // namespace isochrone::image
