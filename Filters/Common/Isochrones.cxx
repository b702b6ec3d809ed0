#include "Common/Isochrones.h"

#include "Common/ImageFrame.h"
#include "Common/Ranks.h"
#include "Common/TravelTimeSeeds.h"
#include "ImageTravelTime/Reuse.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkContourFilter.h>
#include <vtkDataArrayRange.h>
#include <vtkFloatArray.h>
#include <vtkIdList.h>
#include <vtkImageData.h>
#include <vtkImageDataToPointSet.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

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

/// Returns the balls of the seeds in the field data; none if there are no lines or surfaces in them.
std::vector<image::FactoringBall> ballsOf(vtkDataSet* field, const char* name) {
  auto* const image = vtkImageData::SafeDownCast(field);
  std::vector<image::FactoringBall> balls;
  if (!image || image->GetNumberOfPoints() == 0 || !hasSeedsOf(name, image)) return balls;
  const ImageFrame frame(image);
  if (frame.dimension() < 2) return balls;
  for (const TravelTimeSeed& seed : seedsOf(name, image))
    if (seed.radius > 0 && !std::isnan(seed.slowness))
      balls.push_back({frame.toGrid(seed.at), seed.startValue, seed.slowness, seed.radius});
  return balls;
}

/// Returns the points of an image, in the same order, with the origin 0 and along the axes. World coordinates
/// of contours are in single precision, which far from the origin is coarser than a step.
vtkSmartPointer<vtkImageData> atOrigin(vtkImageData* image) {
  const ImageFrame frame(image);
  double step[3];
  for (int a = 0; a < 3; ++a) step[frame.imageAxis(a)] = frame.spacing(a);
  auto copy = vtkSmartPointer<vtkImageData>::New();
  copy->SetExtent(image->GetExtent()); // adjacent pieces then have the same coordinates
  copy->SetSpacing(step);
  copy->GetPointData()->AddArray(image->GetPointData()->GetArray(reachedName));
  copy->GetPointData()->AddArray(image->GetPointGhostArray());
  copy->GetCellData()->AddArray(image->GetCellGhostArray());
  return copy;
}

/// Returns the points and cells of a contour of an image `atOrigin`.
/// @param values  of the contours
image::Front frontOf(vtkPolyData* lines, const char* name, const std::vector<double>& values,
                     const ImageFrame& frame) {
  image::Front front;
  vtkDataArray* const rounded = lines->GetPointData()->GetArray(name);
  for (vtkIdType p = 0; p < lines->GetNumberOfPoints(); ++p) {
    std::array<double, 3> at, ordered;
    lines->GetPoint(p, at.data());
    for (int a = 0; a < 3; ++a) ordered[a] = at[frame.imageAxis(a)] - frame.start(a) * frame.spacing(a);
    front.points.push_back(ordered);
    const double near = rounded->GetTuple1(p);
    front.values.push_back(
        *std::ranges::min_element(values, {}, [=](double v) { return std::abs(v - near); }));
  }
  vtkNew<vtkIdList> points;
  for (vtkIdType cell = 0; cell < lines->GetNumberOfCells(); ++cell) {
    lines->GetCellPoints(cell, points);
    const bool isLine = points->GetNumberOfIds() == 2;
    front.pieces.push_back({points->GetId(0), points->GetId(1), isLine ? -1 : points->GetId(2)});
  }
  return front;
}

/// Replaces the points and cells of a contour of an image `atOrigin`, and turns its normals as the image.
void setFront(const image::Front& front, const ImageFrame& frame, vtkPolyData* lines) {
  vtkPointData* const data = lines->GetPointData();
  const vtkIdType before = lines->GetNumberOfPoints();
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(vtkIdType(front.points.size()));
  for (std::size_t p = 0; p < front.points.size(); ++p)
    points->SetPoint(vtkIdType(p), frame.toWorld(front.points[p]).data());
  lines->SetPoints(points);
  for (int a = 0; a < data->GetNumberOfArrays(); ++a) {
    vtkAbstractArray* const array = data->GetAbstractArray(a);
    for (std::size_t n = 0; n < front.between.size(); ++n) {
      const auto [one, other] = front.between[n];
      array->InterpolateTuple(before + vtkIdType(n), one, array, other, array, 0.5);
    }
  }
  if (vtkDataArray* const normals = data->GetNormals())
    for (vtkIdType p = 0; p < normals->GetNumberOfTuples(); ++p) {
      std::array<double, 3> n, world{};
      normals->GetTuple(p, n.data());
      const double size = std::hypot(n[0], n[1], n[2]); // less than 1 between two others
      for (int a = 0; a < 3 && size > 0; ++a)
        for (int c = 0; c < 3; ++c) world[c] += n[frame.imageAxis(a)] / size * frame.direction(a)[c];
      normals->SetTuple(p, world.data());
    }
  vtkNew<vtkCellArray> segments, triangles;
  for (const image::Front::Piece& piece : front.pieces) {
    const vtkIdType ids[] = {piece[0], piece[1], piece[2]};
    piece[2] < 0 ? segments->InsertNextCell(2, ids) : triangles->InsertNextCell(3, ids);
  }
  lines->DeleteCells();
  lines->SetLines(segments);
  lines->SetPolys(triangles);
}

/// Makes contours of an image `atOrigin` round in the balls, and puts them where the image is.
void roundInBalls(vtkImageData* field, vtkDataArray* times, const std::vector<double>& values,
                  const std::vector<image::FactoringBall>& balls, vtkPolyData* lines) {
  const ImageFrame frame(field);
  const image::Grid grid{frame.size(0),    frame.size(1),    frame.size(2),
                         frame.spacing(0), frame.spacing(1), frame.spacing(2)};
  image::Front front = frontOf(lines, times->GetName(), values, frame);
  image::roundFront(
      grid, [=](std::int64_t p) { return times->GetTuple1(p); }, balls, front);
  setFront(front, frame, lines);
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
  const std::vector<image::FactoringBall> balls = ballsOf(field, name);
  auto* const image = vtkImageData::SafeDownCast(field);
  vtkSmartPointer<vtkDataSet> source = field;
  if (!balls.empty()) source = atOrigin(image);
  contour->SetInputData(contoured(source, filled));
  contour->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, name);
  std::vector<double> values;
  values.reserve(std::size_t(number));
  for (int k = 0; k < number; ++k) values.push_back(least + (greatest - least) * (k + 1) / (number + 1));
  for (int k = 0; k < number; ++k) contour->SetValue(k, values[std::size_t(k)]);
  contour->Update();
  lines->ShallowCopy(contour->GetOutput());
  removeUnreached(lines);
  lines->GetPointData()->RemoveArray(reachedName);
  if (!balls.empty() && lines->GetNumberOfPoints() > 0) roundInBalls(image, times, values, balls, lines);
  lines->GetPointData()->SetActiveScalars(nullptr); // ParaView then shows them in one colour
  return lines;
}

} // namespace isochrone::filters
