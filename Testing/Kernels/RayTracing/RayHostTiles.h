// RayHostTiles.h - the tile kernels of ray tracing for host teams, compiled once for all tests.
#pragma once

#include "Execution/HostDevice.h"
#include "RayTracing/Tiles/PlainRelaxation.h"
#include "RayTracing/Tiles/TileSolver.h"

namespace isochrone::rays {

extern template void solveByTilesIn<false>(execution::HostDevice&, const Problem&, const Options&,
                                           const TileSettings&, const Monitor&, Result&);
extern template void solveByTilesIn<true>(execution::HostDevice&, const Problem&, const Options&,
                                          const TileSettings&, const Monitor&, Result&);
extern template void relaxPlainlyIn<false>(execution::HostDevice&, const Problem&, const Options&,
                                           const Monitor&, Result&);
extern template void relaxPlainlyIn<true>(execution::HostDevice&, const Problem&, const Options&,
                                          const Monitor&, Result&);

} // namespace isochrone::rays
