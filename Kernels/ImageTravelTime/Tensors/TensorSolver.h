// TensorSolver.h - the host solver for tensors: rounds over points in buckets of their values.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Seeds/Seeding.h"

namespace isochrone::image {

/// Fills the travel times and the counters of `result`. Reads its placements. If seeds are factored, adds the
/// points that start with the time along the straight line to `seeds`.
void solveTensorsOnHost(const Problem& problem, std::vector<SeedPoint>& seeds, const Options& options,
                        int threads, const Monitor& monitor, Result& result);

} // namespace isochrone::image
