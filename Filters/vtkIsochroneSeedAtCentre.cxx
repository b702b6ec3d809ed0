#include "vtkIsochroneSeedAtCentre.h"

#include <vtkBoundingBox.h>
#include <vtkObjectFactory.h>
#include <vtkPVDataInformation.h>
#include <vtkPVXMLElement.h>
#include <vtkSMDoubleVectorProperty.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>
#include <vtkSMSourceProxy.h>

vtkStandardNewMacro(vtkIsochroneSeedAtCentre);

void vtkIsochroneSeedAtCentre::PostInitializeProxy(vtkSMProxy* proxy, vtkPVXMLElement* xml,
                                                   vtkMTimeType initializationTimeStamp) {
  const char* name = xml->GetAttribute("property");
  vtkSMProperty* points = name ? proxy->GetProperty(name) : nullptr;
  if (!points || points->GetMTime() > initializationTimeStamp) return;
  const vtkSMPropertyHelper input(proxy, "Input");
  auto* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  if (!source) return;
  const vtkBoundingBox box(source->GetDataInformation(input.GetOutputPort())->GetBounds());
  if (!box.IsValid()) return; // the filter itself starts at the centre then
  double centre[3];
  box.GetCenter(centre);
  vtkSMPropertyHelper(points).Set(centre, 3);
}
