// PathTrace.h - two methods that follow the flow down from a grid state to a seed.
//
// Both draw points of state space in grid steps, from the tip to a seed state, with unwrapped headings. Every
// segment is free of walls and inside the grid. A trace that reaches no seed is empty.
//
// In a part of the plane a trace ends where it meets a state whose flow the process does not know. Another
// process then continues it (TrailsInParts.h).
#pragma once

#include "CurvaturePaths/Paths/DescentFlow.h"
#include "CurvaturePaths/Paths/MassCloud.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace isochrone::curvature {

struct Trace {
  std::vector<Sample> samples; ///< from the tip to the seed
  std::int32_t seed = -1;      ///< -1: the trace failed

  bool complete() const { return seed >= 0; }
};

/// Returns the distance between two points in grid steps, heading steps included.
double stepDistance(const Sample& a, const Sample& b);

/// Lets a unit mass flow down the grid and follows its centre of mass. Fails where walls tear the mass apart.
/// @return the state at which another process has to continue; nothing once the trace has ended
std::optional<GridState> traceByMass(const DescentFlow& flow, MassCloud& cloud, Trace& trace);

/// Follows the strongest edge of every state. Crude, but cannot fail on a travel time that is a solution.
/// @param trace  the tip, or the trace so far
/// @return as traceByMass
std::optional<GridState> traceByEdges(const DescentFlow& flow, Trace& trace);

} // namespace isochrone::curvature
