/**
 * @class vtkIsochroneVolumeRepresentation
 * @brief ParaView's volume rendering of unstructured grids, which draws nothing of a surface
 *
 * The output of Mesh Travel Time is a mesh or a surface. The other types of its representation show both.
 */
#ifndef vtkIsochroneVolumeRepresentation_h
#define vtkIsochroneVolumeRepresentation_h

#include "IsochroneServerManagerModule.h" // for the export macro
#include "vtkUnstructuredGridVolumeRepresentation.h"

class ISOCHRONESERVERMANAGER_EXPORT vtkIsochroneVolumeRepresentation
    : public vtkUnstructuredGridVolumeRepresentation {
public:
  static vtkIsochroneVolumeRepresentation* New();
  vtkTypeMacro(vtkIsochroneVolumeRepresentation, vtkUnstructuredGridVolumeRepresentation);

  int ProcessViewRequest(vtkInformationRequestKey* request, vtkInformation* in, vtkInformation* out) override;

protected:
  vtkIsochroneVolumeRepresentation() = default;
  ~vtkIsochroneVolumeRepresentation() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  bool IsSurface = false;

  vtkIsochroneVolumeRepresentation(const vtkIsochroneVolumeRepresentation&) = delete;
  void operator=(const vtkIsochroneVolumeRepresentation&) = delete;
};

#endif
