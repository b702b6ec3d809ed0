// Validation.h - rejects problems without a solution, with what is wrong, where, and the remedy.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "Error.h"

#include <string>
#include <vector>

namespace isochrone::curvature {

/// Returns the name of point (i, j) in error messages.
std::string pointName(const Problem& problem, std::int64_t i, std::int64_t j);

/// Checks grid, walls, fields, relaxation, balanced radius and start values. Ignores field values in walls.
/// @throws Error
void validate(const Problem& problem);

/// @throws Error if the memory of this process cannot hold the travel times of a valid problem
void requireMemory(const Problem& problem);

/// @param what  the results that need the states of the whole plane
/// @throws Error if this process has only a part of them
void requireAllStates(const Problem& problem, const char* what);
/// @throws Error if an axis is periodic
void requireNotPeriodic(const Problem& problem, const char* what);

/// @throws Error if no seed lies on a free point, with the reason for each kind of seed left out
void requireUsableSeed(const Problem& problem, const std::vector<Placement>& seeds);

} // namespace isochrone::curvature
