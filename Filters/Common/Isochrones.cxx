#include "Common/Isochrones.h"

#include "Common/Ranks.h"

#include <vtkContourFilter.h>
#include <vtkDataArrayRange.h>
#include <vtkFloatArray.h>
#include <vtkIdList.h>
#include <vtkImageData.h>
#include <vtkImageDataToPointSet.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace isochrone::filters {

namespace {

constexpr const char* reachedName = "Reached";

/// Returns the least and the greatest value over all ranks. Collective.
std::array<double, 2> rangeOf(vtkDataArray* values, const Ranks& ranks) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::array<double, 2> ends{infinity, infinity}; // the second with the opposite sign
  if (values)
    for (const double value : vtk::DataArrayValueRange<1>(values))
      if (std::isfinite(value)) ends = {std::min(ends[0], value), std::min(ends[1], -value)};
  ranks.allMin(ends);
  return {ends[0], -ends[1]};
}

/// Returns the geometry of the field with `values` and `Reached` alone; a plane image as a structured grid,
/// because the contour filter does not interpolate further arrays of plane images.
vtkSmartPointer<vtkDataSet> contoured(vtkDataSet* field, vtkDataArray* values) {
  auto copy = vtkSmartPointer<vtkDataSet>::Take(field->NewInstance());
  copy->CopyStructure(field);
  copy->GetPointData()->AddArray(values);
  const auto reached = vtkSmartPointer<vtkFloatArray>::New(); // the filter rounds integers
  reached->DeepCopy(field->GetPointData()->GetArray(reachedName));
  reached->SetName(reachedName);
  copy->GetPointData()->AddArray(reached);
  auto* image = vtkImageData::SafeDownCast(copy);
  if (!image || image->GetDataDimension() == 3) return copy;
  vtkNew<vtkImageDataToPointSet> grid;
  grid->SetInputData(image);
  grid->Update();
  return grid->GetOutput();
}

/// Removes the lines or polygons with a point on an edge to an unreached point.
void removeUnreached(vtkPolyData* lines) {
  vtkDataArray* reached = lines->GetPointData()->GetArray(reachedName);
  if (!reached) return;
  lines->BuildCells();
  vtkNew<vtkIdList> points;
  for (vtkIdType cell = 0; cell < lines->GetNumberOfCells(); ++cell) {
    lines->GetCellPoints(cell, points);
    for (const vtkIdType point : *points)
      if (reached->GetTuple1(point) < 1) lines->DeleteCell(cell);
  }
  lines->RemoveDeletedCells();
}

} // namespace

vtkSmartPointer<vtkPolyData> isochrones(vtkDataSet* field, const char* name, int number, const Ranks& ranks) {
  vtkDataArray* times = field->GetPointData()->GetArray(name);
  const auto [least, greatest] = rangeOf(times, ranks);
  auto lines = vtkSmartPointer<vtkPolyData>::New();
  if (!times || !(greatest > least)) return lines;

  // The contour filter would interpolate NaN. A value above all others makes it cut every edge to an
  // unreached point, where the interpolated `Reached` is then less than 1.
  auto filled = vtkSmartPointer<vtkDataArray>::Take(times->NewInstance());
  filled->DeepCopy(times);
  const double above = greatest + (greatest - least);
  for (auto value : vtk::DataArrayValueRange<1>(filled.Get()))
    if (!std::isfinite(double(value))) value = above;

  vtkNew<vtkContourFilter> contour;
  contour->SetInputData(contoured(field, filled));
  contour->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, name);
  for (int k = 0; k < number; ++k) contour->SetValue(k, least + (greatest - least) * (k + 1) / (number + 1));
  contour->Update();
  lines->ShallowCopy(contour->GetOutput());
  removeUnreached(lines);
  lines->GetPointData()->RemoveArray(reachedName);
  lines->GetPointData()->SetActiveScalars(nullptr); // ParaView then shows them in one colour
  return lines;
}

} // namespace isochrone::filters
