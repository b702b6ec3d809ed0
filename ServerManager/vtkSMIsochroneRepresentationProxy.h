/**
 * @class vtkSMIsochroneRepresentationProxy
 * @brief representation whose legend follows the unit of the data
 *
 * The XML element is IsochroneRepresentationProxy (ParaView adds the prefix vtkSM).
 */
#ifndef vtkSMIsochroneRepresentationProxy_h
#define vtkSMIsochroneRepresentationProxy_h

#include "IsochroneServerManagerModule.h" // for the export macro
#include "vtkSMPVRepresentationProxy.h"

class ISOCHRONESERVERMANAGER_EXPORT vtkSMIsochroneRepresentationProxy : public vtkSMPVRepresentationProxy {
public:
  static vtkSMIsochroneRepresentationProxy* New();
  vtkTypeMacro(vtkSMIsochroneRepresentationProxy, vtkSMPVRepresentationProxy);

protected:
  vtkSMIsochroneRepresentationProxy() = default;
  ~vtkSMIsochroneRepresentationProxy() override = default;

  /// Called by the view after it has fetched new data.
  void ViewUpdated(vtkSMProxy* view) override;

private:
  vtkSMIsochroneRepresentationProxy(const vtkSMIsochroneRepresentationProxy&) = delete;
  void operator=(const vtkSMIsochroneRepresentationProxy&) = delete;
};

#endif
