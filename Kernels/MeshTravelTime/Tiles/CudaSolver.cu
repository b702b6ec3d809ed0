#include "MeshTravelTime/Tiles/CudaSolver.h"

#include "Execution/CudaDevice.h"
#include "MeshTravelTime/Tiles/Methods.h"

namespace isochrone::mesh {

Values<float> solveOnCuda(const VertexStars& stars, const std::vector<Start>& starts, const Sharing& sharing,
                          const Options& options, const Monitor& monitor, Result& result) {
  execution::CudaDevice device;
  return solveByKernels(device, stars, starts, sharing, options, {}, monitor, result);
}

} // namespace isochrone::mesh
