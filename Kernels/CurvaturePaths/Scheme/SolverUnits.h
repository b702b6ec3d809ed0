// SolverUnits.h - the units of the solvers.
#pragma once

#include "CurvaturePaths/Scheme/HeadingStencils.h"

namespace isochrone::curvature {

/// Powers of two near the grid step and the geometric mean of the minimum and maximum cost. In these units
/// float neither overflows nor underflows, whatever the user's units. Scaling by a power of two loses no
/// digit.
struct SolverUnits {
  double length = 1, cost = 1;
  SolverUnits(const StateGrid& grid, const Range& costs);
  double time() const { return length * cost; }
};

} // namespace isochrone::curvature
