// GivenTravelTime.h - a travel time of an earlier solve, from the input.
#pragma once

#include "Common/ArrayBridge.h"
#include "ImageTravelTime/Reuse.h"
#include "ImageTravelTime/Runs.h"
#include "Values.h"

#include <vtkSmartPointer.h>

#include <vector>

class vtkDataSet;
class vtkImageData;
class vtkPolyData;

namespace isochrone::filters {

class TimeOrigin;
struct Places;

/// Returns the seeds of a given travel time (TravelTimeSeeds.h) as points with the arrays StartValue, Label,
/// Slowness and BallRadius. A piece without points has none.
/// @throws Error if they are missing
vtkSmartPointer<vtkPolyData> seedsOfGiven(vtkDataSet* input, const ArrayChoice& travelTime);

/// Returns the given times since an origin, +infinity where unreached.
/// @throws Error unless there is one number per point
Values<float> givenTimes(vtkImageData* image, const ArrayChoice& travelTime, const TimeOrigin& origin);

/// Returns the slowness and the ball radius of each seed.
/// @param seeds  of seedsOfGiven
std::vector<double> givenBalls(const Places& seeds);

/// Sets the ball radii of a given travel time, and returns its balls. Collective.
/// @param seeds  of seedsOfGiven
/// @throws Error if the slowness at a seed is not that of the solve
std::vector<image::FactoringBall> takeBalls(const Places& seeds, ImageTravelTimeRun& run);

} // namespace isochrone::filters
