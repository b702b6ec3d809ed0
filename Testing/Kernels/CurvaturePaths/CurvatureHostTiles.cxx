#include "CurvatureHostTiles.h"

#include "Execution/HostDevice.h"

namespace isochrone::curvature {

Result solveOnHostTiles(const Problem& problem, const std::vector<StartState>& starts, int threads,
                        const Monitor& monitor, const std::vector<Placement>& tips) {
  Result result;
  execution::HostDevice device{threads};
  solveTiles(device, problem, Discretisation(problem), starts, tips, monitor, result);
  return result;
}

} // namespace isochrone::curvature
