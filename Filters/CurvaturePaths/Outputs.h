// Outputs.h - results of the curvature solver as images.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <string>

class vtkDataArray;
class vtkImageData;

namespace isochrone::filters {

class ImagePlane;
struct States;
class TimeOrigin;

/// Adds TravelTime (active; NaN where unreached), Heading (degrees), SeedId and Reached to `out`, and to its
/// field data a row per seed: whether it lies inside and how far it was moved to a grid point.
void attachTravelTime(const curvature::PlanarResult& plane, const TimeOrigin& origin,
                      const std::vector<curvature::Placement>& placements, const States& seeds,
                      vtkImageData* out);

/// Makes `out` the image of the values on position x heading; `height` is the world length of a full turn.
/// @param axis  what a heading is, as in "heading"
void makeStateSpace(vtkDataArray* values, const ImagePlane& plane, int headings, double height,
                    const char* axis, vtkImageData* out);

/// "2 of 5 seeds are not used: seed 1 at (9, 9, 0) lies outside the image; ...", empty if all are used.
std::string unusedSeeds(const std::vector<curvature::Placement>& placements, const States& seeds);

} // namespace isochrone::filters
