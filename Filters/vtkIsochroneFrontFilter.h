/**
 * @class vtkIsochroneFrontFilter
 * @brief base class of the filters that propagate a front from seeds through an image or a mesh
 *
 * Input 0 is the image or mesh. Inputs 1 and 2 are the seeds and the tips, which may also be set as
 * coordinates. Output 0 is the image or mesh with the arrival times. Output 1 has the paths from the tips
 * back to the seeds.
 */
#ifndef vtkIsochroneFrontFilter_h
#define vtkIsochroneFrontFilter_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkIsochroneFilter.h"

#include <array>  // for points
#include <vector> // for lists of points

class ISOCHRONEFILTERS_EXPORT vtkIsochroneFrontFilter : public vtkIsochroneFilter {
public:
  vtkTypeMacro(vtkIsochroneFrontFilter, vtkIsochroneFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum FrontInputPorts { SeedsPort = InputPort + 1, TipsPort };
  enum OutputPorts { TravelTimePort = FieldPort, PathsPort = LinesPort };

  ///@{
  /// Disconnect an optional input.
  void RemoveAllSeedsInputs() { this->SetInputConnection(SeedsPort, nullptr); }
  void RemoveAllTipsInputs() { this->SetInputConnection(TipsPort, nullptr); }
  ///@}

  ///@{
  /// Seeds: the points set here (0), the points of the input (1), or the points of the input if it is
  /// connected, else the points set here (2). If no point is set, the seed is the centre.
  void SetSeedType(int type);
  vtkGetMacro(SeedType, int);
  void SetNumberOfSeedCoordinates(int number);
  void SetSeedCoordinate(int index, double value);
  ///@}

  ///@{
  /// Evaluate Residual after a solve; takes about as long as one more update of every point. Off by default.
  vtkSetMacro(CheckResidual, bool);
  vtkGetMacro(CheckResidual, bool);
  ///@}

  ///@{
  /// Information about the last solve: rounds, updates per point, residual (NaN unless CheckResidual is on).
  vtkGetMacro(Rounds, int);
  vtkGetMacro(UpdatesPerPoint, double);
  vtkGetMacro(Residual, double);
  ///@}

protected:
  vtkIsochroneFrontFilter();
  ~vtkIsochroneFrontFilter() override = default;

  std::vector<double> SeedCoordinates;
  int LastSeedType = 2; ///< maximum of SeedType; a filter may add values
  int SeedType = 2;
  bool CheckResidual = false;

  int Rounds = 0;
  double UpdatesPerPoint = 0;
  double Residual;

private:
  vtkIsochroneFrontFilter(const vtkIsochroneFrontFilter&) = delete;
  void operator=(const vtkIsochroneFrontFilter&) = delete;
};

#endif
