// Fields.h - the arrays that every filter puts on its output.
#pragma once

#include <vtkSmartPointer.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

class vtkDataArray;
class vtkDataObject;
class vtkDataSetAttributes;
class vtkImageData;

namespace isochrone::filters {

template <class Array>
vtkSmartPointer<Array> named(const char* name, long long tuples = 0, int components = 1) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(tuples);
  return array;
}

/// Times of a solver since an origin, NaN where they are infinite.
vtkSmartPointer<vtkDataArray> timeArray(const char* name, std::span<const float> time, float origin = 0);
vtkSmartPointer<vtkDataArray> preciseTimeArray(const char* name, std::span<const float> time, double origin);
vtkSmartPointer<vtkDataArray> timeArray(const char* name, std::span<const double> time);
/// The label of the seed that comes first, -1 where none does.
/// @param seed  per point, the number of a seed; empty if there is one seed only
vtkSmartPointer<vtkDataArray> seedIdArray(std::span<const float> travelTime,
                                          std::span<const std::int32_t> seed,
                                          const std::vector<std::int32_t>& labels);
/// 1 where the time is finite, else 0.
vtkSmartPointer<vtkDataArray> reachedArray(std::span<const float> travelTime);
vtkSmartPointer<vtkDataArray> reachedArray(std::span<const double> travelTime);

/// Hides the points that are not reached, and their cells, in addition to those hidden already.
void blankUnreached(std::span<const float> travelTime, vtkImageData* out);
void blankUnreached(std::span<const double> travelTime, vtkImageData* out);
/// The same with a mark, nonzero or 0, for each point to hide, or for each cell.
void blankPoints(std::vector<std::uint8_t> points, vtkImageData* out);
void blankCells(const std::vector<std::uint8_t>& cells, vtkImageData* out);
/// Sets a bit of the ghost array of `data` where there is a mark.
void hide(const std::vector<std::uint8_t>& marks, unsigned char bit, vtkDataSetAttributes* data);

/// Stores the range where VTK would. ParaView asks for the ranges of all arrays whenever a filter has run,
/// and VTK takes much longer to find them than the solver takes to solve.
void rememberRange(vtkDataArray* array, double least, double greatest);

/// Adds a field data array with a word per seed, as "Inside".
void addStatus(const char* name, const std::vector<std::string>& words, vtkDataObject* out);

} // namespace isochrone::filters
