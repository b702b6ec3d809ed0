// PathTrace.h - the descent of the travel time from a tip to a seed.
#pragma once

#include "ImageTravelTime/Paths/PathField.h"
#include "ImageTravelTime/Paths/PathSeeds.h"

#include <optional>
#include <vector>

namespace isochrone::image {

/// A point of a path.
struct PathSample {
  GridCoordinates at;
  double value; ///< travel time
};

struct PathTrace {
  std::vector<PathSample> samples;     ///< from the tip to the seed
  std::optional<PathSeeds::Seed> seed; ///< nothing: no seed was reached, and `samples` is empty
};

/// Steps down the flow. If a step would touch a barrier or not descend, steps to the earliest corner in sight
/// instead, and on to the neighbour to which the travel time falls most steeply. The travel time therefore
/// falls from each position to the next, and the descent ends at a seed.
/// @param tip  in grid steps, in the cell of a reached point; may lie half a step beyond the border
PathTrace traceDown(const PathField& field, const PathSeeds& seeds, const GridCoordinates& tip);

} // namespace isochrone::image
