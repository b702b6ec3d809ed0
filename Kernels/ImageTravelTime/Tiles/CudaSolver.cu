#include "ImageTravelTime/Tiles/CudaSolver.h"

#include "Execution/CudaDevice.h"
#include "ImageTravelTime/Tiles/TileSolver.h"

namespace isochrone::image {

std::size_t cudaBytes(const SolverInput& input) { return tileBytes(input); }

void solveOnCuda(const SolverInput& input, const Monitor& monitor, Result& result) {
  execution::CudaDevice device;
  solveTiles(device, input, monitor, result);
}

} // namespace isochrone::image
