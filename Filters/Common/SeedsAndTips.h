// SeedsAndTips.h - seeds and tips, typed in the panel or taken from a pipeline source, in the world or on the
// grid of an image.
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

/// Names of the arrays that seed and tip points may carry.
namespace arrays {
inline constexpr const char* heading = "Heading";       ///< degrees
inline constexpr const char* anyHeading = "AnyHeading"; ///< nonzero: the heading is free
inline constexpr const char* startValue = "StartValue"; ///< travel time at a seed
inline constexpr const char* label = "Label";           ///< integer, takes the place of the seed's number
} // namespace arrays

/// Points typed by the user, as the coordinates of one after the other; headings in degrees; a point without
/// one, or with NaN, has any heading.
struct TypedPoints {
  std::vector<double> coordinates;
  std::vector<double> headings;
};

/// The points of a dataset or of all datasets in a composite, with their point arrays; ghost copies left out.
/// @throws Error if the data has no points in the sense of VTK, or arrays of another length
vtkSmartPointer<vtkPolyData> pointsOf(vtkDataObject* data, const std::string& role);
/// @throws Error if a coordinate is missing, or there are more headings than points
vtkSmartPointer<vtkPolyData> pointsOf(const TypedPoints& typed, const std::string& role);
vtkSmartPointer<vtkPolyData> pointAt(const std::array<double, 3>& world);

enum class PointsFrom { Typed, Input, InputIfConnected }; ///< values of SeedType and TipType

/// Null if no point was typed and none is asked of the input.
/// @throws Error if the input is asked for and not connected, or what is typed is incomplete
vtkSmartPointer<vtkPolyData> choosePoints(PointsFrom from, const TypedPoints& typed, vtkDataObject* input,
                                          const std::string& role);

/// Seeds or tips, one entry per point.
struct Places {
  std::vector<std::array<double, 3>> positions;
  std::vector<double> startValues;
  std::vector<std::int32_t> labels; ///< of the Label array, else the input order; -1 for those that are none
  vtkSmartPointer<vtkPolyData> points;

  std::size_t size() const { return positions.size(); }
};
Places placesOf(vtkPolyData* points);                          ///< in the world
Places placesOf(vtkPolyData* points, const ImageFrame& frame); ///< in grid coordinates
/// @param role  as in "seeds"
/// @throws Error if the input for them has no points, or a label that is none
void requirePlaces(const Places& places, const std::string& role);
/// @throws Error unless every label is a whole number of 32 bits other than -1, which marks where no seed
/// leads
void requireLabels(const Places& places, const std::string& role);

/// The values of an optional point array, one number each; `fallback(point)` where there is none.
std::vector<double> valuesOr(vtkPolyData* points, const char* name,
                             const std::function<double(std::int64_t)>& fallback);

/// Which of the places have a fault, as the user reads it.
struct Faults {
  int count = 0;
  std::string list; ///< "seed 1 at (9, 9, 0) lies outside the image; ...", the first ten
};
/// @param fault  of a place, by its number; empty if it has none
Faults faultsOf(const Places& places, const std::string& role,
                const std::function<std::string(std::size_t)>& fault);

} // namespace isochrone::filters
