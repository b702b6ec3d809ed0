#include "PathsToPolyData.h"

#include "ImagePlane.h"
#include "SeedsAndTips.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSignedCharArray.h>
#include <vtkStringArray.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

namespace isochrone::filters {

namespace {

constexpr double degreesPerRadian = 180 / std::numbers::pi;

template <class Array>
vtkSmartPointer<Array> named(const char* name, int components = 1) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  return array;
}

/// The arrays of the points of all paths, filled one path after the other.
struct PointArrays {
  vtkSmartPointer<vtkPoints> points = vtkSmartPointer<vtkPoints>::New();
  vtkSmartPointer<vtkDoubleArray> travelTime = named<vtkDoubleArray>("TravelTime");
  vtkSmartPointer<vtkDoubleArray> arcLength = named<vtkDoubleArray>("ArcLength"); // world units
  vtkSmartPointer<vtkDoubleArray> tangent = named<vtkDoubleArray>("Tangent", 3);
  vtkSmartPointer<vtkDoubleArray> heading = named<vtkDoubleArray>("Heading");     // degrees, continuous
  vtkSmartPointer<vtkDoubleArray> curvature = named<vtkDoubleArray>("Curvature"); // 1 / world unit
  vtkSmartPointer<vtkSignedCharArray> gear = named<vtkSignedCharArray>("Gear");

  PointArrays() { points->SetDataTypeToDouble(); }

  void append(const Path& path, const ImagePlane& plane) {
    std::vector<double> fromSeed(path.size(), 0); // arc length
    for (std::size_t p = 1; p < path.size(); ++p) {
      fromSeed[p] = fromSeed[p - 1] + std::hypot(path.x[p] - path.x[p - 1], path.y[p] - path.y[p - 1]);
    }
    for (std::size_t p = path.size(); p-- > 0;) {
      points->InsertNextPoint(plane.toWorld(path.x[p], path.y[p]).data());
      travelTime->InsertNextValue(path.travelTime[p]);
      arcLength->InsertNextValue(fromSeed[p]);
      tangent->InsertNextTuple(plane.direction(path.heading[p]).data());
      heading->InsertNextValue(path.heading[p] * degreesPerRadian);
      curvature->InsertNextValue(path.curvature[p]);
      if (!path.gear.empty()) gear->InsertNextValue(path.gear[p]);
    }
  }

  void attachTo(vtkPolyData* out) const {
    vtkPointData* data = out->GetPointData();
    out->SetPoints(points);
    for (vtkDataArray* array :
         std::initializer_list<vtkDataArray*>{travelTime, arcLength, tangent, heading, curvature}) {
      data->AddArray(array);
    }
    if (gear->GetNumberOfTuples() > 0) data->AddArray(gear);
    // No active scalars: paths are drawn in one colour, or they would vanish on the travel time below them.
  }
};

/// A row per tip, also for those without a path.
void attachReport(const std::vector<Path>& paths, vtkPolyData* out) {
  auto status = named<vtkStringArray>("TipStatus");
  for (const Path& path : paths) status->InsertNextValue(nameOf(path.status));
  out->GetFieldData()->AddArray(status);
}

} // namespace

const char* nameOf(PathStatus status) {
  switch (status) {
  case PathStatus::Complete:
    return "Complete";
  case PathStatus::TipOutside:
    return "TipOutside";
  case PathStatus::TipInWall:
    return "TipInWall";
  case PathStatus::Unreachable:
    break;
  }
  return "Unreachable";
}

vtkSmartPointer<vtkPolyData> pathsToPolyData(const std::vector<Path>& paths, const ImagePlane& plane,
                                             const States& seeds, const States& tips) {
  auto out = vtkSmartPointer<vtkPolyData>::New();
  vtkCellData* cells = out->GetCellData();
  cells->CopyAllOn();
  cells->CopyFieldOff(arrays::heading);
  cells->CopyFieldOff(arrays::anyHeading);
  cells->CopyAllocate(tips.points->GetPointData());

  PointArrays points;
  auto lines = vtkSmartPointer<vtkCellArray>::New();
  auto tipId = named<vtkIdTypeArray>("TipId");
  auto seedId = named<vtkIntArray>("SeedId");
  auto travelTime = named<vtkDoubleArray>("TravelTime");
  auto length = named<vtkDoubleArray>("Length"); // world units
  auto energy = named<vtkDoubleArray>("Energy");
  auto status = named<vtkIntArray>("Status");
  for (std::size_t tip = 0; tip < paths.size(); ++tip) {
    const Path& path = paths[tip];
    if (path.size() == 0) continue;
    lines->InsertNextCell(int(path.size()));
    for (std::size_t p = 0; p < path.size(); ++p) {
      lines->InsertCellPoint(points.points->GetNumberOfPoints() + vtkIdType(p));
    }
    points.append(path, plane);
    const vtkIdType cell = tipId->InsertNextValue(vtkIdType(tip));
    cells->CopyData(tips.points->GetPointData(), vtkIdType(tip), cell);
    seedId->InsertNextValue(seeds.labels[path.seed]);
    travelTime->InsertNextValue(path.travelTime.back());
    length->InsertNextValue(path.length);
    energy->InsertNextValue(path.energy);
    status->InsertNextValue(int(path.status));
  }
  out->SetLines(lines);
  points.attachTo(out);
  for (vtkDataArray* array :
       std::initializer_list<vtkDataArray*>{tipId, seedId, travelTime, length, energy, status}) {
    cells->AddArray(array);
  }
  attachReport(paths, out);
  return out;
}

std::string missingPaths(const std::vector<Path>& paths, const States& tips) {
  constexpr int named = 10; // enough to find the fault
  int missing = 0;
  std::ostringstream list;
  for (std::size_t tip = 0; tip < paths.size(); ++tip) {
    if (paths[tip].status == PathStatus::Complete) continue;
    if (++missing > named) continue;
    list << (missing > 1 ? "; " : "") << nameOf("tip", tips.points, tip);
    switch (paths[tip].status) {
    case PathStatus::TipOutside:
      list << " lies outside the image";
      break;
    case PathStatus::TipInWall:
      list << " lies in a wall";
      break;
    default:
      list << " cannot be reached from any seed";
    }
  }
  if (missing == 0) return {};
  if (missing > named) list << "; and " << missing - named << " more";
  return "no path leads to " + std::to_string(missing) + " of " + std::to_string(paths.size()) +
         " tips: " + list.str();
}

} // namespace isochrone::filters
