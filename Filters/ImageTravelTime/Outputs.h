// Outputs.h - results of the image solver as arrays of the output image.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <span>
#include <string>
#include <vector>

class vtkImageData;

namespace isochrone::filters {

class ImageFrame;
struct Places;
class TimeOrigin;

/// Adds TravelTime (active; NaN where unreached), SeedId and Reached to `out`.
void attachTravelTime(const image::Result& result, const TimeOrigin& origin, const Places& seeds,
                      vtkImageData* out);

/// Adds Gradient, turned from the axes of the grid to the world.
/// @param gradient  3 numbers per point
void attachGradient(std::span<const float> gradient, const ImageFrame& frame, vtkImageData* out);

/// Adds Updates: how often each point was computed.
void attachUpdateCounts(const image::Result& result, vtkImageData* out);

/// Adds TimeFromTargets and TwoWayTime (NaN where there is none) and Connectivity (0 there).
/// @param fromSeeds, fromTargets  the origins of both fields
void attachTwoWay(const image::Result& result, const image::TwoWay& twoWay, const TimeOrigin& fromSeeds,
                  const TimeOrigin& fromTargets, vtkImageData* out);

/// Adds to the field data, under `name`, a word per seed: Inside, Outside or InBarrier.
void attachPlacements(const char* name, const std::vector<image::Placement>& placements, vtkImageData* out);

/// Adds to the field data BallRadius, where factoring is additive: of the ball around each seed, 0 if it is
/// not used.
void attachBallRadii(const image::Result& result, vtkImageData* out);

/// "2 of 5 seeds are not used: seed 1 at (9, 9, 0) lies outside the image; ...", empty if all are used.
/// @param role  as in "seed"
std::string unusedSeeds(const std::vector<image::Placement>& placements, const Places& seeds,
                        const std::string& role);

} // namespace isochrone::filters
