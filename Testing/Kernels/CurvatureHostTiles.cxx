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

Result solveOnHostTiles(const Problem& problem, const TileSettings& settings) {
  execution::HostDevice<false> device{1};
  const TilePlan plan = makeTilePlan(problem);
  const PlacedSeeds seeds = placedSeeds(seedStarts(problem), plan);
  DeviceProblem<execution::HostDevice<false>> data(device, problem, plan);
  Result result;
  withTileKernel(problem, plan, [&](auto scheme, auto shape, auto stencils, const TileSettings&) {
    relaxTiles<decltype(scheme), decltype(shape)>(
        device, problem, plan, data, data.stencils(problem, plan, stencils), seeds, settings, {}, result);
  });
  return result;
}

} // namespace isochrone::curvature
