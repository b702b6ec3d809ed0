#include "CurvatureHostTiles.h"

#include "Execution/HostDevice.h"

namespace isochrone::curvature {

Result solveOnHostTiles(const Problem& problem, const Discretisation& discretisation,
                        const std::vector<StartState>& starts, int threads, const Monitor& monitor,
                        const std::vector<Placement>& tips) {
  Result result;
  execution::HostDevice device{threads};
  solveTiles(device, problem, discretisation, starts, tips, monitor, result);
  return result;
}

Result solveOnHostTiles(const Problem& problem, const std::vector<StartState>& starts, int threads,
                        const Monitor& monitor, const std::vector<Placement>& tips) {
  return solveOnHostTiles(problem, Discretisation(problem), starts, threads, monitor, tips);
}

} // namespace isochrone::curvature
