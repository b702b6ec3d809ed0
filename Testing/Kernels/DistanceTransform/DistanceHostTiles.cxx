#include "DistanceHostTiles.h"

namespace isochrone::distance {

template void solveTransform(execution::HostDevice&, const Problem&, const Options&, const TransformSettings&,
                             const Monitor&, Result&);

} // namespace isochrone::distance
