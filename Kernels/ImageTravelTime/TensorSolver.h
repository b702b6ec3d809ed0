// TensorSolver.h - the solver for tensors: rounds over tiles on the processor.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Seeding.h"

namespace isochrone::image {

/// Fills the travel times and the counts of `result`, of which it reads the placements.
void solveTensorsOnHost(const Problem& problem, const std::vector<SeedPoint>& seeds, const Options& options,
                        int threads, const Monitor& monitor, Result& result);

} // namespace isochrone::image
