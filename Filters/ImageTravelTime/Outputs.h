// Outputs.h - converts results of the image solver to arrays of the output image.
#pragma once

#include "ImageTravelTime/Reuse.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

class vtkImageData;

namespace isochrone::filters {

class ImageFrame;
struct Places;
class TimeOrigin;

/// Adds arrays of an image to an output that has a part of its points. One call after the other, large
/// results are in memory twice only one at a time.
/// @param attach  adds the arrays to an image without any
void addCropped(vtkImageData* image, const std::function<void(vtkImageData*)>& attach, vtkImageData* out);

/// Adds TravelTime (NaN where unreached) to `out`.
/// @param latest  the last arrival, of all parts of the image
void attachTravelTime(const image::Result& result, const TimeOrigin& origin, double latest,
                      vtkImageData* out);

/// Adds SeedId.
void attachSeedIds(const image::Result& result, const Places& seeds, vtkImageData* out);

/// Adds Reached.
void attachReached(const image::Result& result, vtkImageData* out);

/// Adds Gradient, rotated from grid axes to world axes.
/// @param gradient  3 numbers per point
void attachGradient(std::span<const float> gradient, const ImageFrame& frame, vtkImageData* out);

/// Adds Updates, the number of updates per point.
void attachUpdateCounts(const image::Result& result, vtkImageData* out);

/// Adds TimeFromTargets and TwoWayTime (NaN where unreached) and Connectivity (0 there).
/// @param fromSeeds, fromTargets  the origins of both fields
void attachTwoWay(const image::Result& result, const image::TwoWay& twoWay, const TimeOrigin& fromSeeds,
                  const TimeOrigin& fromTargets, vtkImageData* out);

/// Adds to the field data, under `name`, one word per seed: Inside, Outside or InBarrier.
void attachPlacements(const char* name, const std::vector<image::Placement>& placements, vtkImageData* out);

/// Adds to the field data BallRadius, the radius of the ball around each seed with additive factoring; 0 for
/// unused seeds.
void attachBallRadii(const image::Result& result, vtkImageData* out);

/// Adds to the field data the seeds of a travel time (TravelTimeSeeds.h), with the balls of the solve.
/// @param array  name of the travel time
void attachSeeds(const char* array, std::span<const image::FactoringBall> balls, const Places& seeds,
                 vtkImageData* out);

/// Returns a warning such as "2 of 5 seeds are not used: seed 1 at (9, 9, 0) lies outside the image; ...".
/// Empty if all are used.
/// @param role  as in "seed"
std::string unusedSeeds(const std::vector<image::Placement>& placements, const Places& seeds,
                        const std::string& role);

} // namespace isochrone::filters
