/**
 * @class vtkIsochronePointHandles
 * @brief handles of seeds or tips in a view, each with its number
 *
 * Unlike those of its base class, the points are not vertices of a line: there is none to see, to drag or to
 * insert points into.
 */
#ifndef vtkIsochronePointHandles_h
#define vtkIsochronePointHandles_h

#include "IsochroneServerManagerModule.h" // for the export macro
#include "vtkPolyLineRepresentation.h"

#include <memory>

class ISOCHRONESERVERMANAGER_EXPORT vtkIsochronePointHandles : public vtkPolyLineRepresentation {
public:
  static vtkIsochronePointHandles* New();
  vtkTypeMacro(vtkIsochronePointHandles, vtkPolyLineRepresentation);

  /// Selects the colour: 0 for seeds, 1 for tips.
  void SetRole(int role);

  /// Accepts 0, unlike the base class.
  void SetNumberOfHandles(int number) override;
  void BuildRepresentation() override;
  void EndWidgetInteraction(double position[2]) override;
  int RenderOpaqueGeometry(vtkViewport* viewport) override;
  int RenderOverlay(vtkViewport* viewport) override;
  void ReleaseGraphicsResources(vtkWindow* window) override;

protected:
  vtkIsochronePointHandles();
  ~vtkIsochronePointHandles() override;

  /// The base class keeps two handles.
  void EraseHandle(const int& index) override;

private:
  struct Numbers;
  std::unique_ptr<Numbers> Labels;

  vtkIsochronePointHandles(const vtkIsochronePointHandles&) = delete;
  void operator=(const vtkIsochronePointHandles&) = delete;
};

#endif
