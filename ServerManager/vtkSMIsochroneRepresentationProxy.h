/**
 * @class vtkSMIsochroneRepresentationProxy
 * @brief representation whose legend follows the unit of the data, and whose initial values wait for data
 *
 * ParaView chooses many initial values of a new representation by its data, such as colours and slice. After
 * an error the data are empty, and the result of the corrected filter would be shown with the values for
 * empty data.
 *
 * The XML element is IsochroneRepresentationProxy (ParaView adds the prefix vtkSM).
 */
#ifndef vtkSMIsochroneRepresentationProxy_h
#define vtkSMIsochroneRepresentationProxy_h

#include "IsochroneServerManagerModule.h" // for the export macro
#include "vtkSMPVRepresentationProxy.h"
#include "vtkSmartPointer.h"
#include "vtkTimeStamp.h"

class vtkPVXMLElement;

class ISOCHRONESERVERMANAGER_EXPORT vtkSMIsochroneRepresentationProxy : public vtkSMPVRepresentationProxy {
public:
  static vtkSMIsochroneRepresentationProxy* New();
  vtkTypeMacro(vtkSMIsochroneRepresentationProxy, vtkSMPVRepresentationProxy);

  /// Chooses the initial values again as soon as there are data, except of properties that were modified
  /// since the representation is in a view. For representations that are made without data.
  /// @param values  as in vtkIsochroneFirstDisplay
  void InitializeWhenFilled(vtkPVXMLElement* values);

protected:
  vtkSMIsochroneRepresentationProxy() = default;
  ~vtkSMIsochroneRepresentationProxy() override = default;

  void AddConsumer(vtkSMProperty* property, vtkSMProxy* consumer) override;

  /// Called by the view after it has fetched new data.
  void ViewUpdated(vtkSMProxy* view) override;

private:
  bool IsFilled();
  bool IsModified(vtkSMProperty* property);
  void InitializeFilled(vtkSMProxy* view);
  void ColourFilled(vtkSMProxy* view);

  vtkSmartPointer<vtkPVXMLElement> ValuesWhenFilled; ///< null once there are data
  vtkTimeStamp Initialized; ///< when ParaView added it to a view, after all initial values

  vtkSMIsochroneRepresentationProxy(const vtkSMIsochroneRepresentationProxy&) = delete;
  void operator=(const vtkSMIsochroneRepresentationProxy&) = delete;
};

#endif
