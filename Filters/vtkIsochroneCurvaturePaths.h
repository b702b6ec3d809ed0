/**
 * @class vtkIsochroneCurvaturePaths
 * @brief travel times and globally optimal paths with a penalty on curvature, on a 2D image
 *
 * A path moves along its heading and pays the integral of cost * C(turningRadius * (curvature - shift)). The
 * model gives C: Reeds-Shepp (forward and backward), Reeds-Shepp forward, Euler-Mumford elastica, or Dubins.
 * The travel time from the seeds to every position and heading is the fixed point of an upwind scheme. Paths
 * are traced back through it.
 *
 * Input 0 is the image (cost and walls). Inputs 1 and 2 are the seeds and the tips: points with the optional
 * point arrays Heading (degrees), AnyHeading, StartValue and Label. Input 3 is a cost that depends on the
 * heading, as an image whose third axis is the heading. Output 0 is the image with the minimum travel time
 * over all headings. Output 1 has the paths. Output 2 has the travel time on position x heading.
 *
 * With a drift, a velocity at every point of the image, a path belongs to a vehicle with a given speed and
 * turning radius. Costs are then per unit time, so that a cost of 1 gives travel times in units of time.
 * Seeds and tips have the headings of the vehicle. The outputs contain both this heading and the direction of
 * the track over ground.
 *
 * On a round trip a path runs from a seed through a tip and back to a seed.
 *
 * On request the outputs contain the derivatives of the travel times of the tips with respect to the cost,
 * the turning radius and the curvature shift, per point or per position and heading.
 *
 * Angles are in degrees, counterclockwise from the first in-plane axis of the image to the second, as
 * oriented by its direction matrix. Bad input produces an error message and empty outputs.
 *
 * The last solution is kept: moving a tip traces a new path without solving again.
 *
 * J.-M. Mirebeau, L. Gayraud, R. Barrere, D. Chen, F. Desquilbet: Massively parallel computation of globally
 * optimal shortest paths with curvature penalization, 2022.
 *
 * @warning Under MPI every rank has the whole image. Where there are more states (points times headings) per
 * rank than StatesPerRank, the ranks divide the states; else, and with a drift, a round trip, sensitivities,
 * periodic axes or CUDA, every rank solves all of them and keeps its piece.
 */
#ifndef vtkIsochroneCurvaturePaths_h
#define vtkIsochroneCurvaturePaths_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkIsochroneFrontFilter.h"

#include <memory> // for the private part
#include <vector> // for lists of headings

