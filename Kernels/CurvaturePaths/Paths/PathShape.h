// PathShape.h - from a raw trace on the grid to the path that is returned.
#pragma once

#include "CurvaturePaths/Paths/PathTrace.h"
#include "Paths/Path.h"

#include <cstddef>
#include <vector>

namespace isochrone::curvature {

/// Curvature and gear are differences over this many points to either side, a little over one grid step.
constexpr std::ptrdiff_t curvatureWindow = 4;

/// A turn within less than this share of a grid step counts as one over this length: the scheme lets models
/// turn on the spot that cannot, at a finite price, where the border or a wall leaves no room.
constexpr double leastRun = 0.5;

/// Moves the ends of a polyline to `first` and `last`, its neighbourhood along with them so that no kink
/// appears, then evens out the spacing of its points and their jitter. Segments stay free of walls and inside
/// the grid. Where a wall is in the way of moving an end, the end stays where it is.
std::vector<Sample> shapePath(const Flow& flow, std::vector<Sample> samples, const Sample& first,
                              const Sample& last);

/// Converts to world units and adds heading, gear, curvature, length, energy and travel time.
/// @param startTime, endTime  travel times at the two ends
Path describePath(const Flow& flow, const std::vector<Sample>& samples, double startTime, double endTime);

} // namespace isochrone::curvature
