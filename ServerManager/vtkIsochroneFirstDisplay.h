/**
 * @class vtkIsochroneFirstDisplay
 * @brief initial values of a new representation
 *
 * A representation names this helper in its hints, with an element <Set property="..." value="..."/> for each
 * property, where value has one or more numbers or a word. With plane="1" an element applies only to data of
 * one plane, and with plane="0" only to other data. Both wait for data if the filter has failed
 * (vtkSMIsochroneRepresentationProxy). Values that settings changed are kept. The helper does nothing in
 * symmetric MPI mode (pvbatch --sym), where a rank knows only the bounds of its own piece.
 */
#ifndef vtkIsochroneFirstDisplay_h
#define vtkIsochroneFirstDisplay_h

#include "IsochroneServerManagerModule.h" // for the export macro
#include "vtkSMProxyInitializationHelper.h"

class ISOCHRONESERVERMANAGER_EXPORT vtkIsochroneFirstDisplay : public vtkSMProxyInitializationHelper {
public:
  static vtkIsochroneFirstDisplay* New();
  vtkTypeMacro(vtkIsochroneFirstDisplay, vtkSMProxyInitializationHelper);

  void PostInitializeProxy(vtkSMProxy* proxy, vtkPVXMLElement* xml,
                           vtkMTimeType initializationTimeStamp) override;

  /// Sets the properties of a representation that have their default.
  /// @param xml       the Set elements
  /// @param modified  properties that were modified later are kept
  static void SetValues(vtkSMProxy* representation, vtkPVXMLElement* xml, vtkMTimeType modified);

protected:
  vtkIsochroneFirstDisplay() = default;
  ~vtkIsochroneFirstDisplay() override = default;

private:
  vtkIsochroneFirstDisplay(const vtkIsochroneFirstDisplay&) = delete;
  void operator=(const vtkIsochroneFirstDisplay&) = delete;
};

#endif
