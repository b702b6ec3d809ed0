#include "vtkSMIsochroneRepresentationProxy.h"

#include "Legends.h"

#include <vtkDataObject.h>
#include <vtkDataSetAttributes.h>
#include <vtkObjectFactory.h>
#include <vtkPVArrayInformation.h>
#include <vtkPVDataInformation.h>
#include <vtkPVDataSetAttributesInformation.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMSourceProxy.h>
#include <vtkSMTransferFunctionProxy.h>

vtkStandardNewMacro(vtkSMIsochroneRepresentationProxy);

void vtkSMIsochroneRepresentationProxy::ViewUpdated(vtkSMProxy* view) {
  this->Superclass::ViewUpdated(view);
  if (this->ColourLater) this->ColourByScalars();
  vtkSMProxy* table = vtkSMPropertyHelper(this, "LookupTable", true).GetAsProxy();
  if (vtkSMProxy* legend = vtkSMTransferFunctionProxy::FindScalarBarRepresentation(table, view))
    isochrone::display::setLegendTitle(legend);
}

void vtkSMIsochroneRepresentationProxy::ColourByScalars() {
  const vtkSMPropertyHelper input(this, "Input");
  auto* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  vtkPVDataInformation* data = source ? source->GetDataInformation(input.GetOutputPort()) : nullptr;
  if (!data || data->GetNumberOfPoints() == 0) return; // still empty
  this->ColourLater = false;
  const char* chosen = vtkSMPropertyHelper(this, "ColorArrayName").GetInputArrayNameToProcess();
  vtkPVArrayInformation* scalars =
      data->GetPointDataInformation()->GetAttributeInformation(vtkDataSetAttributes::SCALARS);
  if (!scalars || (chosen && *chosen)) return;
  this->SetScalarColoring(scalars->GetName(), vtkDataObject::POINT);
  this->RescaleTransferFunctionToDataRange();
}
