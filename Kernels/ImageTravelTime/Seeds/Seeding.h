// Seeding.h - the grid points where the front starts.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <vector>

namespace isochrone::image {

/// A point with a start value.
struct SeedPoint {
  std::int64_t point;
  double value; ///< travel time
  std::int32_t seed;
};

/// Returns the position that represents a seed: on a grid point if the seed is next to one, and in the plane
/// if the image is.
Position seedPosition(const Grid& grid, const Position& at);

/// Returns the grid points nearest to a seed that are not barriers: several if it lies midway between them.
std::vector<std::int64_t> nearestPoints(const Problem& problem, const Position& at);

/// Returns one placement per seed of the problem.
std::vector<Placement> placeSeeds(const Problem& problem);

/// Returns the start points of the usable point seeds. A seed on a point gives that point its start value. A
/// seed between points gives the corners of its cell in sight the start value plus the time along the
/// straight line, with the speed or tensor of the corner.
std::vector<SeedPoint> startsOfPointSeeds(const Problem& problem, const std::vector<Placement>& placements);

/// Returns the start points of all usable seeds: those of the point seeds, then those of the regions.
std::vector<SeedPoint> startsOfSeeds(const Problem& problem, const std::vector<Placement>& placements);

/// Returns the earliest start of each point that has one, by point. Of equal ones it is the first.
std::vector<SeedPoint> earliestStarts(std::vector<SeedPoint> starts);

} // namespace isochrone::image
