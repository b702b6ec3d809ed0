/**
 * @class vtkSMIsochroneArrayListDomain
 * @brief array list domain over one input, and over a second input if it is connected
 *
 * The XML element is IsochroneArrayListDomain (ParaView adds the prefix vtkSM). It is written as an
 * ArrayListDomain with one more required property, of function ExtraInput, that names the second input.
 */
#ifndef vtkSMIsochroneArrayListDomain_h
#define vtkSMIsochroneArrayListDomain_h

#include "IsochroneServerManagerModule.h" // for the export macro
#include "vtkSMArrayListDomain.h"

class ISOCHRONESERVERMANAGER_EXPORT vtkSMIsochroneArrayListDomain : public vtkSMArrayListDomain {
public:
  static vtkSMIsochroneArrayListDomain* New();
  vtkTypeMacro(vtkSMIsochroneArrayListDomain, vtkSMArrayListDomain);

protected:
  vtkSMIsochroneArrayListDomain() = default;
  ~vtkSMIsochroneArrayListDomain() override = default;

  vtkPVDataInformation* GetExtraDataInformation() override {
    return this->GetInputDataInformation("ExtraInput");
  }

private:
  vtkSMIsochroneArrayListDomain(const vtkSMIsochroneArrayListDomain&) = delete;
  void operator=(const vtkSMIsochroneArrayListDomain&) = delete;
};

#endif
