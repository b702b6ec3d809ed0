// TensorSolver.h - the solver for tensors: rounds over points in buckets of their values, on the processor.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Seeds/Seeding.h"

namespace isochrone::image {

/// Fills the travel times and the counts of `result`, of which it reads the placements. Adds the points to
/// `seeds` that start with the time along the straight line where seeds are factored.
void solveTensorsOnHost(const Problem& problem, std::vector<SeedPoint>& seeds, const Options& options,
                        int threads, const Monitor& monitor, Result& result);

} // namespace isochrone::image
