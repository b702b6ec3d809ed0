/**
 * @class vtkSMIsochroneMediumDomain
 * @brief list of arrays that can be a speed, a velocity or a cost
 *
 * The default is the active scalars if they are positive and have one component, else no array. The XML
 * element is IsochroneMediumDomain (ParaView adds the prefix vtkSM). The property's default in XML is no
 * array of the field data: as no script sets this, Python states and traces record both an array and its
 * absence, and vtkIsochroneFirstValues sees whether a script has set None. If a required property of function
 * ScalarType is given, an array is the default only while that property is 1.
 */
#ifndef vtkSMIsochroneMediumDomain_h
#define vtkSMIsochroneMediumDomain_h

#include "IsochroneServerManagerModule.h" // for the export macro
#include "vtkSMIsochroneArrayListDomain.h"

class ISOCHRONESERVERMANAGER_EXPORT vtkSMIsochroneMediumDomain : public vtkSMIsochroneArrayListDomain {
public:
  static vtkSMIsochroneMediumDomain* New();
  vtkTypeMacro(vtkSMIsochroneMediumDomain, vtkSMIsochroneArrayListDomain);

  int SetDefaultValues(vtkSMProperty* property, bool useUncheckedValues) override;

protected:
  vtkSMIsochroneMediumDomain() = default;
  ~vtkSMIsochroneMediumDomain() override = default;

private:
  vtkSMIsochroneMediumDomain(const vtkSMIsochroneMediumDomain&) = delete;
  void operator=(const vtkSMIsochroneMediumDomain&) = delete;
};

#endif
