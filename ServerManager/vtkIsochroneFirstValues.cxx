#include "vtkIsochroneFirstValues.h"

#include "UnusedArrays.h"

#include <vtkBoundingBox.h>
#include <vtkObjectFactory.h>
#include <vtkPVArrayInformation.h>
#include <vtkPVDataInformation.h>
#include <vtkProcessModule.h>
#include <vtkSMArrayListDomain.h>
#include <vtkSMProperty.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMPropertyIterator.h>
#include <vtkSMSourceProxy.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string>

vtkStandardNewMacro(vtkIsochroneFirstValues);

namespace {

/// Returns the bounds of the input's data. Updates the input if no script has, since its announced bounds may
/// be wrong (Resample To Image).
vtkBoundingBox boundsOfInput(vtkSMProxy* filter) {
  const vtkSMPropertyHelper input(filter, "Input");
  auto* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  if (!source) return {};
  const auto bounds = [&] {
    return vtkBoundingBox(source->GetDataInformation(input.GetOutputPort())->GetBounds());
  };
  if (!bounds().IsValid()) source->UpdatePipeline();
  return bounds();
}

/// Returns whether the input is a surface, of which the centre of its bounds is no part.
bool hasSurface(vtkSMProxy* filter) {
  const vtkSMPropertyHelper input(filter, "Input");
  auto* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  return source && source->GetDataInformation(input.GetOutputPort())->GetDataSetType() == VTK_POLY_DATA;
}

/// Arrays of speeds, velocities and costs.
constexpr const char* media[] = {"SpeedArray", "VelocityArray", "CostArray"};

/// Chooses the active scalars, else the first array in the property's domain.
void firstArray(vtkSMProperty* array) {
  auto* domain = array->FindDomain<vtkSMArrayListDomain>();
  if (domain && domain->GetNumberOfStrings() > 0) array->ResetToDomainDefaults();
}

/// Finds the finite range of the site array. Returns false if it is unknown.
bool finiteRange(vtkSMProxy* filter, double (&range)[2]) {
  const vtkSMPropertyHelper input(filter, "Input"), array(filter, "SiteArray");
  auto* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  const char* name = array.GetInputArrayNameToProcess();
  if (!source || !name) return false;
  vtkPVArrayInformation* info = source->GetDataInformation(input.GetOutputPort())
                                    ->GetArrayInformation(name, array.GetInputArrayAssociation());
  if (!info) return false;
  const double* ends = info->GetComponentFiniteRange(0);
  range[0] = ends[0], range[1] = ends[1];
  return std::isfinite(range[0]) && std::isfinite(range[1]) && range[0] <= range[1];
}

/// Sets the upper half of the range of the array.
void firstRange(vtkSMProxy* filter) {
  vtkSMProperty* property = filter->GetProperty("SiteRange");
  property->ResetToDomainDefaults();
  double range[2];
  if (!finiteRange(filter, range)) return;
  vtkSMPropertyHelper ends(property);
  ends.Set(0, range[0] + (range[1] - range[0]) / 2);
  ends.Set(1, range[1]);
}

/// Sets the middle of the range of the array.
void firstIsoValue(vtkSMProxy* filter) {
  double range[2];
  if (finiteRange(filter, range))
    vtkSMPropertyHelper(filter, "IsoValue").Set(0, range[0] + (range[1] - range[0]) / 2);
}

} // namespace

void vtkIsochroneFirstValues::PostInitializeProxy(vtkSMProxy* proxy, vtkPVXMLElement*,
                                                  vtkMTimeType initializationTimeStamp) {
  if (vtkProcessModule::GetSymmetricMPIMode()) return;
  const auto given = [&](const char* name) {
    vtkSMProperty* property = proxy->GetProperty(name);
    return property && property->GetMTime() > initializationTimeStamp;
  };
  const auto wants = [&](const char* name) { return proxy->GetProperty(name) && !given(name); };
  const bool rays = proxy->GetProperty("SourcePoints"); // names of Isochrone Ray Tracing
  const char *seedPoints = rays ? "SourcePoints" : "SeedPoints", *seeds = rays ? "Sources" : "Seeds";
  const char *tipPoints = rays ? "ReceiverPoints" : "TipPoints", *tips = rays ? "Receivers" : "Tips";
  // Seeds or sites without tips request no path. A connected Tips input takes precedence over the initial
  // tip, which is then set only to be drawn.
  const bool wantsSeed = wants(seedPoints) && !given("OnsetTimeArray"); // onset times act as seeds
  const bool wantsTip =
      wants(tipPoints) &&
      (given(tips) || !(given(seedPoints) || given(seeds) || given("SiteArray") || given("OnsetTimeArray")));
  const auto onlyInputIsGiven = [&] {
    vtkSmartPointer<vtkSMPropertyIterator> property;
    property.TakeReference(proxy->NewPropertyIterator());
    for (property->Begin(); !property->IsAtEnd(); property->Next())
      if (given(property->GetKey()) && std::strcmp(property->GetKey(), "Input") != 0) return false;
    return true;
  };
  const bool bare = onlyInputIsGiven(), anyMedium = std::any_of(std::begin(media), std::end(media), wants);
  if (!wantsSeed && !wantsTip && !anyMedium && !wants("SiteRange") && !wants("IsoValue") &&
      !wants("IntensityArray"))
    return;
  const vtkBoundingBox box = boundsOfInput(proxy);
  for (const char* array : media) {
    if (!wants(array)) continue;
    proxy->GetProperty(array)->ResetToDomainDefaults();
    if (bare) isochrone::display::warnOfUnusedArrays(proxy, array);
  }
  for (const char* array : {"SiteArray", "IntensityArray"})
    if (wants(array)) firstArray(proxy->GetProperty(array));
  if (wants("SiteRange")) firstRange(proxy);
  if (wants("IsoValue")) firstIsoValue(proxy);
  if (!box.IsValid() || hasSurface(proxy)) return; // the filter then starts at the centre, or nearest to it
  double seed[3], tip[3];
  box.GetCenter(seed);
  for (int a = 0; a < 3; ++a) tip[a] = (seed[a] + box.GetBound(2 * a + 1)) / 2;
  if (wantsSeed) vtkSMPropertyHelper(proxy, seedPoints).Set(seed, 3);
  if (wantsTip) vtkSMPropertyHelper(proxy, tipPoints).Set(tip, 3);
}
