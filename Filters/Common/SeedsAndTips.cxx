#include "Common/SeedsAndTips.h"

#include "Common/ArrayBridge.h"
#include "Common/ImageFrame.h"
#include "Error.h"

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
#include <sstream>

namespace isochrone::filters {

namespace {

vtkSmartPointer<vtkPolyData> pointsOf(vtkDataSet* data, const std::string& role) {
  requireLengths(data, role);
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

/// Returns whether a label can be stored as SeedId without a change.
bool isLabel(double label) {
  using Limits = std::numeric_limits<std::int32_t>;
  return label >= Limits::min() && label <= Limits::max() && label == std::floor(label) && label != -1;
}

std::vector<double> labelsOf(vtkPolyData* points) {
  return valuesOr(points, arrays::label, [](std::int64_t p) { return double(p); });
}

} // namespace

vtkSmartPointer<vtkPolyData> pointsOf(vtkDataObject* data, const std::string& role) {
  if (auto* set = vtkDataSet::SafeDownCast(data)) return pointsOf(set, role + " input");
  auto* composite = vtkCompositeDataSet::SafeDownCast(data);
  if (!composite) {
    throw Error("the " + role + " input is a " + data->GetClassName() +
                " without points: connect a dataset with points, such as Point Source or Table To Points");
  }
  auto append = vtkSmartPointer<vtkAppendPolyData>::New();
  append->AddInputData(vtkSmartPointer<vtkPolyData>::New());
  for (vtkDataObject* leaf : vtk::Range(composite)) {
    if (auto* set = vtkDataSet::SafeDownCast(leaf)) append->AddInputData(pointsOf(set, role + " input"));
  }
  append->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  append->Update();
  return append->GetOutput();
}

vtkSmartPointer<vtkPolyData> pointAt(const std::array<double, 3>& world) {
  return pointsOf(TypedPoints{{world.begin(), world.end()}, {}}, "point");
}

vtkSmartPointer<vtkPolyData> pointsOf(const TypedPoints& typed, const std::string& role) {
  const std::size_t numbers = typed.coordinates.size(), count = numbers / 3;
  if (numbers % 3 != 0)
    throw Error("the list of " + role + " has " + std::to_string(numbers) +
                " numbers, but each point needs three, x y z: give all three");
  if (typed.headings.size() > count)
    throw Error("the list of " + role + " has " + std::to_string(count) + " points and " +
                std::to_string(typed.headings.size()) + " headings: give at most one heading per point");
  auto out = vtkSmartPointer<vtkPolyData>::New();
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataTypeToDouble();
  for (std::size_t p = 0; p < count; ++p) points->InsertNextPoint(&typed.coordinates[3 * p]);
  out->SetPoints(points);
  if (typed.headings.empty()) return out;
  auto headings = vtkSmartPointer<vtkDoubleArray>::New();
  headings->SetName(arrays::heading);
  for (std::size_t p = 0; p < count; ++p) {
    headings->InsertNextValue(p < typed.headings.size() ? typed.headings[p]
                                                        : std::numeric_limits<double>::quiet_NaN());
  }
  out->GetPointData()->AddArray(headings);
  return out;
}

vtkSmartPointer<vtkPolyData> choosePoints(PointsFrom from, const TypedPoints& typed, vtkDataObject* input,
                                          const std::string& role) {
  if (from != PointsFrom::Typed && input) return pointsOf(input, role);
  if (from == PointsFrom::Input) {
    throw Error("there are no " + role +
                ": connect a source of points to them, or type points and set their type to Points");
  }
  auto points = pointsOf(typed, role);
  return points->GetNumberOfPoints() > 0 ? points : nullptr;
}

std::vector<double> valuesOr(vtkPolyData* points, const char* name,
                             const std::function<double(std::int64_t)>& fallback) {
  vtkDataArray* array = points->GetPointData()->GetArray(name);
  if (array && array->GetNumberOfComponents() != 1) {
    throw Error(std::string("the array '") + name + "' of the seeds or tips has " +
                std::to_string(array->GetNumberOfComponents()) +
                " components, but one number per point is needed: compute one with Calculator first");
  }
  std::vector<double> values(points->GetNumberOfPoints());
  for (vtkIdType p = 0; p < points->GetNumberOfPoints(); ++p) {
    values[p] = array ? array->GetTuple1(p) : fallback(p);
  }
  return values;
}

Places placesOf(vtkPolyData* points) {
  Places out;
  out.points = points;
  out.startValues = valuesOr(points, arrays::startValue, [](std::int64_t) { return 0.0; });
  const auto labels = labelsOf(points);
  for (vtkIdType p = 0; p < points->GetNumberOfPoints(); ++p) {
    std::array<double, 3> world{};
    points->GetPoint(p, world.data());
    out.positions.push_back(world);
    out.labels.push_back(isLabel(labels[p]) ? static_cast<std::int32_t>(labels[p]) : -1);
  }
  return out;
}

Places placesOf(vtkPolyData* points, const ImageFrame& frame) {
  Places out = placesOf(points);
  for (auto& position : out.positions) position = frame.toGrid(position);
  return out;
}

void requirePlaces(const Places& places, const std::string& role) {
  if (places.size() == 0)
    throw Error("there are no " + role +
                ": the input that is connected for them has no points, connect another or disconnect it");
  requireLabels(places, role);
}

void requireLabels(const Places& places, const std::string& role) {
  const std::vector<double> labels = labelsOf(places.points);
  const Faults faults = faultsOf(places, role.substr(0, role.size() - 1), [&](std::size_t p) -> std::string {
    if (isLabel(labels[p])) return {};
    std::ostringstream text;
    text << "has the label " << labels[p];
    return text.str();
  });
  if (faults.count == 0) return;
  throw Error("labels must be 32-bit integers other than -1, which means none of the " + role + ": " +
              faults.list + ": correct the point array " + arrays::label);
}

Faults faultsOf(const Places& places, const std::string& role,
                const std::function<std::string(std::size_t)>& fault) {
  constexpr int shown = 10; // enough to find the cause
  Faults faults;
  std::ostringstream list;
  for (std::size_t p = 0; p < places.size(); ++p) {
    const std::string what = fault(p);
    if (what.empty() || ++faults.count > shown) continue;
    double at[3];
    places.points->GetPoint(vtkIdType(p), at);
    list << (faults.count > 1 ? "; " : "") << role << ' ' << p << " at (" << at[0] << ", " << at[1] << ", "
         << at[2] << ") " << what;
  }
  if (faults.count > shown) list << "; and " << faults.count - shown << " more";
  faults.list = list.str();
  return faults;
}

} // namespace isochrone::filters
