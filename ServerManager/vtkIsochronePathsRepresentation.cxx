#include "vtkIsochronePathsRepresentation.h"

#include "PointMarkers.h"

#include <vtkActor.h>
#include <vtkActor2D.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataObjectTreeRange.h>
#include <vtkMatrix4x4.h>
#include <vtkObjectFactory.h>
#include <vtkPVLODActor.h>
#include <vtkPVRenderView.h>
#include <vtkPolyData.h>
#include <vtkRenderer.h>
#include <vtkTimeStamp.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

vtkStandardNewMacro(vtkIsochronePathsRepresentation);

namespace {

using isochrone::display::Marker;
using isochrone::display::Role;

std::vector<vtkPolyData*> polyDataIn(vtkDataObject* data) {
  std::vector<vtkPolyData*> out;
  if (auto* single = vtkPolyData::SafeDownCast(data)) out.push_back(single);
  if (auto* tree = vtkDataObjectTree::SafeDownCast(data))
    for (vtkDataObject* leaf : vtk::Range(tree, vtk::DataObjectTreeOptions::SkipEmptyNodes |
                                                    vtk::DataObjectTreeOptions::VisitOnlyLeaves |
                                                    vtk::DataObjectTreeOptions::TraverseSubTree))
      if (auto* lines = vtkPolyData::SafeDownCast(leaf)) out.push_back(lines);
  return out;
}

/// Numbers of the seeds or tips of the lines: the first of the arrays that exists, else none.
class Numbers {
public:
  Numbers(vtkPolyData* lines, std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (!this->Ids) this->Ids = lines->GetCellData()->GetArray(name);
  }
  vtkIdType operator[](vtkIdType cell) const {
    return this->Ids ? vtkIdType(this->Ids->GetComponent(cell, 0)) : -1;
  }

private:
  vtkDataArray* Ids = nullptr;
};

} // namespace

struct vtkIsochronePathsRepresentation::Ends {
  isochrone::display::PointMarkers markers;
  vtkTimeStamp placed;
  vtkDataObject* of = nullptr; // only compared, never used
};

vtkIsochronePathsRepresentation::vtkIsochronePathsRepresentation() : Markers(std::make_unique<Ends>()) {}

vtkIsochronePathsRepresentation::~vtkIsochronePathsRepresentation() = default;

int vtkIsochronePathsRepresentation::ProcessViewRequest(vtkInformationRequestKey* request, vtkInformation* in,
                                                        vtkInformation* out) {
  if (!this->Superclass::ProcessViewRequest(request, in, out)) return 0;
  if (request == vtkPVView::REQUEST_RENDER()) this->PlaceMarkers(vtkPVView::GetDeliveredPiece(in, this));
  return 1;
}

void vtkIsochronePathsRepresentation::PlaceMarkers(vtkDataObject* paths) {
  vtkMatrix4x4* toWorld = this->Actor->GetMatrix(); // the display properties Translation, Scale and so on
  const vtkMTimeType placed = this->Markers->placed;
  if (paths == this->Markers->of && placed > toWorld->GetMTime() && (!paths || placed > paths->GetMTime()))
    return;
  std::vector<Marker> markers;
  for (vtkPolyData* lines : polyDataIn(paths)) {
    const Numbers seed(lines, {"SeedId", "SourceId"}), tip(lines, {"TipId", "ReceiverId"});
    const auto at = [&](vtkIdType point) {
      double x[4] = {0, 0, 0, 1};
      lines->GetPoint(point, x);
      toWorld->MultiplyPoint(x, x);
      return std::array{x[0], x[1], x[2]};
    };
    for (vtkIdType cell = 0; cell < lines->GetNumberOfCells(); ++cell) {
      vtkIdType size = 0;
      const vtkIdType* points = nullptr;
      lines->GetCellPoints(cell, size, points);
      if (size < 1) continue;
      markers.push_back({Role::Tip, tip[cell], at(points[0])});
      markers.push_back({Role::Seed, seed[cell], at(points[size - 1])});
    }
  }
  std::ranges::sort(markers); // several paths may start at one seed
  markers.erase(std::unique(markers.begin(), markers.end()), markers.end());
  this->Markers->markers.set(markers);
  this->Markers->of = paths;
  this->Markers->placed.Modified();
}

void vtkIsochronePathsRepresentation::SetVisibility(bool visible) {
  this->Superclass::SetVisibility(visible);
  this->Markers->markers.setVisibility(visible);
}

bool vtkIsochronePathsRepresentation::AddToView(vtkView* view) {
  auto* renderView = vtkPVRenderView::SafeDownCast(view);
  if (!renderView || !this->Superclass::AddToView(view)) return false;
  renderView->GetRenderer()->AddActor(this->Markers->markers.balls());
  renderView->GetRenderer()->AddActor(this->Markers->markers.numbers());
  return true;
}

bool vtkIsochronePathsRepresentation::RemoveFromView(vtkView* view) {
  auto* renderView = vtkPVRenderView::SafeDownCast(view);
  if (!renderView) return false;
  renderView->GetRenderer()->RemoveActor(this->Markers->markers.balls());
  renderView->GetRenderer()->RemoveActor(this->Markers->markers.numbers());
  return this->Superclass::RemoveFromView(view);
}
