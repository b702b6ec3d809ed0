#include "MeshTravelTime/Sensitivity/Updates.h"

#include "MeshTravelTime/Validation.h"

namespace isochrone::mesh {

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend then rejects Cuda
void evaluateOnCuda(SolvedMesh&) {}
#endif

BackendChoice chooseForUpdates(const Problem& p, Backend requested) {
  return chooseBackend(requested, kernelBytes(p) + std::size_t(p.vertexCount()) *
                                                       (sizeof(VertexDependence) + 2 * sizeof(double)));
}

bool findUpdates(SolvedMesh& solved, Backend chosen, const Monitor& monitor) {
  if (chosen == Backend::Host) return solved.evaluate(monitor);
  evaluateOnCuda(solved);
  return monitor.report(1);
}

} // namespace isochrone::mesh
