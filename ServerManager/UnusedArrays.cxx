#include "UnusedArrays.h"

#include <vtkCommand.h>
#include <vtkDataObject.h>
#include <vtkDataSetAttributes.h>
#include <vtkNew.h>
#include <vtkPVArrayInformation.h>
#include <vtkPVDataInformation.h>
#include <vtkPVDataSetAttributesInformation.h>
#include <vtkSMArrayListDomain.h>
#include <vtkSMProperty.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMSourceProxy.h>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace isochrone::display {
namespace {

/// Returns information on the filter's input; null if there is none.
vtkPVDataInformation* inputOf(vtkSMProxy* filter) {
  const vtkSMPropertyHelper input(filter, "Input");
  auto* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  return source ? source->GetDataInformation(input.GetOutputPort()) : nullptr;
}

/// Returns whether an array is for drawing alone: normals or texture coordinates, which most surfaces have.
bool isForDrawing(vtkSMProxy* filter, const std::string& name) {
  vtkPVDataInformation* data = inputOf(filter);
  for (const int association : {vtkDataObject::POINT, vtkDataObject::CELL})
    for (const int attribute : {vtkDataSetAttributes::NORMALS, vtkDataSetAttributes::TCOORDS})
      if (vtkPVArrayInformation* array =
              data ? data->GetAttributeInformation(association)->GetAttributeInformation(attribute) : nullptr)
        if (name == array->GetName()) return true;
  return false;
}

/// Returns the arrays from which the property can choose, as in "mask, labels".
std::string arraysFor(vtkSMProxy* filter, vtkSMArrayListDomain* domain) {
  std::string names;
  for (unsigned int n = 0; domain && n < domain->GetNumberOfStrings(); ++n) {
    const std::string name = domain->GetString(n);
    if (name == "None" || name.rfind("vtk", 0) == 0 || isForDrawing(filter, name)) continue; // vtkGhostType
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

/// Returns why a new filter does not use the active scalars of its input (vtkSMIsochroneMediumDomain).
std::string reasonAgainstScalars(vtkSMProxy* filter) {
  vtkPVDataInformation* data = inputOf(filter);
  vtkPVArrayInformation* scalars = nullptr;
  for (const int association : {vtkDataObject::POINT, vtkDataObject::CELL})
    if (data && !scalars)
      scalars =
          data->GetAttributeInformation(association)->GetAttributeInformation(vtkDataSetAttributes::SCALARS);
  if (!scalars) return "it has no active scalars";
  const std::string these = "the active scalars ";
  const int components = scalars->GetNumberOfComponents();
  if (components != 1) return these + "have " + std::to_string(components) + " components";
  const double* range = scalars->GetComponentRange(0);
  if (!(range[0] > 0)) return these + "are not positive";
  if (!std::isfinite(range[1])) return these + "are not finite";
  return these + "are not among them";
}

/// Returns whether the user has chosen a constant.
bool hasConstant(vtkSMProxy* filter, vtkSMArrayListDomain* domain) {
  vtkSMProperty* type = domain ? domain->GetRequiredProperty("ScalarType") : nullptr;
  if (type && vtkSMPropertyHelper(type).GetAsInt() != 1) return true;
  for (const char* name : {"ConstantSpeed", "ConstantVelocity"})
    if (vtkSMProperty* constant = filter->GetProperty(name); constant && !constant->IsValueDefault())
      return true;
  return false;
}

class FirstRun : public vtkCommand {
public:
  static FirstRun* New() { return new FirstRun; }

  void Execute(vtkObject* caller, unsigned long, void*) override {
    if (std::exchange(this->HasRun, true)) return;
    auto* filter = static_cast<vtkSMProxy*>(caller);
    vtkSMProperty* medium = filter->GetProperty(this->Name.c_str());
    auto* domain = medium->FindDomain<vtkSMArrayListDomain>();
    if (medium->GetMTime() > this->Chosen || hasConstant(filter, domain)) return;
    vtkObject* speaker =
        vtkObject::SafeDownCast(filter->GetClientSideObject()); // null on a client of a server
    vtkWarningWithObjectMacro(speaker ? speaker : filter,
                              << filter->GetXMLLabel() << " does not use the arrays of its input ("
                              << arraysFor(filter, domain) << "): " << reasonAgainstScalars(filter)
                              << ". Choose the " << medium->GetXMLLabel() << ", or keep the constant");
  }

  std::string Name;
  vtkMTimeType Chosen = 0; ///< when the new filter chose no array

private:
  bool HasRun = false;
};

} // namespace

void warnOfUnusedArrays(vtkSMProxy* filter, const char* name) {
  vtkSMProperty* medium = filter->GetProperty(name);
  const char* array = vtkSMPropertyHelper(medium).GetInputArrayNameToProcess();
  const bool chosen = array && *array && std::strcmp(array, "None") != 0;
  if (chosen || arraysFor(filter, medium->FindDomain<vtkSMArrayListDomain>()).empty()) return;
  vtkNew<FirstRun> command;
  command->Name = name;
  command->Chosen = medium->GetMTime();
  filter->AddObserver(vtkCommand::UpdateDataEvent, command);
}

} // namespace isochrone::display
