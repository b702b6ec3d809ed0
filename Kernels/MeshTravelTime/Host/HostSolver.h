#pragma once

#include "MeshTravelTime/Host/PackedStars.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Scheme/VertexStars.h"
#include "MeshTravelTime/Seeds/Starts.h"

#include <vector>

namespace isochrone::mesh {

/// Times of all vertices on the host, in the solver's units, `unreached` where nothing arrives; empty if the
/// monitor or another process says stop. Sets rounds, updatesPerVertex and aborted, adds to workBytes.
/// @param inBand  whether to work on a moving band of times, else on all that is active
Values<float> solveOnHost(const VertexStars& stars, const PackedStars& packed,
                          const std::vector<Start>& starts, const Sharing& sharing, bool inBand, int threads,
                          const Monitor& monitor, Result& result);

} // namespace isochrone::mesh
