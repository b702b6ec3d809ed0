// ExactSolver.h - exact distances on a surface, by windows.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <cstdint>

namespace isochrone::mesh {

/// Checks that a problem can be solved exactly.
/// @throws Error
void validateExact(const Problem& problem, const Options& options);

/// Returns the travel times of a problem with Accuracy::Exact. One thread works on them.
/// @throws Error on insufficient memory, and if no seed is usable
Result solveExactly(const Problem& problem, const Options& options, const Monitor& monitor);

} // namespace isochrone::mesh
