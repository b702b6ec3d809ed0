// Validation.h - refuses problems that have no solution, saying what is wrong, where, and what to do.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "Error.h"

#include <string>
#include <vector>

namespace isochrone::curvature {

/// What errors call point (i, j).
std::string pointName(const Problem& problem, std::int64_t i, std::int64_t j);

/// Checks grid, relaxation and fields. Values in wall pixels may be anything.
/// @throws Error
void validate(const Problem& problem);

/// @throws Error if no seed lies on a free point, saying why each kind of seed was left out
void requireUsableSeed(const Problem& problem, const std::vector<Placement>& seeds);

} // namespace isochrone::curvature
