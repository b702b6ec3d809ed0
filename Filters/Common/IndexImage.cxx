#include "Common/IndexImage.h"

#include "Common/ArrayBridge.h"
#include "Common/Extents.h"
#include "Common/Pieces.h"
#include "Common/Ranks.h"
#include "Error.h"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkRectilinearGrid.h>

#include <array>
#include <limits>
#include <vector>

namespace isochrone::filters {

namespace {

using Coordinates = grid::OrthogonalGrid::Coordinates;

std::array<vtkDataArray*, 3> coordinatesOf(vtkRectilinearGrid* grid) {
  return {grid->GetXCoordinates(), grid->GetYCoordinates(), grid->GetZCoordinates()};
}

/// Returns the coordinates of all indices of an extent, from those of the pieces of the ranks. Collective.
Coordinates wholeCoordinates(const Ranks& ranks, vtkRectilinearGrid* piece, const Extent& whole) {
  Coordinates all;
  for (int a = 0; a < 3; ++a) {
    std::vector<double> mine; // the first index, and the coordinates from it on
    if (piece->GetNumberOfPoints() > 0) {
      vtkDataArray* values = coordinatesOf(piece)[std::size_t(a)];
      mine.push_back(piece->GetExtent()[2 * a]);
      for (vtkIdType i = 0; i < values->GetNumberOfTuples(); ++i) mine.push_back(values->GetTuple1(i));
    }
    std::vector<double>& to = all[std::size_t(a)];
    to.assign(std::size_t(whole[2 * a + 1] - whole[2 * a] + 1), std::numeric_limits<double>::quiet_NaN());
    for (const std::vector<double>& of : ranks.gather<double>(mine))
      for (std::size_t i = 1; i < of.size(); ++i) {
        const double index = of[0] + double(i - 1) - whole[2 * a];
        if (index >= 0 && index < double(to.size())) to[std::size_t(index)] = of[i];
      }
  }
  return all;
}

} // namespace

std::shared_ptr<const grid::OrthogonalGrid> IndexImage::cells() const {
  Coordinates middle;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t n = points->size(a);
    for (std::int64_t i = 0; i < (n > 1 ? n - 1 : 1); ++i)
      middle[std::size_t(a)].push_back(points->coordinate(a, n > 1 ? double(i) + 0.5 : 0));
  }
  return std::make_shared<grid::OrthogonalGrid>(middle);
}

IndexImage indexImage(const Ranks& ranks, vtkRectilinearGrid* piece, const std::string& role) {
  auto image = vtkSmartPointer<vtkImageData>::New();
  ranks.rethrowOnAll([&] {
    requireGhosts(piece, role);
    const int* extent = piece->GetExtent();
    for (int a = 0; a < 3 && piece->GetNumberOfPoints() > 0; ++a) {
      vtkDataArray* values = coordinatesOf(piece)[std::size_t(a)];
      const int points = extent[2 * a + 1] - extent[2 * a] + 1;
      if (const vtkIdType given = values ? values->GetNumberOfTuples() : 0; given != points)
        throw Error("the rectilinear grid has " + std::to_string(points) + " points along " + "xyz"[a] +
                    ", but " + std::to_string(given) + " coordinates: repair its file");
    }
    image->SetExtent(piece->GetExtent());
    image->GetPointData()->ShallowCopy(piece->GetPointData());
    image->GetCellData()->ShallowCopy(piece->GetCellData());
    image->GetFieldData()->ShallowCopy(piece->GetFieldData());
  });
  IndexImage out;
  out.image = ranks.gatherImage(image);
  if (ranks.any(out.image->GetNumberOfPoints() == 0))
    throw Error("the rectilinear grid has no points: check the filter or reader before this one");
  const Coordinates coordinates = wholeCoordinates(ranks, piece, extentOf(out.image));
  ranks.rethrowOnAll([&] { out.points = std::make_shared<grid::OrthogonalGrid>(coordinates); });
  return out;
}

void copyToGrid(vtkImageData* image, const IndexImage& whole, vtkRectilinearGrid* out) {
  const Extent extent = extentOf(image);
  out->SetExtent(const_cast<int*>(extent.data()));
  const std::array set{&vtkRectilinearGrid::SetXCoordinates, &vtkRectilinearGrid::SetYCoordinates,
                       &vtkRectilinearGrid::SetZCoordinates};
  for (int a = 0; a < 3; ++a) {
    const auto values = vtkSmartPointer<vtkDoubleArray>::New();
    const int first = whole.image->GetExtent()[2 * a];
    for (int i = extent[2 * a]; i <= extent[2 * a + 1]; ++i)
      values->InsertNextValue(whole.points->coordinate(a, double(i - first)));
    (out->*set[std::size_t(a)])(values);
  }
  out->GetPointData()->ShallowCopy(image->GetPointData());
  out->GetCellData()->ShallowCopy(image->GetCellData());
  out->GetFieldData()->ShallowCopy(image->GetFieldData());
}

} // namespace isochrone::filters
