/**
 * @class vtkIsochroneSeedAtCentre
 * @brief puts the first seed of a new filter at the centre of its input
 *
 * A list of points cannot take its default from the bounds of the input by XML alone. With this helper, named
 * in the hints of a filter, the panel of a new filter has one seed to drag; a list set on creation is left
 * alone.
 */
#ifndef vtkIsochroneSeedAtCentre_h
#define vtkIsochroneSeedAtCentre_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkSMProxyInitializationHelper.h"

class ISOCHRONEFILTERS_EXPORT vtkIsochroneSeedAtCentre : public vtkSMProxyInitializationHelper {
public:
  static vtkIsochroneSeedAtCentre* New();
  vtkTypeMacro(vtkIsochroneSeedAtCentre, vtkSMProxyInitializationHelper);

  /// @param xml  its attribute `property` names the list of points
  void PostInitializeProxy(vtkSMProxy* proxy, vtkPVXMLElement* xml,
                           vtkMTimeType initializationTimeStamp) override;

protected:
  vtkIsochroneSeedAtCentre() = default;
  ~vtkIsochroneSeedAtCentre() override = default;

private:
  vtkIsochroneSeedAtCentre(const vtkIsochroneSeedAtCentre&) = delete;
  void operator=(const vtkIsochroneSeedAtCentre&) = delete;
};

#endif
