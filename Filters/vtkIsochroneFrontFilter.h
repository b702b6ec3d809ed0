/**
 * @class vtkIsochroneFrontFilter
 * @brief base class of the filters that propagate a front from seeds through an image or a mesh
 *
 * Input 0 is the image or mesh. Inputs 1 and 2 are the seeds and the tips, which may also be set as
 * coordinates. Output 0 is the image or mesh with the arrival times. Output 1 has the paths from the tips
 * back to the seeds. The output after Isochrones is a table of travel times between all seeds and all tips,
 * if it is requested.
 */
#ifndef vtkIsochroneFrontFilter_h
#define vtkIsochroneFrontFilter_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkIsochroneFilter.h"
#include "vtkSmartPointer.h" // for the seeds

#include <array>  // for points
#include <vector> // for lists of points

class vtkPolyData;

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
  /// Several seeds: 0 together (default), the first front to arrive gives the time; 1 separate, each seed has
  /// its own travel times and a path to each tip; 2 time steps, one seed at a time, the seed of the requested
  /// time.
  vtkSetClampMacro(SeedRuns, int, 0, 2);
  vtkGetMacro(SeedRuns, int);
  ///@}

  ///@{
  /// Seeds with the same Label are one source, and tips with the same Label one target: Seed Runs Separate
  /// and Time Steps solve the seeds of a label together, and the table has one row per pair of labels, the
  /// minimum over their points. Off by default: each point is one of its own.
  vtkSetMacro(GroupByLabel, bool);
  vtkGetMacro(GroupByLabel, bool);
  ///@}

  ///@{
  /// Add the table of travel times between all seeds and all tips, one row per pair: Seed and Tip (indices,
  /// or Labels), TravelTime and Length (NaN where no path leads from the seed to the tip) and Reached. Each
  /// seed is solved alone, several at the same time; the travel times of all points are not kept. If seeds
  /// and tips are the same points and a path takes as long backwards, each pair is solved once. Off by
  /// default.
  vtkSetMacro(ComputeTravelTimeTable, bool);
  vtkGetMacro(ComputeTravelTimeTable, bool);
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

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  /// Adds the output with the table of travel times. For constructors, after AddIsochronesPort.
  void AddTravelTimeTablePort();

  static constexpr int noStep = -1;
  /// With time steps, replaces several seeds by those of the requested step. Returns the step, which the
  /// outputs store (stampStep), else noStep.
  int ChooseSeedOfStep(const Execution& execution, vtkSmartPointer<vtkPolyData>& seeds) const;

  int TravelTimeTablePort = -1; ///< -1: none
  int SeedRuns = 0;
  bool GroupByLabel = false;
  bool ComputeTravelTimeTable = false;

  std::vector<double> SeedCoordinates;
  int LastSeedType = 2; ///< maximum of SeedType; a filter may add values
  int SeedType = 2;
  int PointSeedTypes = 2; ///< maximum of SeedType for which the seeds are points
  bool CheckResidual = false;

  int Rounds = 0;
  double UpdatesPerPoint = 0;
  double Residual;

private:
  vtkIsochroneFrontFilter(const vtkIsochroneFrontFilter&) = delete;
  void operator=(const vtkIsochroneFrontFilter&) = delete;
};

#endif
