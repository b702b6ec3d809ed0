// SectorSolver.h - the host solver: sector sweeping (DESIGN.md).
#pragma once

#include "CurvaturePaths/Scheme/Discretisation.h"
#include "CurvaturePaths/Scheme/Starts.h"

#include <vector>

namespace isochrone::curvature {

/// Solves a validated problem with threads of this machine.
/// @param starts  each state once
/// @param tips    placements of options.stopAt; ignored with corrected differences, where all values are made
///         final
void solveBySectors(const Problem& problem, const Discretisation& discretisation,
                    const std::vector<StartState>& starts, const std::vector<Placement>& tips, int threads,
                    const Monitor& monitor, Result& result);

} // namespace isochrone::curvature
