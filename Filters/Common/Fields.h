// Fields.h - output arrays shared by the filters.
#pragma once

#include <vtkSmartPointer.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

class vtkAbstractArray;
class vtkDataArray;
class vtkDataObject;
class vtkDataSetAttributes;
class vtkImageData;

namespace isochrone::filters {

/// Returns whether the values of an array lie one after the other in memory, tuple after tuple.
bool hasValuesInMemory(vtkAbstractArray* array);

/// Gives an array a number of tuples, with arbitrary values.
/// @throws std::bad_alloc  if there is no memory for numbers, where VTK's own allocation ends the process
void allocate(vtkAbstractArray* array, long long tuples);

template <class Array>
vtkSmartPointer<Array> named(const char* name, long long tuples = 0, int components = 1) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  allocate(array, tuples);
  return array;
}

/// Field data arrays of one string with the units of times and lengths.
inline constexpr const char *timeUnitArray = "TimeUnit", *lengthUnitArray = "LengthUnit";

/// Makes an array of times, given relative to an origin; infinite times become NaN.
vtkSmartPointer<vtkDataArray> timeArray(const char* name, std::span<const float> time, float origin = 0);
vtkSmartPointer<vtkDataArray> preciseTimeArray(const char* name, std::span<const float> time, double origin);
vtkSmartPointer<vtkDataArray> timeArray(const char* name, std::span<const double> time);
/// Makes an array with the label of the first-arriving seed, -1 where nothing arrives.
/// @param seed  seed number per point; empty if there is only one seed
vtkSmartPointer<vtkDataArray> seedIdArray(std::span<const float> travelTime,
                                          std::span<const std::int32_t> seed,
                                          const std::vector<std::int32_t>& labels);
/// Makes an array that is 1 where the time is finite, else 0.
vtkSmartPointer<vtkDataArray> reachedArray(std::span<const float> travelTime);
vtkSmartPointer<vtkDataArray> reachedArray(std::span<const double> travelTime);

/// Hides the unreached points and their cells, in addition to those already hidden.
void blankUnreached(std::span<const float> travelTime, vtkImageData* out);
void blankUnreached(std::span<const double> travelTime, vtkImageData* out);
/// Hides the points, or the cells, with a nonzero mark.
void blankPoints(std::vector<std::uint8_t> points, vtkImageData* out);
void blankCells(const std::vector<std::uint8_t>& cells, vtkImageData* out);
/// Sets a bit of the ghost array of `data` for each nonzero mark.
void hide(const std::vector<std::uint8_t>& marks, unsigned char bit, vtkDataSetAttributes* data);

/// Caches the range as VTK would. ParaView requests the ranges of all arrays after each execution, and VTK
/// takes much longer to compute them than the solver takes to solve.
void rememberRange(vtkDataArray* array, double minimum, double maximum);

/// Adds a field data array with one word per seed, such as "Inside".
void addStatus(const char* name, const std::vector<std::string>& words, vtkDataObject* out);

} // namespace isochrone::filters
