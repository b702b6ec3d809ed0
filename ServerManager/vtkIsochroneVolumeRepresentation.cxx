#include "vtkIsochroneVolumeRepresentation.h"

#include <vtkAlgorithm.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkPolyData.h>

vtkStandardNewMacro(vtkIsochroneVolumeRepresentation);

int vtkIsochroneVolumeRepresentation::FillInputPortInformation(int port, vtkInformation* info) {
  const int result = this->Superclass::FillInputPortInformation(port, info);
  info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPolyData");
  return result;
}

int vtkIsochroneVolumeRepresentation::RequestData(vtkInformation* request, vtkInformationVector** inputs,
                                                  vtkInformationVector* outputs) {
  this->IsSurface = vtkPolyData::GetData(inputs[0]);
  // The superclass would take the input for an unstructured grid.
  if (this->IsSurface) // NOLINTNEXTLINE(bugprone-parent-virtual-call)
    return this->vtkPVDataRepresentation::RequestData(request, inputs, outputs);
  return this->Superclass::RequestData(request, inputs, outputs);
}

int vtkIsochroneVolumeRepresentation::ProcessViewRequest(vtkInformationRequestKey* request,
                                                         vtkInformation* in, vtkInformation* out) {
  if (this->IsSurface) return 0;
  return this->Superclass::ProcessViewRequest(request, in, out);
}
