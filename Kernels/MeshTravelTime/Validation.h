#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <cstddef>
#include <span>
#include <string>

namespace isochrone::mesh {

/// Checks a problem.
/// @throws Error on the first fault
void validate(const Problem& problem, const Options& options);

/// Checks the number of travel times.
void requireTravelTime(const Problem& problem, std::span<const float> travelTime);

/// Returns "the travel times of 531441 points and 3072000 cells", for messages.
std::string nameOf(const Problem& problem);

/// Returns the name of a seed's start time, for messages.
std::string nameOfStart(const Problem& problem, std::size_t seed);

/// Returns the number of bytes of the VertexStars of a mesh and of their intermediate data.
std::size_t starBytes(const Problem& problem);

/// Returns the number of bytes of a SolvedMesh, and of its masses or its MassFlow.
std::size_t sensitivityBytes(const Problem& problem);

/// Returns the number of bytes of a solve on the host by bands.
std::size_t hostBytes(const Problem& problem, bool compact);

/// Returns the number of bytes of device memory that a solve by kernels needs; barriers, not known yet, are
/// included.
std::size_t kernelBytes(const Problem& problem);

/// Returns whether to use the compact layout.
/// @throws Error if memory is insufficient
bool chooseCompact(const Problem& problem, Memory memory);

} // namespace isochrone::mesh
