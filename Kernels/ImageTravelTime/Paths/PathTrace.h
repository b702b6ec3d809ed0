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
  double time;  ///< that the straight line from the sample before takes
};

struct PathTrace {
  /// From the tip to the seed. If no seed is reached, empty or, in a part of an image, up to a sample in
  /// another part.
  std::vector<PathSample> samples;
  std::optional<PathSeeds::Seed> seed;
};

/// Returns the grid point nearest to a position.
GridIndex nearestTo(const GridCoordinates& q);

/// Returns the start of a trace.
/// @param tip  in grid steps, in the cell of a reached point; may lie half a step beyond the border
PathTrace startAt(const PathField& field, const GridCoordinates& tip);

/// Continues a trace. Steps down the flow. If a step would touch a barrier or not descend, steps to the
/// earliest corner in sight instead, and on to the neighbour to which the travel time falls most steeply. The
/// travel time therefore falls from each position to the next, and the descent ends at a seed.
void traceDown(const PathField& field, const PathSeeds& seeds, PathTrace& trace);

} // namespace isochrone::image
