#include "vtkIsochroneFirstDisplay.h"

#include "vtkSMIsochroneRepresentationProxy.h"

#include <vtkBoundingBox.h>
#include <vtkObjectFactory.h>
#include <vtkPVDataInformation.h>
#include <vtkPVXMLElement.h>
#include <vtkProcessModule.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>
#include <vtkSMSourceProxy.h>
#include <vtkSMStringVectorProperty.h>

#include <sstream>
#include <vector>

vtkStandardNewMacro(vtkIsochroneFirstDisplay);

namespace {

/// Returns what ParaView knows of an output of the filter that the representation shows, or null.
vtkPVDataInformation* dataOf(vtkSMProxy* representation, unsigned int port) {
  auto* source = vtkSMSourceProxy::SafeDownCast(vtkSMPropertyHelper(representation, "Input").GetAsProxy());
  return source ? source->GetDataInformation(port) : nullptr;
}

/// Returns whether the first output of the filter lies in a plane perpendicular to an axis. The output that
/// the representation shows may be empty.
bool isPlane(vtkSMProxy* representation) {
  vtkPVDataInformation* data = dataOf(representation, 0);
  if (!data) return false;
  const vtkBoundingBox box(data->GetBounds());
  return box.IsValid() && (box.GetLength(0) == 0 || box.GetLength(1) == 0 || box.GetLength(2) == 0);
}

bool isEmpty(vtkSMProxy* representation) {
  vtkPVDataInformation* data =
      dataOf(representation, vtkSMPropertyHelper(representation, "Input").GetOutputPort());
  return !data || data->GetNumberOfPoints() == 0;
}

void setProperty(vtkSMProperty* property, const std::string& value) {
  if (vtkSMStringVectorProperty::SafeDownCast(property)) {
    vtkSMPropertyHelper(property).Set(value.c_str());
    return;
  }
  std::istringstream text(value);
  unsigned int element = 0;
  for (double number = 0; text >> number; ++element) vtkSMPropertyHelper(property).Set(element, number);
}

} // namespace

void vtkIsochroneFirstDisplay::PostInitializeProxy(vtkSMProxy* proxy, vtkPVXMLElement* xml, vtkMTimeType) {
  if (vtkProcessModule::GetSymmetricMPIMode()) return;
  const bool plane = isPlane(proxy);
  for (unsigned int e = 0; e < xml->GetNumberOfNestedElements(); ++e) {
    vtkPVXMLElement* element = xml->GetNestedElement(e);
    int onlyPlane = plane;
    element->GetScalarAttribute("plane", &onlyPlane);
    if (bool(onlyPlane) != plane) continue;
    vtkSMProperty* property = proxy->GetProperty(element->GetAttribute("property"));
    if (property && property->IsValueDefault()) setProperty(property, element->GetAttribute("value"));
  }
  proxy->UpdateVTKObjects();
  auto* isochrones = vtkSMIsochroneRepresentationProxy::SafeDownCast(proxy);
  if (isochrones && isEmpty(proxy)) isochrones->ColourWhenFilled();
}
