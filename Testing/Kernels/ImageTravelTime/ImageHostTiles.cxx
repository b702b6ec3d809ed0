#include "ImageHostTiles.h"

namespace isochrone::image {

template void solveTiles(execution::HostDevice&, const SolverInput&, const Monitor&, Result&);
template void solveOrthogonalTiles(execution::HostDevice&, const SolverInput&, const Monitor&, Result&);
template void solveTensorTiles(execution::HostDevice&, SolverInput&, const Monitor&, Result&);

} // namespace isochrone::image
