// SeedsAndTips.h - seeds and tips, typed in the panel or taken from a pipeline source, as states of the
// solver.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <vtkSmartPointer.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

class vtkDataObject;
class vtkPolyData;

namespace isochrone::filters {

class ImagePlane;

/// Names of the arrays that seed and tip points may carry.
namespace arrays {
inline constexpr const char* heading = "Heading";       ///< degrees
inline constexpr const char* anyHeading = "AnyHeading"; ///< nonzero: the heading is free
inline constexpr const char* startValue = "StartValue"; ///< travel time at a seed
inline constexpr const char* label = "Label";           ///< integer, takes the place of the seed's number
} // namespace arrays

/// Points typed by the user: headings in degrees; a point without one, or with NaN, has any heading.
struct TypedPoints {
  std::vector<std::array<double, 3>> points;
  std::vector<double> headings;
};

/// The points of a dataset or of all datasets in a composite, with their point arrays; ghost copies left out.
/// @throws Error if the data has no points in the sense of VTK
vtkSmartPointer<vtkPolyData> pointsOf(vtkDataObject* data, const std::string& role);
vtkSmartPointer<vtkPolyData> pointsOf(const TypedPoints& typed);

/// Seeds or tips in plane coordinates, one entry per point.
struct States {
  std::vector<curvature::State> states;
  std::vector<double> startValues;
  std::vector<std::int32_t> labels; ///< of the Label array, else the input order
  vtkSmartPointer<vtkPolyData> points;

  std::size_t size() const { return states.size(); }
};
States statesOf(vtkPolyData* points, const ImagePlane& plane);

/// "seed 3 at (1, 2, 0)"
std::string nameOf(const char* role, vtkPolyData* points, std::size_t index);

} // namespace isochrone::filters
