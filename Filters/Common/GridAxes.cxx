#include "Common/GridAxes.h"

#include "Common/ArrayBridge.h"
#include "Common/Ranks.h"
#include "Error.h"

#include <vtkAlgorithm.h>
#include <vtkCellData.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkMatrix3x3.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkRectilinearGrid.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include <cmath>

namespace isochrone::filters {

namespace {

using Pipeline = vtkStreamingDemandDrivenPipeline;

Extent extentOfGrid(vtkDataSet* grid) {
  Extent extent{0, -1, 0, -1, 0, -1};
  if (auto* image = vtkImageData::SafeDownCast(grid)) image->GetExtent(extent.data());
  if (auto* rectilinear = vtkRectilinearGrid::SafeDownCast(grid)) rectilinear->GetExtent(extent.data());
  return extent;
}

vtkDataArray* coordinatesOf(vtkRectilinearGrid* grid, int axis) {
  return axis == 0 ? grid->GetXCoordinates() : axis == 1 ? grid->GetYCoordinates() : grid->GetZCoordinates();
}

std::vector<double> coordinatesAlong(vtkRectilinearGrid* grid, int axis, int count) {
  vtkDataArray* const array = coordinatesOf(grid, axis);
  if (!array || array->GetNumberOfTuples() != count)
    fail("the rectilinear grid has ", array ? array->GetNumberOfTuples() : 0, " coordinates on axis ", axis,
         ", but ", count, " indices: correct the reader or source of the grid");
  std::vector<double> values;
  for (int n = 0; n < count; ++n) values.push_back(array->GetComponent(n, 0));
  return values;
}

std::vector<double> coordinatesAlong(vtkImageData* image, int axis, int first, int count) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      if (image->GetDirectionMatrix()->GetElement(r, c) != (r == c))
        throw Error(
            "the direction matrix of the image is not the identity, so its axes are not those of spherical "
            "coordinates: reset it, or choose Cartesian coordinates");
  const double step = image->GetSpacing()[axis];
  if (count > 1 && !(step > 0 && std::isfinite(step)))
    fail("the spacing of spherical coordinates must be positive, got ", step, " on axis ", axis,
         ": give the coordinates in increasing order");
  std::vector<double> values;
  for (int n = 0; n < count; ++n)
    values.push_back(image->GetOrigin()[axis] + (first + n) * (count > 1 ? step : 0));
  if (count == 1) values[0] = image->GetOrigin()[axis] + (std::isfinite(step) ? first * step : 0);
  return values;
}

void passData(vtkDataSet* from, vtkDataSet* to) {
  to->GetPointData()->ShallowCopy(from->GetPointData());
  to->GetCellData()->ShallowCopy(from->GetCellData());
  to->GetFieldData()->ShallowCopy(from->GetFieldData());
}

} // namespace

GridAxes centresOf(const GridAxes& points) {
  GridAxes centres = points;
  for (std::vector<double>& at : centres.coordinates) {
    for (std::size_t n = 0; n + 1 < at.size(); ++n) at[n] += (at[n + 1] - at[n]) / 2;
    if (at.size() > 1) at.pop_back();
  }
  return centres;
}

vtkDataSet* requireGrid(vtkDataObject* data, const std::string& role) {
  if (vtkImageData::SafeDownCast(data) || isRectilinear(data)) {
    auto* const grid = static_cast<vtkDataSet*>(data);
    requireGhosts(grid, role);
    return grid;
  }
  throw Error("the " + role + " is a " + (data ? data->GetClassName() : "missing dataset") +
              ", but one image (vtkImageData) or rectilinear grid (vtkRectilinearGrid) is needed: " +
              (vtkCompositeDataSet::SafeDownCast(data)
                   ? "extract one block with Extract Block, or apply Merge Blocks and then Resample To Image"
                   : "apply Resample To Image first"));
}

bool isRectilinear(vtkDataObject* data) { return vtkRectilinearGrid::SafeDownCast(data) != nullptr; }

bool isGridOnAll(const Ranks& ranks, bool here) {
  if (ranks.any(here) && ranks.any(!here))
    throw Error(
        "the input is an image on one rank and a rectilinear grid on another: apply Resample To Image "
        "first");
  return here;
}

IndexedGrid indexed(vtkDataSet* grid, bool spherical) {
  IndexedGrid made{vtkSmartPointer<vtkImageData>::New(), {{}, spherical}};
  Extent extent = extentOfGrid(grid);
  made.image->SetExtent(extent.data());
  passData(grid, made.image);
  for (int axis = 0; axis < 3; ++axis) {
    const int first = extent[2 * axis], count = extent[2 * axis + 1] - first + 1;
    if (count < 1) continue; // ImageFrame refuses it
    auto* const rectilinear = vtkRectilinearGrid::SafeDownCast(grid);
    made.axes.coordinates[axis] =
        rectilinear ? coordinatesAlong(rectilinear, axis, count)
                    : coordinatesAlong(vtkImageData::SafeDownCast(grid), axis, first, count);
  }
  return made;
}

IndexedGrid gathered(const Ranks& ranks, const IndexedGrid& piece) {
  if (ranks.count() == 1) return piece;
  IndexedGrid whole{ranks.gatherImage(piece.image), {{}, piece.axes.spherical}};
  const Extent bounds = extentOfGrid(whole.image), local = extentOfGrid(piece.image);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double>& all = whole.axes.coordinates[axis];
    all.resize(std::size_t(bounds[2 * axis + 1] - bounds[2 * axis] + 1));
    std::vector<double> sent{double(local[2 * axis])}; // the first index, and the coordinates from there on
    sent.insert(sent.end(), piece.axes.coordinates[axis].begin(), piece.axes.coordinates[axis].end());
    for (const std::vector<double>& received : ranks.gather<double>(sent))
      for (std::size_t n = 1; n < received.size(); ++n)
        all[std::size_t(int(received[0]) - bounds[2 * axis]) + n - 1] = received[n];
  }
  return whole;
}

void showOnGrid(vtkImageData* image, const GridAxes& axes, const Extent& whole, vtkDataSet* input,
                vtkDataObject* output) {
  Extent extent = extentOfGrid(image);
  if (auto* out = vtkImageData::SafeDownCast(output)) {
    out->CopyStructure(input);
    out->SetExtent(extent.data());
    passData(image, out);
    return;
  }
  auto* const out = vtkRectilinearGrid::SafeDownCast(output);
  out->SetExtent(extent.data());
  for (int axis = 0; axis < 3; ++axis) {
    vtkNew<vtkDoubleArray> values;
    for (int n = extent[2 * axis]; n <= extent[2 * axis + 1]; ++n)
      values->InsertNextValue(axes.coordinates[axis][std::size_t(n - whole[2 * axis])]);
    if (axis == 0) out->SetXCoordinates(values);
    if (axis == 1) out->SetYCoordinates(values);
    if (axis == 2) out->SetZCoordinates(values);
  }
  passData(image, out);
}

bool announceRectilinear(vtkInformation* input, vtkInformation* output) {
  if (!input || !isRectilinear(input->Get(vtkDataObject::DATA_OBJECT()))) return false;
  if (input->Has(Pipeline::WHOLE_EXTENT()))
    output->Set(Pipeline::WHOLE_EXTENT(), input->Get(Pipeline::WHOLE_EXTENT()), 6);
  output->Set(vtkAlgorithm::CAN_PRODUCE_SUB_EXTENT(), 1);
  return true;
}

} // namespace isochrone::filters
