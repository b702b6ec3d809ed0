#include "vtkSMIsochroneMediumDomain.h"

#include <vtkDataSetAttributes.h>
#include <vtkObjectFactory.h>
#include <vtkPVArrayInformation.h>
#include <vtkPVDataInformation.h>
#include <vtkPVDataSetAttributesInformation.h>
#include <vtkSMPropertyHelper.h>

#include <cmath>
#include <cstring>

vtkStandardNewMacro(vtkSMIsochroneMediumDomain);

namespace {

bool canBeMedium(vtkPVArrayInformation* array) {
  const double* range = array->GetComponentRange(0);
  return array->GetNumberOfComponents() == 1 && range[0] > 0 && std::isfinite(range[1]);
}

} // namespace

int vtkSMIsochroneMediumDomain::SetDefaultValues(vtkSMProperty* property, bool useUncheckedValues) {
  vtkPVDataInformation* data = this->GetInputDataInformation("Input");
  if (!data || data->GetNumberOfDataSets() == 0) return 0; // the input has not run
  vtkSMPropertyHelper choice(property);
  choice.SetUseUnchecked(useUncheckedValues);
  choice.SetInputArrayToProcess(vtkDataObject::POINT, "None");
  vtkSMProperty* type = this->GetRequiredProperty("ScalarType");
  if (type && vtkSMPropertyHelper(type).GetAsInt() != 1) return 1;
  for (unsigned int n = 0; n < this->GetNumberOfStrings(); ++n) {
    const char* name = this->GetString(n);
    const int association = this->GetFieldAssociation(n);
    vtkPVArrayInformation* scalars =
        data->GetAttributeInformation(association)->GetAttributeInformation(vtkDataSetAttributes::SCALARS);
    if (!scalars || std::strcmp(scalars->GetName(), name) != 0 || !canBeMedium(scalars)) continue;
    choice.SetInputArrayToProcess(association, name);
    return 1;
  }
  return 1;
}
