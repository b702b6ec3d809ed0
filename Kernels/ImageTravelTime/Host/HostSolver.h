// HostSolver.h - the solver on the processor: rounds over tiles, a tile in each lane.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Seeds/Seeding.h"

namespace isochrone::image {

/// Fills the travel times and the counts of `result`, of which it reads the placements.
void solveOnHost(const Problem& problem, const std::vector<SeedPoint>& seeds, const Options& options,
                 int threads, const Monitor& monitor, Result& result);

} // namespace isochrone::image
