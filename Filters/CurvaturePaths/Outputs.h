// Outputs.h - converts results of the curvature solver to images.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <string>

class vtkImageData;

namespace isochrone::filters {

struct States;
class TimeOrigin;

/// Adds TravelTime (active; NaN where unreached), Heading (degrees), SeedId and Reached to `out`. Adds one
/// row per seed to its field data: the status, and the distance by which the seed was moved to a grid point.
/// @param latest  the last arrival, of all parts of the plane
void attachTravelTime(const curvature::PlanarResult& plane, const TimeOrigin& origin, double latest,
                      const std::vector<curvature::Placement>& placements, const States& seeds,
                      vtkImageData* out);

/// Returns a warning such as "2 of 5 seeds are not used: seed 1 at (9, 9, 0) lies outside the image; ...".
/// Empty if all are used.
std::string unusedSeeds(const std::vector<curvature::Placement>& placements, const States& seeds);

} // namespace isochrone::filters
