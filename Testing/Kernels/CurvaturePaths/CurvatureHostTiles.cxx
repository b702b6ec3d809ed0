#include "CurvatureHostTiles.h"

#include "Execution/HostDevice.h"

namespace isochrone::curvature {

Result solveOnHostTiles(const Problem& problem, const std::vector<StartState>& starts, bool reversed,
                        int threads, const Monitor& monitor, const std::vector<Placement>& tips) {
  Result result;
  const auto solveOn = [&](auto device) { solveTiles(device, problem, starts, tips, monitor, result); };
  if (reversed)
    solveOn(execution::HostDevice<true>{threads});
  else
    solveOn(execution::HostDevice<false>{threads});
  return result;
}

} // namespace isochrone::curvature
