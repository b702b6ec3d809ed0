// SeedsAndTips.h - seeds and tips, set in the panel or taken from an input, in world or grid coordinates.
#pragma once

#include <vtkSmartPointer.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

class vtkDataObject;
class vtkPolyData;

namespace isochrone::filters {

class ImageFrame;

/// Names of the optional arrays of seed and tip points.
namespace arrays {
inline constexpr const char* heading = "Heading";       ///< degrees
inline constexpr const char* anyHeading = "AnyHeading"; ///< nonzero: the heading is free
inline constexpr const char* startValue = "StartValue"; ///< travel time at a seed
inline constexpr const char* label = "Label";           ///< integer, replaces the number of the seed
} // namespace arrays

/// Points set in the panel, as consecutive coordinates. Headings are in degrees; a point with NaN or without
/// an entry has any heading.
struct TypedPoints {
  std::vector<double> coordinates;
  std::vector<double> headings;
};

/// Returns the points of a dataset, or of all datasets in a composite, with their point arrays and without
/// ghost copies.
/// @throws Error if the data is not a VTK dataset with points, or an array has the wrong length
vtkSmartPointer<vtkPolyData> pointsOf(vtkDataObject* data, const std::string& role);
/// @throws Error if a coordinate is missing, or there are more headings than points
vtkSmartPointer<vtkPolyData> pointsOf(const TypedPoints& typed, const std::string& role);
vtkSmartPointer<vtkPolyData> pointAt(const std::array<double, 3>& world);

enum class PointsFrom { Typed, Input, InputIfConnected }; ///< values of SeedType and TipType

/// Returns the selected points; null if no point is set and no input is required.
/// @throws Error if the required input is not connected, or the points set in the panel are incomplete
vtkSmartPointer<vtkPolyData> choosePoints(PointsFrom from, const TypedPoints& typed, vtkDataObject* input,
                                          const std::string& role);

/// Seeds or tips, one entry per point.
struct Places {
  std::vector<std::array<double, 3>> positions;
  std::vector<double> startValues;
  std::vector<std::int32_t> labels; ///< from the Label array, else the input order; -1 if invalid
  vtkSmartPointer<vtkPolyData> points;

  std::size_t size() const { return positions.size(); }
};
Places placesOf(vtkPolyData* points);                          ///< in world coordinates
Places placesOf(vtkPolyData* points, const ImageFrame& frame); ///< in grid coordinates
/// Checks that there are places and that their labels are valid.
/// @param role  as in "seeds"
/// @throws Error if the connected input has no points, or a label is invalid
void requirePlaces(const Places& places, const std::string& role);
/// Checks the labels.
/// @throws Error unless every label is a 32-bit integer other than -1, which marks unreached points
void requireLabels(const Places& places, const std::string& role);

/// Returns the values of an optional point array with one component; `fallback(point)` without it.
std::vector<double> valuesOr(vtkPolyData* points, const char* name,
                             const std::function<double(std::int64_t)>& fallback);

/// Readable list of the places that have a fault.
struct Faults {
  int count = 0;
  std::string list; ///< "seed 1 at (9, 9, 0) lies outside the image; ...", the first ten
};
/// Collects the faults of all places.
/// @param fault  returns the fault of a place, given its number; empty if it has none
Faults faultsOf(const Places& places, const std::string& role,
                const std::function<std::string(std::size_t)>& fault);

} // namespace isochrone::filters
