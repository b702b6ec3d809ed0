// PathTrace.h - two methods that follow the flow down from a grid state to a seed.
//
// Both return points of state space in grid steps, from the tip to a seed state, with unwrapped headings.
// Every segment is free of walls and inside the grid. A trace that reaches no seed is empty.
#pragma once

#include "CurvaturePaths/Paths/DescentFlow.h"

#include <cstdint>
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
Trace traceByMass(const DescentFlow& flow, const GridState& tip);

/// Follows the strongest edge of every state. Crude, but cannot fail on a travel time that is a solution.
Trace traceByEdges(const DescentFlow& flow, const GridState& tip);

} // namespace isochrone::curvature
