// Updates.h - the choice between host and device for the updates that gave the vertices their times, and for
// the masses that pass by them.
#pragma once

#include "Backend.h"
#include "MeshTravelTime/Sensitivity/SolvedMesh.h"

namespace isochrone::mesh {

/// Returns the backend for the updates of a problem, and for its masses, which take less memory.
/// @throws Error if CUDA was requested and cannot be used
BackendChoice chooseForUpdates(const Problem& problem, Backend requested);

/// Does the same as SolvedMesh::evaluate, on the chosen backend.
/// @throws Error if the device fails
bool findUpdates(SolvedMesh& solved, Backend chosen, const Monitor& monitor);

/// Runs evaluateOnDevice of EvaluateVertices.h on the current CUDA device. Does nothing without
/// ISOCHRONE_WITH_CUDA.
/// @throws Error if the device fails
void evaluateOnCuda(SolvedMesh& solved);

} // namespace isochrone::mesh
