// PathShape.h - converts a raw trace on the grid to the returned path.
#pragma once

#include "CurvaturePaths/Paths/PathTrace.h"
#include "Paths/Path.h"

#include <cstddef>
#include <vector>

namespace isochrone::curvature {

/// Curvature and gear are differences over this many points to either side, a little over one grid step.
constexpr std::ptrdiff_t curvatureWindow = 4;

/// Minimum length, in grid steps, over which curvature is measured. Near borders and walls the discrete
/// scheme lets elastica and Dubins turn on the spot, at a finite price. Such a turn is given this length, so
/// that its curvature stays finite.
constexpr double minRun = 0.5;

/// Evens out the spacing and jitter of a polyline's points, then moves its ends to `first` and `last`, with
/// their neighbourhoods so that no kink appears. Segments stay free of walls and inside the grid. An end
/// stays in place if a wall blocks its move.
std::vector<Sample> shapePath(const DescentFlow& flow, std::vector<Sample> samples, const Sample& first,
                              const Sample& last);

/// Converts to world units and adds heading, gear, curvature, length, energy and travel time.
/// @param startTime, endTime  travel times at the two ends
Path describePath(const DescentFlow& flow, const std::vector<Sample>& samples, double startTime,
                  double endTime);

} // namespace isochrone::curvature
