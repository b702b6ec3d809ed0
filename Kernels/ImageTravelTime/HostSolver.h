// HostSolver.h - the solver on the processor: rounds over tiles, a tile in each lane.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Seeding.h"

namespace isochrone::image {

/// Fills everything in `result` but `seeds`, `seed` and `ranOn`.
void solveOnHost(const Problem& problem, const std::vector<SeedPoint>& seeds, const Options& options,
                 int threads, const Monitor& monitor, Result& result);

} // namespace isochrone::image
