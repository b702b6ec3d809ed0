#include "vtkIsochronePointHandles.h"

#include "PointMarkers.h"

#include <vtkActor.h>
#include <vtkActor2D.h>
#include <vtkMapper.h>
#include <vtkObjectFactory.h>
#include <vtkProperty.h>

#include <array>
#include <vector>

vtkStandardNewMacro(vtkIsochronePointHandles);

struct vtkIsochronePointHandles::Numbers {
  isochrone::display::PointMarkers markers;
  isochrone::display::Role role = isochrone::display::Role::Seed;
};

vtkIsochronePointHandles::vtkIsochronePointHandles() : Labels(std::make_unique<Numbers>()) {
  this->LineActor->SetMapper(nullptr); // neither drawn nor picked
  this->SetRole(0);
}

vtkIsochronePointHandles::~vtkIsochronePointHandles() = default;

void vtkIsochronePointHandles::SetRole(int role) {
  this->Labels->role = isochrone::display::Role(role);
  auto colour = isochrone::display::colourOf(this->Labels->role);
  this->HandleProperty->SetColor(colour.data());
  this->Modified();
}

void vtkIsochronePointHandles::SetNumberOfHandles(int number) {
  if (number > 0) {
    this->Superclass::SetNumberOfHandles(number);
    return;
  }
  this->SetCurrentHandleIndex(-1);
  this->ClearHandles();
  this->NumberOfHandles = 0;
  this->BuildRepresentation();
}

void vtkIsochronePointHandles::EndWidgetInteraction(double position[2]) {
  if (this->InteractionState == Erasing && this->CurrentHandleIndex == 0) { // which the base class keeps
    this->SetCurrentHandleIndex(-1);
    this->EraseHandle(0);
  }
  this->Superclass::EndWidgetInteraction(position);
}

void vtkIsochronePointHandles::EraseHandle(const int& index) {
  if (index < 0) return;
  std::vector<std::array<double, 3>> left;
  for (int handle = 0; handle < this->NumberOfHandles; ++handle) {
    const double* at = this->GetHandlePosition(handle);
    if (handle != index) left.push_back({at[0], at[1], at[2]});
  }
  this->SetNumberOfHandles(int(left.size()));
  for (int handle = 0; handle < this->NumberOfHandles; ++handle)
    this->SetHandlePosition(handle, left[std::size_t(handle)].data());
}

void vtkIsochronePointHandles::BuildRepresentation() {
  this->Superclass::BuildRepresentation();
  std::vector<isochrone::display::Marker> markers;
  for (int handle = 0; handle < this->NumberOfHandles; ++handle) {
    const double* at = this->GetHandlePosition(handle);
    markers.push_back({this->Labels->role, handle, {at[0], at[1], at[2]}});
  }
  this->Labels->markers.set(markers);
}

int vtkIsochronePointHandles::RenderOpaqueGeometry(vtkViewport* viewport) {
  const int rendered = this->Superclass::RenderOpaqueGeometry(viewport); // builds the representation
  return rendered + this->Labels->markers.numbers()->RenderOpaqueGeometry(viewport); // places the numbers
}

int vtkIsochronePointHandles::RenderOverlay(vtkViewport* viewport) {
  return this->Superclass::RenderOverlay(viewport) + this->Labels->markers.numbers()->RenderOverlay(viewport);
}

void vtkIsochronePointHandles::ReleaseGraphicsResources(vtkWindow* window) {
  this->Superclass::ReleaseGraphicsResources(window);
  this->Labels->markers.numbers()->ReleaseGraphicsResources(window);
}
