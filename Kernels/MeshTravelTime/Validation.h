#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <cstddef>
#include <string>

namespace isochrone::mesh {

/// @throws Error on the first fault of the problem
void validate(const Problem& problem, const Options& options);

/// "the travel times of 531441 points and 3072000 cells", for messages.
std::string nameOf(const Problem& problem);

/// Host memory of a solve, result included.
std::size_t hostBytes(const Problem& problem);

} // namespace isochrone::mesh
