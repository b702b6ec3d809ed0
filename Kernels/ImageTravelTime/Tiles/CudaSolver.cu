#include "ImageTravelTime/Tiles/CudaSolver.h"

#include "Execution/CudaDevice.h"
#include "ImageTravelTime/Tiles/TileSolver.h"

namespace isochrone::image {

std::size_t cudaBytes(const Problem& problem, const std::vector<SeedPoint>& seeds) {
  return tileBytes(problem, seeds);
}

void solveOnCuda(const Problem& problem, const std::vector<SeedPoint>& seeds, const Options& options,
                 const Monitor& monitor, Result& result) {
  execution::CudaDevice device;
  solveTiles(device, problem, seeds, options, monitor, result);
}

} // namespace isochrone::image
