#include "vtkSMIsochroneRepresentationProxy.h"

#include "Legends.h"

#include <vtkObjectFactory.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMTransferFunctionProxy.h>

vtkStandardNewMacro(vtkSMIsochroneRepresentationProxy);

void vtkSMIsochroneRepresentationProxy::ViewUpdated(vtkSMProxy* view) {
  this->Superclass::ViewUpdated(view);
  vtkSMProxy* table = vtkSMPropertyHelper(this, "LookupTable", true).GetAsProxy();
  if (vtkSMProxy* legend = vtkSMTransferFunctionProxy::FindScalarBarRepresentation(table, view))
    isochrone::display::setLegendTitle(legend);
}
