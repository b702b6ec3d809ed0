#include "PointMarkers.h"

#include <vtkActor.h>
#include <vtkActor2D.h>
#include <vtkCellArray.h>
#include <vtkLabeledDataMapper.h>
#include <vtkMapper.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkStringArray.h>
#include <vtkTextProperty.h>
#include <vtkUnsignedCharArray.h>

#include <string>

namespace isochrone::display {

std::array<double, 3> colourOf(Role role) {
  if (role == Role::Seed) return {1, 1, 1};
  return {1, 0.6, 0};
}

PointMarkers::PointMarkers() {
  vtkNew<vtkPolyDataMapper> ballMapper;
  ballMapper->SetInputData(this->BallData);
  this->Balls->SetMapper(ballMapper);
  this->Balls->PickableOff();                   // picks and selections get the data below
  this->Balls->GetProperty()->SetPointSize(12); // pixels
  this->Balls->GetProperty()->RenderPointsAsSpheresOn();

  vtkNew<vtkLabeledDataMapper> numberMapper;
  numberMapper->SetInputData(this->NumberData);
  numberMapper->SetLabelModeToLabelFieldData();
  numberMapper->SetFieldDataName("Number");
  vtkTextProperty* text = numberMapper->GetLabelTextProperty();
  text->SetColor(1, 1, 1);
  text->SetFontFamilyToArial();
  text->SetFontSize(16);
  text->BoldOn();
  text->ItalicOff();
  text->ShadowOn(); // readable on light colours too
  text->SetJustificationToLeft();
  text->SetVerticalJustificationToBottom();
  this->Numbers->SetMapper(numberMapper);
  this->Numbers->PickableOff();
  this->set({});
}

PointMarkers::~PointMarkers() = default;

namespace {

/// Cancels the shift of points toward the camera, by which ParaView separates them from surfaces at the same
/// depth. Spheres stand out by themselves, and with VTK 9.4 shifted spheres disappear behind slices.
void omitDepthShift(vtkMapper* mapper) {
  double units = 0;
  vtkMapper::GetResolveCoincidentTopologyPointOffsetParameter(units); // a setting of ParaView
  mapper->SetRelativeCoincidentTopologyPointOffsetParameter(-units);
}

} // namespace

void PointMarkers::set(const std::vector<Marker>& markers) {
  constexpr std::size_t mostNumbers = 100; // as ParaView's own labels
  vtkNew<vtkPoints> all, numbered;
  vtkNew<vtkCellArray> vertices;
  vtkNew<vtkUnsignedCharArray> colours;
  vtkNew<vtkStringArray> numbers;
  colours->SetNumberOfComponents(3);
  numbers->SetName("Number");
  for (const Marker& marker : markers) {
    const vtkIdType id = all->InsertNextPoint(marker.position.data());
    vertices->InsertNextCell(1, &id);
    for (const double part : colourOf(marker.role)) colours->InsertNextValue((unsigned char)(255 * part));
    if (marker.number < 0 || markers.size() > mostNumbers) continue;
    numbered->InsertNextPoint(marker.position.data());
    numbers->InsertNextValue("  " + std::to_string(marker.number)); // to the right of the ball
  }
  this->BallData->SetPoints(all);
  this->BallData->SetVerts(vertices);
  this->BallData->GetPointData()->SetScalars(colours);
  this->NumberData->SetPoints(numbered);
  this->NumberData->GetPointData()->Initialize();
  this->NumberData->GetPointData()->AddArray(numbers);
  omitDepthShift(this->Balls->GetMapper());
}

void PointMarkers::setVisibility(bool visible) {
  this->Balls->SetVisibility(visible);
  this->Numbers->SetVisibility(visible);
}

} // namespace isochrone::display
