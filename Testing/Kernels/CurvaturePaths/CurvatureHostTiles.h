// CurvatureHostTiles.h - the tile solver run by host teams, compiled once for all tests.
#pragma once

#include "CurvaturePaths/Tiles/TileSolver.h"

namespace isochrone::curvature {

/// @param discretisation  of the problem
Result solveOnHostTiles(const Problem& problem, const Discretisation& discretisation,
                        const std::vector<StartState>& starts, int threads, const Monitor& monitor = {},
                        const std::vector<Placement>& tips = {});
Result solveOnHostTiles(const Problem& problem, const std::vector<StartState>& starts, int threads,
                        const Monitor& monitor = {}, const std::vector<Placement>& tips = {});

} // namespace isochrone::curvature
