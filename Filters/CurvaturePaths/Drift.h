// Drift.h - a vehicle in a moving medium: its drift from an array, and its paths and headings as arrays.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <vtkSmartPointer.h>

#include <vector>

class vtkImageData;
class vtkPolyData;

namespace isochrone::filters {

struct CurvatureProblem;
struct CurvatureSettings;
class ImageFrame;
struct States;

/// Adds a vehicle with the drift of the chosen array to the problem. Velocities have 3 components along the
/// world axes, or 2 along the world axes that span the image. A component out of the plane is dropped with a
/// warning. A drift too fast for reliable travel times also causes a warning.
/// @throws Error on other numbers of components, and on arrays that do not apply to a vehicle in a drift
void setAdrift(CurvatureProblem& problem, vtkImageData* image, const ImageFrame& frame,
               const CurvatureSettings& settings);

/// Renames Heading, which holds track directions, to TrackDirection, and adds the headings of the vehicle
/// (degrees).
/// @param track  per plane point, radians
void attachVehicleHeading(const CurvatureProblem& problem, const std::vector<float>& track,
                          vtkImageData* out);

/// Makes polylines like pathsToPolyData. Heading is the heading of the vehicle; TrackDirection and
/// ElapsedTime, the time since the seed, are added (TravelTime is its cost). With `inMedium` the paths are
/// repeated as seen in the medium, and the cell array Frame is 0 over ground and 1 in the medium.
/// @param seen  the paths as seen from the vehicle
vtkSmartPointer<vtkPolyData> vehiclePathsToPolyData(const std::vector<Path>& paths,
                                                    const std::vector<curvature::VehiclePath>& seen,
                                                    bool inMedium, const ImageFrame& frame,
                                                    const States& seeds, const States& tips);

} // namespace isochrone::filters
