#include "CurvaturePaths/Sensitivity/AdjointSolver.h"
#include "Execution/CudaDevice.h"

namespace isochrone::curvature {

void spreadOnCuda(const Problem& problem, SensitivityTask& task, bool radiusAndShift, const Monitor& monitor,
                  Sensitivities& result) {
  execution::CudaDevice device;
  spreadOnDevice(device, problem, task, radiusAndShift, monitor, result);
}

} // namespace isochrone::curvature
