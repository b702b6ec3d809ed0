#include "Execution/CudaDevice.h"
#include "ImageTravelTime/Tiles/CudaSolver.h"
#include "ImageTravelTime/Tiles/TensorTiles.h"

namespace isochrone::image {

std::size_t cudaTensorBytes(const SolverInput& input) {
  return tensorTileBytes(input.problem, input.options.factoring);
}

void solveTensorsOnCuda(SolverInput& input, const Monitor& monitor, Result& result) {
  execution::CudaDevice device;
  solveTensorTiles(device, input, monitor, result);
}

} // namespace isochrone::image
