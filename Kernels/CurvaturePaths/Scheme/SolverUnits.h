// SolverUnits.h - the units that the solvers work in.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

namespace isochrone::curvature {

/// Powers of two near the grid step and the middle of the costs, by ratio. Solvers measure in these units, so
/// that float neither overflows nor underflows whatever the user's units are, and no digit is lost by it.
struct SolverUnits {
  double length = 1, cost = 1;
  explicit SolverUnits(const Problem& problem);
  double time() const { return length * cost; }
};

} // namespace isochrone::curvature