class ISOCHRONEFILTERS_EXPORT vtkIsochroneCurvaturePaths : public vtkIsochroneFrontFilter {
public:
  static vtkIsochroneCurvaturePaths* New();
  vtkTypeMacro(vtkIsochroneCurvaturePaths, vtkIsochroneFrontFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum MoreInputPorts { OrientedCostPort = TipsPort + 1 };
  enum MoreOutputPorts { StateSpacePort = PathsPort + 1 };
  /// Indices of SetInputArrayToProcess.
  enum Arrays { CostArray, WallArray, TurningRadiusArray, CurvatureShiftArray, DriftArray };

  /// Disconnects the optional input.
  void RemoveAllOrientedCostInputs() { this->SetInputConnection(OrientedCostPort, nullptr); }

  ///@{
  /// Model: 0 Reeds-Shepp, 1 Reeds-Shepp forward, 2 elastica, 3 Dubins (default).
  vtkSetClampMacro(Model, int, 0, 3);
  vtkGetMacro(Model, int);
  ///@}

  ///@{
  /// Turning radius in world units. Not used if a turning radius array is chosen. NaN (default): a tenth of
  /// the smaller extent of the image.
  vtkSetMacro(TurningRadius, double);
  vtkGetMacro(TurningRadius, double);
  ///@}
  /// Range from 0 to twice the default turning radius, a fifth of the smaller extent of the image. Valid
  /// after RequestInformation.
  vtkGetVector2Macro(TurningRadiusRange, double);

  ///@{
  /// Turning radius of right turns in world units; TurningRadius then applies to left turns. 0 (default): the
  /// same radius for both.
  vtkSetMacro(RightTurningRadius, double);
  vtkGetMacro(RightTurningRadius, double);
  ///@}

  ///@{
  /// Curvature without a penalty, in 1 / world unit, positive to the left. Default: 0.
  vtkSetMacro(CurvatureShift, double);
  vtkGetMacro(CurvatureShift, double);
  ///@}

  ///@{
  /// Speed of the vehicle relative to the medium, in world units per unit time. Used only with a drift array.
  /// Default: 1.
  vtkSetMacro(VehicleSpeed, double);
  vtkGetMacro(VehicleSpeed, double);
  ///@}

  ///@{
  /// Add each path as seen in the drifting medium. Off by default.
  vtkSetMacro(AddMediumPaths, bool);
  vtkGetMacro(AddMediumPaths, bool);
  ///@}

  ///@{
  /// Route: 0 from a seed to each tip (default), 1 through each tip and back to a seed.
  vtkSetClampMacro(Route, int, 0, 1);
  vtkGetMacro(Route, int);
  ///@}

  ///@{
  /// Walls are points where the wall array is nonzero (0, default) or within WallRange (1).
  vtkSetClampMacro(WallMode, int, 0, 1);
  vtkGetMacro(WallMode, int);
  vtkSetVector2Macro(WallRange, double);
  vtkGetVector2Macro(WallRange, double);
  ///@}

  ///@{
  /// Whether the axes of the image are periodic: behind the last point follows the first, so that the period
  /// is the number of points times the spacing. Off by default. Not possible with a drift, round trips
  /// and sensitivities.
  vtkSetMacro(PeriodicX, bool);
  vtkGetMacro(PeriodicX, bool);
  vtkSetMacro(PeriodicY, bool);
  vtkGetMacro(PeriodicY, bool);
  vtkSetMacro(PeriodicZ, bool);
  vtkGetMacro(PeriodicZ, bool);
  ///@}

  ///@{
  /// Whether paths go on beyond the image along periodic axes. Off (default): they are cut at its borders.
  vtkSetMacro(UnwrapPaths, bool);
  vtkGetMacro(UnwrapPaths, bool);
  ///@}

  ///@{
  /// Number of headings of the grid (default 60). An oriented cost has its own number.
  vtkSetMacro(NumberOfHeadings, int);
  vtkGetMacro(NumberOfHeadings, int);
  ///@}

  ///@{
  /// Accuracy: 0 first order; 1 (default) adds better start values in a ball around each seed; 2 adds
  /// second-order corrections away from the seeds.
  vtkSetClampMacro(Accuracy, int, 0, 2);
  vtkGetMacro(Accuracy, int);
  ///@}

  ///@{
  /// Relaxation of the upwind stencils, 0.02 to 0.5. Default: 0.1.
  vtkSetMacro(Relaxation, double);
  vtkGetMacro(Relaxation, double);
  ///@}

  ///@{
  /// Headings of the points set here, in degrees, in the order of the points. Points without an entry have
  /// any heading.
  void SetNumberOfSeedHeadings(int number);
  void SetSeedHeading(int index, double degrees);
  void SetNumberOfTipHeadings(int number);
  void SetTipHeading(int index, double degrees);
  ///@}

  ///@{
  /// Stop as soon as the travel times of all tips are final; points farther away are then unreached. Off by
  /// default.
  vtkSetMacro(StopAtTips, bool);
  vtkGetMacro(StopAtTips, bool);
  ///@}

  ///@{
  /// Fill output 2. StateSpaceHeight is the length of its third axis in world units; 0 (default): the smaller
  /// extent of the image.
  vtkSetMacro(ComputeStateSpace, bool);
  vtkGetMacro(ComputeStateSpace, bool);
  vtkSetMacro(StateSpaceHeight, double);
  vtkGetMacro(StateSpaceHeight, double);
  ///@}

  ///@{
  /// Add the derivatives of the weighted sum of the travel times of the tips (point array Weight) with
  /// respect to the cost. SensitivityRadius adds those with respect to the turning radius and the curvature
  /// shift. Off by default.
  vtkSetMacro(ComputeSensitivity, bool);
  vtkGetMacro(ComputeSensitivity, bool);
  vtkSetMacro(SensitivityRadius, bool);
  vtkGetMacro(SensitivityRadius, bool);
  ///@}

  ///@{
  /// Under MPI, the ranks divide the states if there are more than this number for each of them. Default:
  /// 2^24.
  vtkSetClampMacro(StatesPerRank, vtkIdType, 0, VTK_ID_MAX);
  vtkGetMacro(StatesPerRank, vtkIdType);
  ///@}

protected:
  vtkIsochroneCurvaturePaths();
  ~vtkIsochroneCurvaturePaths() override;

  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  bool Execute(Execution&) override;
  void Forget() override;

private:
  vtkIsochroneCurvaturePaths(const vtkIsochroneCurvaturePaths&) = delete;
  void operator=(const vtkIsochroneCurvaturePaths&) = delete;

  struct Internals;
  std::unique_ptr<Internals> Internal;

  int Model = 3;
  double TurningRadius;
  double TurningRadiusRange[2] = {0, 0};
  double RightTurningRadius = 0;
  double CurvatureShift = 0;
  double VehicleSpeed = 1;
  bool AddMediumPaths = false;
  int Route = 0;
  int WallMode = 0;
  double WallRange[2] = {0, 0};
  bool PeriodicX = false;
  bool PeriodicY = false;
  bool PeriodicZ = false;
  bool UnwrapPaths = false;
  int NumberOfHeadings = 60;
  int Accuracy = 1;
  double Relaxation = 0.1;
  std::vector<double> SeedHeadings, TipHeadings; ///< degrees
  bool StopAtTips = false;
  bool ComputeStateSpace = false;
  double StateSpaceHeight = 0;
  bool ComputeSensitivity = false;
  bool SensitivityRadius = false;
  vtkIdType StatesPerRank = vtkIdType(1) << 24;
};

#endif
