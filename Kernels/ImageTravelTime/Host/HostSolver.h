// HostSolver.h - the host solver: rounds over tiles, one tile per lane.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Seeds/Seeding.h"

namespace isochrone::image {

/// Fills the travel times and the counters of `result`. Reads its placements.
void solveOnHost(const Problem& problem, const std::vector<SeedPoint>& seeds, const Options& options,
                 int threads, const Monitor& monitor, Result& result);

} // namespace isochrone::image
