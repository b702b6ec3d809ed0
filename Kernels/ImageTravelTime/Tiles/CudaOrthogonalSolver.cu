#include "Execution/CudaDevice.h"
#include "ImageTravelTime/Tiles/CudaSolver.h"
#include "ImageTravelTime/Tiles/TileSolver.h"

namespace isochrone::image {

void solveOrthogonalOnCuda(const SolverInput& input, const Monitor& monitor, Result& result) {
  execution::CudaDevice device;
  solveOrthogonalTiles(device, input, monitor, result);
}

} // namespace isochrone::image
