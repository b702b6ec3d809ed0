/**
 * @class vtkSMIsochroneRepresentationProxy
 * @brief representation whose legend follows the unit of the data, and whose colours wait for data
 *
 * ParaView chooses the colours of a new representation by its data. After an error these are empty, so that
 * the result of the corrected filter would have one colour.
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

  /// Colours by the active scalars as soon as there are data, unless an array is chosen before. For
  /// representations that are made without data.
  void ColourWhenFilled() { this->ColourLater = true; }

protected:
  vtkSMIsochroneRepresentationProxy() = default;
  ~vtkSMIsochroneRepresentationProxy() override = default;

  /// Called by the view after it has fetched new data.
  void ViewUpdated(vtkSMProxy* view) override;

private:
  void ColourByScalars();

  bool ColourLater = false;

  vtkSMIsochroneRepresentationProxy(const vtkSMIsochroneRepresentationProxy&) = delete;
  void operator=(const vtkSMIsochroneRepresentationProxy&) = delete;
};

#endif
