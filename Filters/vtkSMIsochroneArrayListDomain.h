/**
 * @class vtkSMIsochroneArrayListDomain
 * @brief the arrays of one input, and of a second one where it is connected
 *
 * In XML it is an IsochroneArrayListDomain (ParaView puts vtkSM before the element's name), written as an
 * ArrayListDomain with one more required property of function ExtraInput: the second input.
 */
#ifndef vtkSMIsochroneArrayListDomain_h
#define vtkSMIsochroneArrayListDomain_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkSMArrayListDomain.h"

class ISOCHRONEFILTERS_EXPORT vtkSMIsochroneArrayListDomain : public vtkSMArrayListDomain {
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
