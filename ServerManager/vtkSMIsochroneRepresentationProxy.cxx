#include "vtkSMIsochroneRepresentationProxy.h"

#include "Legends.h"
#include "vtkIsochroneFirstDisplay.h"

#include <vtkObjectFactory.h>
#include <vtkPVDataInformation.h>
#include <vtkPVGeneralSettings.h>
#include <vtkPVView.h>
#include <vtkPVXMLElement.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMPropertyIterator.h>
#include <vtkSMSourceProxy.h>
#include <vtkSMTransferFunctionProxy.h>
#include <vtkSMVectorProperty.h>
#include <vtkSMViewProxy.h>

#include <cstring>
#include <string>

vtkStandardNewMacro(vtkSMIsochroneRepresentationProxy);

namespace {

/// Returns whether ParaView shows the legends of new representations: in windows, unless the user's settings
/// say otherwise.
bool showsLegends() {
  return vtkPVView::GetUseGenericOpenGLRenderWindow() && // of Qt
         vtkPVGeneralSettings::GetInstance()->GetScalarBarMode() ==
             vtkPVGeneralSettings::AUTOMATICALLY_SHOW_AND_HIDE_SCALAR_BARS;
}

} // namespace

void vtkSMIsochroneRepresentationProxy::InitializeWhenFilled(vtkPVXMLElement* values) {
  this->ValuesWhenFilled = values;
}

void vtkSMIsochroneRepresentationProxy::AddConsumer(vtkSMProperty* property, vtkSMProxy* consumer) {
  this->Superclass::AddConsumer(property, consumer);
  if (vtkSMViewProxy::SafeDownCast(consumer)) this->Initialized.Modified();
}

void vtkSMIsochroneRepresentationProxy::ViewUpdated(vtkSMProxy* view) {
  this->Superclass::ViewUpdated(view);
  if (this->ValuesWhenFilled && this->IsFilled()) {
    this->InitializeFilled(view);
    if (auto* updated = vtkSMViewProxy::SafeDownCast(view)) updated->Update(); // another type, another slice
  } else if (this->ValuesWhenFilled) { // the first output may have data
    vtkIsochroneFirstDisplay::SetValues(this, this->ValuesWhenFilled, this->Initialized);
  }
  vtkSMProxy* table = vtkSMPropertyHelper(this, "LookupTable", true).GetAsProxy();
  if (vtkSMProxy* legend = vtkSMTransferFunctionProxy::FindScalarBarRepresentation(table, view))
    isochrone::display::setLegendTitle(legend);
}

bool vtkSMIsochroneRepresentationProxy::IsFilled() {
  const vtkSMPropertyHelper input(this, "Input");
  auto* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  vtkPVDataInformation* data = source ? source->GetDataInformation(input.GetOutputPort()) : nullptr;
  return data && data->GetNumberOfPoints() > 0;
}

/// Chooses the values that depend on the data, as ParaView does for a new representation.
void vtkSMIsochroneRepresentationProxy::InitializeFilled(vtkSMProxy* view) {
  const vtkSmartPointer<vtkPVXMLElement> values = this->ValuesWhenFilled;
  this->ValuesWhenFilled = nullptr;
  vtkSMProperty* colour = this->GetProperty("ColorArrayName");
  const bool choosesColour = colour && !this->IsModified(colour);
  vtkSmartPointer<vtkSMPropertyIterator> each;
  each.TakeReference(this->NewPropertyIterator());
  for (each->Begin(); !each->IsAtEnd(); each->Next()) {
    vtkSMProperty* property = each->GetProperty();
    if (vtkSMVectorProperty::SafeDownCast(property) && !property->GetInformationOnly() &&
        !this->IsModified(property))
      property->ResetToDomainDefaults();
  }
  vtkIsochroneFirstDisplay::SetValues(this, values, this->Initialized);
  if (choosesColour) this->ColourFilled(view);
  this->UpdateVTKObjects();
}

/// Makes the colours of the array that ParaView has chosen. As in ParaView, an outline has none.
void vtkSMIsochroneRepresentationProxy::ColourFilled(vtkSMProxy* view) {
  vtkSMPropertyHelper chosen(this, "ColorArrayName");
  const int association = chosen.GetInputArrayAssociation();
  const std::string array = chosen.GetInputArrayNameToProcess();
  if (std::strcmp(vtkSMPropertyHelper(this, "Representation").GetAsString(), "Outline") == 0) {
    chosen.SetInputArrayToProcess(association, "");
  } else if (!array.empty()) {
    this->SetScalarColoring(array.c_str(), association);
    this->RescaleTransferFunctionToDataRange();
    if (showsLegends()) this->SetScalarBarVisibility(view, true);
  }
}

bool vtkSMIsochroneRepresentationProxy::IsModified(vtkSMProperty* property) {
  return property->GetMTime() > this->Initialized;
}
