#include "MeshTravelTime/Sensitivity/AdjointTask.h"

#include <algorithm>

namespace isochrone::mesh {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend then rejects Cuda
void adjointOnCuda(SolvedMesh&, AdjointTask&, const Monitor&) {}
#endif

AdjointTask::AdjointTask(const Values<double>& weights, std::vector<std::int32_t> vertices)
    : mass(weights.size(), 0) {
  std::ranges::sort(vertices);
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  std::vector<adjoint::StateWeight> states;
  for (const std::int32_t v : vertices) states.push_back({v, 0, weights[std::size_t(v)]});
  tips = adjoint::massesOf(states);
}

} // namespace isochrone::mesh
