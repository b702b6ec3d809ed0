// ImageHostTiles.h - the tile kernels of image travel times for host teams, compiled once for all tests.
#pragma once

#include "Execution/HostDevice.h"
#include "ImageTravelTime/Tiles/TensorTiles.h"
#include "ImageTravelTime/Tiles/TileSolver.h"

namespace isochrone::image {

extern template void solveTiles(execution::HostDevice&, const SolverInput&, const Monitor&, Result&);
extern template void solveOrthogonalTiles(execution::HostDevice&, const SolverInput&, const Monitor&,
                                          Result&);
extern template void solveTensorTiles(execution::HostDevice&, SolverInput&, const Monitor&, Result&);

} // namespace isochrone::image
