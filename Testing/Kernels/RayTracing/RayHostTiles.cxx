#include "RayHostTiles.h"

namespace isochrone::rays {

template void solveByTilesIn<false>(execution::HostDevice&, const Problem&, const Options&,
                                    const TileSettings&, const Monitor&, Result&);
template void solveByTilesIn<true>(execution::HostDevice&, const Problem&, const Options&,
                                   const TileSettings&, const Monitor&, Result&);
template void relaxPlainlyIn<false>(execution::HostDevice&, const Problem&, const Options&, const Monitor&,
                                    Result&);
template void relaxPlainlyIn<true>(execution::HostDevice&, const Problem&, const Options&, const Monitor&,
                                   Result&);

} // namespace isochrone::rays
