// AdjointTask.h - the input and the results of the discrete adjoint of meshes (AdjointSolver.h).
#pragma once

#include "Adjoint/TipMass.h"
#include "MeshTravelTime/Sensitivity/SolvedMesh.h"
#include "Monitor.h"
#include "Values.h"

#include <cstdint>
#include <vector>

namespace isochrone::mesh {

/// Masses that pass from vertices to those that give them their times.
struct AdjointTask {
  adjoint::TipMasses tips; ///< vertices with a weight

  // Results. Undefined if the monitor requested a stop.
  Values<double> mass; ///< per vertex: all that passed it, or has arrived
  /// The vertices at which masses wait, ascending: those that use each other, and those that they lead to.
  std::vector<std::int32_t> waiting;
  bool aborted = false;

  /// @param weights   per vertex
  /// @param vertices  those that may have a weight
  AdjointTask(const Values<double>& weights, std::vector<std::int32_t> vertices);
};

/// Runs adjointOnDevice of AdjointSolver.h on the current CUDA device. Does nothing without
/// ISOCHRONE_WITH_CUDA.
/// @throws Error if the device fails
void adjointOnCuda(SolvedMesh& solved, AdjointTask& task, const Monitor& monitor);

} // namespace isochrone::mesh
