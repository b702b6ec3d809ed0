#pragma once

#include "MeshTravelTime/Host/PackedStars.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Scheme/VertexStars.h"
#include "MeshTravelTime/Seeds/Starts.h"

#include <vector>

namespace isochrone::mesh {

/// Returns the times of all vertices, computed on the host in solver units, `unreached` where no wave
/// arrives; empty if the monitor or another process requests a stop. Sets rounds, updatesPerVertex and
/// aborted, adds to workBytes.
/// @param inBand  processes a moving band of times, else all active vertices
Values<float> solveOnHost(const VertexStars& stars, const PackedStars& packed,
                          const std::vector<Start>& starts, const Sharing& sharing, bool inBand,
                          execution::RoundPool& pool, const Monitor& monitor, Result& result);

} // namespace isochrone::mesh
