#include "Execution/CudaDevice.h"
#include "ImageTravelTime/Sensitivity/AdjointSolver.h"

namespace isochrone::image {

void adjointOnCuda(AdjointTask& task, const Monitor& monitor) {
  execution::CudaDevice device;
  adjointOnDevice(device, task, monitor);
}

} // namespace isochrone::image
