/**
 * @class vtkIsochroneFrontFilter
 * @brief what the filters have in common that send a front from seeds over an image or a mesh
 *
 * Input 0 is the image or mesh, inputs 1 and 2 are seeds and tips, of which points may also be typed. Output
 * 0 is the image or mesh with the arrival times, output 1 the paths from the tips back to the seeds.
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
  /// Seeds: points set here (0), points of the input (1), or those of the input if it is connected, else
  /// those set here (2). Without any point set, the seed is the centre.
  void SetSeedType(int type);
  vtkGetMacro(SeedType, int);
  void SetNumberOfSeedCoordinates(int number);
  void SetSeedCoordinate(int index, double value);
  ///@}

  ///@{
  /// Evaluate Residual after a solve; costs about as much as one more visit of every point.
  vtkSetMacro(CheckResidual, bool);
  vtkGetMacro(CheckResidual, bool);
  ///@}

  ///@{
  /// About the last solve: rounds, updates per point, residual (NaN if not asked for).
  vtkGetMacro(Rounds, int);
  vtkGetMacro(UpdatesPerPoint, double);
  vtkGetMacro(Residual, double);
  ///@}

protected:
  vtkIsochroneFrontFilter();
  ~vtkIsochroneFrontFilter() override = default;

  std::vector<double> SeedCoordinates;
  int LastSeedType = 2; ///< the largest value; a filter may know more
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
