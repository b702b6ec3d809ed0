#include "Execution/CudaDevice.h"
#include "MeshTravelTime/Sensitivity/EvaluateVertices.h"
#include "MeshTravelTime/Sensitivity/Updates.h"

namespace isochrone::mesh {

void evaluateOnCuda(SolvedMesh& solved) {
  execution::CudaDevice device;
  evaluateOnDevice(device, solved);
}

} // namespace isochrone::mesh
