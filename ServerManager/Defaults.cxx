#include "Defaults.h"

#include "Legends.h"
#include "Quantities.h"

#include <vtkCallbackCommand.h>
#include <vtkNew.h>
#include <vtkSMProxy.h>
#include <vtkSMProxyManager.h>
#include <vtkSMSettings.h>
#include <vtkSMTransferFunctionPresets.h>

#include <string>

namespace {

void filterUpdated(vtkObject* filter, unsigned long, void*, void*) {
  static_cast<vtkSMProxy*>(filter)->UpdatePropertyInformation();
}

void proxyRegistered(vtkObject*, unsigned long, void*, void* data) {
  const auto* registered = static_cast<vtkSMProxyManager::RegisteredProxyInformation*>(data);
  if (registered->Type != vtkSMProxyManager::RegisteredProxyInformation::PROXY || !registered->GroupName)
    return;
  vtkSMProxy* proxy = registered->Proxy;
  const std::string group = registered->GroupName, name = proxy->GetXMLName() ? proxy->GetXMLName() : "";
  if (group == "scalar_bars") isochrone::display::setLegendTitle(proxy);
  // ParaView reads properties such as Backend Used when a filter is selected, not when it has run.
  if (group == "sources" && name.rfind("Isochrone", 0) == 0) {
    vtkNew<vtkCallbackCommand> updated;
    updated->SetCallback(filterUpdated);
    proxy->AddObserver(vtkCommand::UpdateDataEvent, updated);
  }
}

} // namespace

void isochroneDisplayDefaults() {
  constexpr double belowUserAndSite = 0; // their priorities are positive
  // Viridis is sequential and perceptually uniform. ParaView 6 has renamed it.
  const std::string viridis = "Viridis (matplotlib)";
  const bool known = vtkSMTransferFunctionPresets::GetInstance()->HasPreset(viridis.c_str());
  vtkSMSettings::GetInstance()->AddCollectionFromString(
      isochrone::display::colourMapSettings(known ? viridis : "Viridis"), belowUserAndSite);
  vtkNew<vtkCallbackCommand> callback;
  callback->SetCallback(proxyRegistered);
  vtkSMProxyManager::GetProxyManager()->AddObserver(vtkCommand::RegisterEvent, callback);
}
