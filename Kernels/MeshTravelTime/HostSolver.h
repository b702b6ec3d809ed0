#pragma once

#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Starts.h"
#include "MeshTravelTime/VertexStars.h"

#include <vector>

namespace isochrone::mesh {

/// Times of all vertices on the host, in the solver's units, `unreached` where nothing arrives; empty if the
/// monitor or another process says stop. Sets rounds, updatesPerVertex and aborted, adds to workBytes.
/// @param band  width of the band of times that is worked on, in long edges; 0: all that is active
Values<float> solveOnHost(const VertexStars& stars, const std::vector<Start>& starts, const Sharing& sharing,
                          double band, int threads, const Monitor& monitor, Result& result);

} // namespace isochrone::mesh
