#include "Execution/CudaDevice.h"
#include "ImageTravelTime/Sensitivity/AdjointSolver.h"
#include "ImageTravelTime/Sensitivity/SecondOrderSolver.h"
#include "ImageTravelTime/Sensitivity/TensorAdjointSolver.h"

namespace isochrone::image {

void adjointOnCuda(AdjointTask& task, const Monitor& monitor) {
  execution::CudaDevice device;
  adjointOnDevice(device, task, monitor);
}

void secondOrderOnCuda(SecondOrderDependences& dependences, SecondOrderTask& task, const Monitor& monitor) {
  execution::CudaDevice device;
  secondOrderOnDevice(device, dependences, task, monitor);
}

void tensorAdjointOnCuda(const TensorDependences& dependences, execution::RoundPool& pool,
                         TensorAdjointTask& task, const Monitor& monitor) {
  execution::CudaDevice device;
  adjointOnDevice(device, dependences, pool, task, monitor);
}

} // namespace isochrone::image
