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

enum class Shape { Unknown, Plane, Other };

/// Returns whether the first output of the filter lies in a plane perpendicular to an axis. The output that
/// the representation shows may be empty.
Shape shapeOf(vtkSMProxy* representation) {
  vtkPVDataInformation* data = dataOf(representation, 0);
  const vtkBoundingBox box = data ? vtkBoundingBox(data->GetBounds()) : vtkBoundingBox();
  if (!box.IsValid()) return Shape::Unknown;
  return box.GetLength(0) == 0 || box.GetLength(1) == 0 || box.GetLength(2) == 0 ? Shape::Plane
                                                                                 : Shape::Other;
}

/// Returns whether the first output of the filter is of a type.
bool isA(vtkSMProxy* representation, const char* type) {
  vtkPVDataInformation* data = dataOf(representation, 0);
  return data && data->DataSetTypeIsA(type);
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

void vtkIsochroneFirstDisplay::SetValues(vtkSMProxy* representation, vtkPVXMLElement* xml,
                                         vtkMTimeType modified) {
  const Shape shape = shapeOf(representation);
  for (unsigned int e = 0; e < xml->GetNumberOfNestedElements(); ++e) {
    vtkPVXMLElement* element = xml->GetNestedElement(e);
    int plane = 0;
    const bool conditional = element->GetScalarAttribute("plane", &plane) != 0;
    if (conditional && shape != (plane ? Shape::Plane : Shape::Other)) continue;
    const char* const type = element->GetAttribute("data");
    if (type && !isA(representation, type)) continue;
    vtkSMProperty* property = representation->GetProperty(element->GetAttribute("property"));
    if (property && property->IsValueDefault() && property->GetMTime() <= modified)
      setProperty(property, element->GetAttribute("value"));
  }
  representation->UpdateVTKObjects();
}

void vtkIsochroneFirstDisplay::PostInitializeProxy(vtkSMProxy* proxy, vtkPVXMLElement* xml, vtkMTimeType) {
  if (vtkProcessModule::GetSymmetricMPIMode()) return;
  SetValues(proxy, xml, VTK_MTIME_MAX);
  auto* isochrones = vtkSMIsochroneRepresentationProxy::SafeDownCast(proxy);
  if (isochrones && isEmpty(proxy)) isochrones->InitializeWhenFilled(xml);
}
