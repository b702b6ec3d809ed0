#include "vtkIsochroneFirstPoints.h"

#include <vtkBoundingBox.h>
#include <vtkObjectFactory.h>
#include <vtkPVDataInformation.h>
#include <vtkProcessModule.h>
#include <vtkSMProperty.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMSourceProxy.h>

vtkStandardNewMacro(vtkIsochroneFirstPoints);

namespace {

vtkBoundingBox boundsOfInput(vtkSMProxy* filter) {
  const vtkSMPropertyHelper input(filter, "Input");
  auto* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  if (!source) return {};
  const auto bounds = [&] {
    return vtkBoundingBox(source->GetDataInformation(input.GetOutputPort())->GetBounds());
  };
  // In a script the input may not have run yet. What it announces may be wrong (Resample To Image).
  if (!bounds().IsValid()) source->UpdatePipeline();
  return bounds();
}

} // namespace

void vtkIsochroneFirstPoints::PostInitializeProxy(vtkSMProxy* proxy, vtkPVXMLElement*,
                                                  vtkMTimeType initializationTimeStamp) {
  if (vtkProcessModule::GetSymmetricMPIMode()) return;
  const auto given = [&](const char* name) {
    return proxy->GetProperty(name)->GetMTime() > initializationTimeStamp;
  };
  const bool wantsSeed = !given("SeedPoints");
  // A connected Tips input outranks the tip, which is there to be drawn.
  const bool wantsTip = !given("TipPoints") && (given("Tips") || !(given("SeedPoints") || given("Seeds")));
  if (!wantsSeed && !wantsTip) return;
  const vtkBoundingBox box = boundsOfInput(proxy);
  if (!box.IsValid()) return; // the filter itself starts at the centre then
  double seed[3], tip[3];
  box.GetCenter(seed);
  for (int a = 0; a < 3; ++a) tip[a] = (seed[a] + box.GetBound(2 * a + 1)) / 2;
  if (wantsSeed) vtkSMPropertyHelper(proxy, "SeedPoints").Set(seed, 3);
  if (wantsTip) vtkSMPropertyHelper(proxy, "TipPoints").Set(tip, 3);
}
