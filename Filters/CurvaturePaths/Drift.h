// Drift.h - a vehicle in a medium that moves: its drift from an array, and its paths and headings as
// arrays.
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

/// Gives the problem a vehicle, in the drift of the chosen array. Velocities have 3 components, along the
/// axes of the world, or 2, along those of its axes that the image lies in. What points out of the plane is
/// left out, with a warning; there is one, too, of a drift so fast that travel times are not reliable.
/// @throws Error on arrays of other components, or that a vehicle in a drift has no use for
void setAdrift(CurvatureProblem& problem, vtkImageData* image, const ImageFrame& frame,
               const CurvatureSettings& settings);

/// Renames Heading, where it holds directions of tracks, to TrackDirection, and adds the headings of the
/// vehicle (degrees).
/// @param track  per plane point, radians
void attachVehicleHeading(const CurvatureProblem& problem, const std::vector<float>& track,
                          vtkImageData* out);

/// As pathsToPolyData, with Heading that of the vehicle, TrackDirection, and the ElapsedTime since the seed,
/// of which TravelTime is the cost. With `inMedium` the paths follow once more as the medium sees them; the
/// cell array Frame says which is which, 0 ground, 1 medium.
/// @param seen  what each path is to the vehicle
vtkSmartPointer<vtkPolyData> vehiclePathsToPolyData(const std::vector<Path>& paths,
                                                    const std::vector<curvature::VehiclePath>& seen,
                                                    bool inMedium, const ImageFrame& frame,
                                                    const States& seeds, const States& tips);

} // namespace isochrone::filters
