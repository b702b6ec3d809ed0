/**
 * @class vtkIsochronePathsRepresentation
 * @brief paths, rays or segments with a marker at the seed and at the tip of each
 *
 * The markers have two colours and the numbers of the cell arrays SeedId and TipId (SourceId and ReceiverId
 * of rays). A line runs from the tip to the seed, as in the outputs of the filters.
 */
#ifndef vtkIsochronePathsRepresentation_h
#define vtkIsochronePathsRepresentation_h

#include "IsochroneServerManagerModule.h" // for the export macro
#include "vtkGeometryRepresentationWithFaces.h"

#include <memory>

class ISOCHRONESERVERMANAGER_EXPORT vtkIsochronePathsRepresentation
    : public vtkGeometryRepresentationWithFaces {
public:
  static vtkIsochronePathsRepresentation* New();
  vtkTypeMacro(vtkIsochronePathsRepresentation, vtkGeometryRepresentationWithFaces);

  int ProcessViewRequest(vtkInformationRequestKey* request, vtkInformation* in, vtkInformation* out) override;
  void SetVisibility(bool visible) override;

protected:
  vtkIsochronePathsRepresentation();
  ~vtkIsochronePathsRepresentation() override;

  bool AddToView(vtkView* view) override;
  bool RemoveFromView(vtkView* view) override;

private:
  void PlaceMarkers(vtkDataObject* paths);

  struct Ends;
  std::unique_ptr<Ends> Markers;

  vtkIsochronePathsRepresentation(const vtkIsochronePathsRepresentation&) = delete;
  void operator=(const vtkIsochronePathsRepresentation&) = delete;
};

#endif
