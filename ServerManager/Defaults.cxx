#include "Defaults.h"

#include "Legends.h"
#include "Quantities.h"

#include <vtkCallbackCommand.h>
#include <vtkNew.h>
#include <vtkSMProxyManager.h>
#include <vtkSMSettings.h>

#include <string>

namespace {

void legendRegistered(vtkObject*, unsigned long, void*, void* data) {
  const auto* registered = static_cast<vtkSMProxyManager::RegisteredProxyInformation*>(data);
  if (registered->Type == vtkSMProxyManager::RegisteredProxyInformation::PROXY && registered->GroupName &&
      std::string(registered->GroupName) == "scalar_bars")
    isochrone::display::setLegendTitle(registered->Proxy);
}

} // namespace

void isochroneDisplayDefaults() {
  constexpr double belowUserAndSite = 0; // their priorities are positive
  vtkSMSettings::GetInstance()->AddCollectionFromString(isochrone::display::colourMapSettings(),
                                                        belowUserAndSite);
  vtkNew<vtkCallbackCommand> callback;
  callback->SetCallback(legendRegistered);
  vtkSMProxyManager::GetProxyManager()->AddObserver(vtkCommand::RegisterEvent, callback);
}
