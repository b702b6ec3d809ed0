// PathTrace.h - three methods that follow the flow down from a grid state to a seed.
//
// All return points of state space in grid steps, from the tip to a seed state, with unwrapped headings.
// Every segment is free of walls and inside the grid. A trace that reaches no seed is empty.
#pragma once

#include "CurvaturePaths/Paths/DescentFlow.h"

#include <cstdint>
#include <vector>

namespace isochrone::curvature {

struct Trace {
  std::vector<Sample> samples; ///< from the tip to the seed
  GridState seedState;
  std::int32_t seed = -1; ///< -1: the trace failed

  bool complete() const { return seed >= 0; }
};

/// Returns the distance between two points in grid steps, heading steps included.
double stepDistance(const Sample& a, const Sample& b);

/// Integrates the flow averaged over the corners of the grid cell, without corners on the far side of a jump.
Trace traceByOde(const Flow& flow, const GridState& tip);

/// Lets a unit mass flow down the grid and follows its centre of mass.
Trace traceByMass(const Flow& flow, const GridState& tip);

/// Follows the strongest edge of every state. Crude, but cannot fail on a travel time that is a solution.
Trace traceByEdges(const Flow& flow, const GridState& tip);

/// A corner of the grid cell around a point, with its weight in trilinear interpolation.
struct Corner {
  GridState state;
  double share = 0, value = 0;
};

/// Returns the corners that a path at `p` may use: in the grid, reached, seen from p, and with values close
/// enough to the minimum to lie on the same side of any jump of the travel time. The first corner has the
/// minimum value.
std::vector<Corner> usableCorners(const Flow& flow, const Sample& p);

} // namespace isochrone::curvature
