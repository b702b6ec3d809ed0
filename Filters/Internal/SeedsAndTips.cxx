#include "SeedsAndTips.h"

#include "Error.h"
#include "ImagePlane.h"

#include <vtkAppendPolyData.h>
#include <vtkCompositeDataSet.h>
#include <vtkCompositeDataSetRange.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

namespace isochrone::filters {

namespace {

constexpr double radiansPerDegree = std::numbers::pi / 180;

vtkSmartPointer<vtkPolyData> pointsOf(vtkDataSet* data) {
  vtkPointData* in = data->GetPointData();
  vtkUnsignedCharArray* ghosts = data->GetPointGhostArray();
  auto out = vtkSmartPointer<vtkPolyData>::New();
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataTypeToDouble();
  out->GetPointData()->CopyAllOn();
  out->GetPointData()->CopyAllocate(in, data->GetNumberOfPoints());
  for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p) {
    if (ghosts && (ghosts->GetValue(p) & vtkDataSetAttributes::DUPLICATEPOINT)) continue;
    const vtkIdType q = points->InsertNextPoint(data->GetPoint(p));
    out->GetPointData()->CopyData(in, p, q);
  }
  out->SetPoints(points);
  out->GetPointData()->RemoveArray(vtkDataSetAttributes::GhostArrayName());
  return out;
}

/// The values of an optional array; `fallback(point)` where there is none.
template <class Fallback>
std::vector<double> valuesOr(vtkPolyData* points, const char* name, Fallback fallback) {
  vtkDataArray* array = points->GetPointData()->GetArray(name);
  if (array && array->GetNumberOfComponents() != 1) {
    throw Error(std::string("the array '") + name + "' of the seeds or tips has " +
                std::to_string(array->GetNumberOfComponents()) +
                " components, but one number per point is needed");
  }
  std::vector<double> values(points->GetNumberOfPoints());
  for (vtkIdType p = 0; p < points->GetNumberOfPoints(); ++p) {
    values[p] = array ? array->GetTuple1(p) : fallback(p);
  }
  return values;
}

} // namespace

vtkSmartPointer<vtkPolyData> pointsOf(vtkDataObject* data, const std::string& role) {
  if (auto* set = vtkDataSet::SafeDownCast(data)) return pointsOf(set);
  auto* composite = vtkCompositeDataSet::SafeDownCast(data);
  if (!composite) {
    throw Error("the " + role + " input is a " + data->GetClassName() +
                " without points: connect a dataset with points, such as Point Source or Table To Points");
  }
  auto append = vtkSmartPointer<vtkAppendPolyData>::New();
  append->AddInputData(vtkSmartPointer<vtkPolyData>::New());
  for (vtkDataObject* leaf : vtk::Range(composite)) {
    if (auto* set = vtkDataSet::SafeDownCast(leaf)) append->AddInputData(pointsOf(set));
  }
  append->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  append->Update();
  return append->GetOutput();
}

vtkSmartPointer<vtkPolyData> pointsOf(const TypedPoints& typed) {
  auto out = vtkSmartPointer<vtkPolyData>::New();
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataTypeToDouble();
  auto headings = vtkSmartPointer<vtkDoubleArray>::New();
  headings->SetName(arrays::heading);
  for (std::size_t p = 0; p < typed.points.size(); ++p) {
    points->InsertNextPoint(typed.points[p].data());
    headings->InsertNextValue(p < typed.headings.size() ? typed.headings[p]
                                                        : std::numeric_limits<double>::quiet_NaN());
  }
  out->SetPoints(points);
  out->GetPointData()->AddArray(headings);
  return out;
}

States statesOf(vtkPolyData* points, const ImagePlane& plane) {
  const auto nan = [](vtkIdType) { return std::numeric_limits<double>::quiet_NaN(); };
  const auto zero = [](vtkIdType) { return 0.0; };
  const auto headings = valuesOr(points, arrays::heading, nan); // degrees
  const auto anyHeading = valuesOr(points, arrays::anyHeading, zero);
  const auto labels = valuesOr(points, arrays::label, [](vtkIdType p) { return double(p); });

  States out;
  out.points = points;
  out.startValues = valuesOr(points, arrays::startValue, zero);
  for (vtkIdType p = 0; p < points->GetNumberOfPoints(); ++p) {
    std::array<double, 3> world{};
    points->GetPoint(p, world.data());
    const auto [x, y] = plane.toPlane(world);
    const bool free = anyHeading[p] != 0 || !std::isfinite(headings[p]);
    out.states.push_back({x, y, free ? 0 : headings[p] * radiansPerDegree, free});
    out.labels.push_back(static_cast<std::int32_t>(labels[p]));
  }
  return out;
}

std::string nameOf(const char* role, vtkPolyData* points, std::size_t index) {
  double at[3];
  points->GetPoint(static_cast<vtkIdType>(index), at);
  std::ostringstream name;
  name << role << ' ' << index << " at (" << at[0] << ", " << at[1] << ", " << at[2] << ')';
  return name.str();
}

} // namespace isochrone::filters
