// SectorSolver.h - the host solver: sector sweeping (DESIGN.md; spec, section 15).
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <vector>

namespace isochrone::curvature {

/// Solves a validated problem with threads of this machine.
/// @param seeds  placements of problem.seeds; those that are not Inside are left out
/// @param tips   placements of options.stopAt
void solveBySectors(const Problem& problem, const std::vector<Placement>& seeds,
                    const std::vector<Placement>& tips, int threads, const Monitor& monitor, Result& result);

} // namespace isochrone::curvature
