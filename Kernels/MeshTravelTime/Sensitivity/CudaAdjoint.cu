#include "Execution/CudaDevice.h"
#include "MeshTravelTime/Sensitivity/AdjointSolver.h"
#include "MeshTravelTime/Sensitivity/Updates.h"

namespace isochrone::mesh {

void evaluateOnCuda(SolvedMesh& solved) {
  execution::CudaDevice device;
  evaluateOnDevice(device, solved);
}

void adjointOnCuda(SolvedMesh& solved, AdjointTask& task, const Monitor& monitor) {
  execution::CudaDevice device;
  adjointOnDevice(device, solved, task, monitor);
}

} // namespace isochrone::mesh
