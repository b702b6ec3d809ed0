#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <cstddef>
#include <string>

namespace isochrone::mesh {

/// @throws Error on the first fault of the problem
void validate(const Problem& problem, const Options& options);

/// "the travel times of 531441 points and 3072000 cells", for messages.
std::string nameOf(const Problem& problem);

/// Memory of the VertexStars of a mesh, and of what they are made from.
std::size_t starBytes(const Problem& problem);

/// Memory of a solve on the host by bands.
std::size_t hostBytes(const Problem& problem, bool compact);

/// Whether it is to save memory.
/// @throws Error if there is too little
bool chooseCompact(const Problem& problem, Memory memory);

} // namespace isochrone::mesh
