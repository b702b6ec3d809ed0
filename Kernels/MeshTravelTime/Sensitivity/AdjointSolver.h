// AdjointSolver.h - the discrete adjoint of meshes on any device: masses pass from vertices to those that
// give them their times.
#pragma once

#include "Adjoint/LevelRounds.h"
#include "MeshTravelTime/Sensitivity/AdjointTask.h"
#include "MeshTravelTime/Sensitivity/EvaluateVertices.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace isochrone::mesh {

/// The vertices that each vertex uses, as adjoint::CountUsers reads them.
struct UsedVertices {
  const VertexDependence* updates;

  template <class F>
  TEAM_FN void forUsed(int vertex, F&& f) const {
    const VertexDependence& d = updates[vertex];
    for (int i = 0; i < d.count; ++i) f(d.vertex[i], d.weight[i]);
  }
};

/// Passes the masses of a task on, and sets its results.
/// @param updates  per vertex, in the memory of the device
template <class Device>
void passMasses(Device& device, const VertexDependence* updates, AdjointTask& task, const Monitor& monitor) {
  if (task.tips.tips.empty()) return;
  adjoint::LevelRounds<Device> rounds(device, task.mass.size(), task.tips);
  task.aborted = !rounds.run(UsedVertices{updates}, adjoint::maximumMass, monitor);
  if (task.aborted) return;
  const std::vector<std::int64_t> masses = rounds.masses();
  for (std::size_t v = 0; v < masses.size(); ++v) task.mass[v] = double(masses[v]) * task.tips.unit;
  task.waiting = rounds.waiting();
}

/// Finds the updates of all vertices, and passes the masses on.
template <class Device>
void adjointOnDevice(Device& device, SolvedMesh& solved, AdjointTask& task, const Monitor& monitor) {
  auto updates = evaluateOnDevice(device, solved);
  task.aborted = !monitor.report(0.3);
  if (!task.aborted) passMasses(device, updates.data(), task, monitor.part(0.3, 0.7));
}

} // namespace isochrone::mesh
