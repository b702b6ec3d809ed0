// DistanceHostTiles.h - the tile kernels of the distance transform for host teams, compiled once for all
// tests.
#pragma once

#include "DistanceTransform/Tiles/TileSolver.h"
#include "Execution/HostDevice.h"

namespace isochrone::distance {

extern template void solveTransform(execution::HostDevice&, const Problem&, const Options&,
                                    const TransformSettings&, const Monitor&, Result&);

} // namespace isochrone::distance
