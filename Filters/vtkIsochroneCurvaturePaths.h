/**
 * @class vtkIsochroneCurvaturePaths
 * @brief travel times and globally optimal paths with a penalty on curvature, on a 2D image
 *
 * A path moves along its heading and pays the integral of cost * C(turningRadius * (curvature - shift)), C
 * given by the model: Reeds-Shepp (forward and backward), Reeds-Shepp forward, Euler-Mumford elastica, or
 * Dubins. The travel time from the seeds to every position and heading is the fixed point of an upwind
 * scheme; paths follow it back.
 *
 * Input 0 is the image (cost and walls), inputs 1 and 2 are seeds and tips (points, with the optional point
 * arrays Heading in degrees, AnyHeading, StartValue and Label), input 3 is a cost that depends on the
 * heading, an image whose third axis is the heading. Output 0 is the image with the least travel time over
 * all headings, output 1 the paths, output 2 the travel time on position x heading.
 *
 * In a drift, a velocity at every point of the image, a vehicle of a given speed and turning radius is meant.
 * Costs are then per time, so that travel times are times; seeds and tips have the headings of the vehicle,
 * and the outputs say both its heading and the direction of its track over ground. On a round trip the tips
 * are points to pass on the way back to a seed.
 *
 * On request the outputs have the derivatives of the travel times of the tips with respect to the cost, the
 * turning radius and the curvature shift at every point, or at every position and heading.
 *
 * Angles are in degrees, counterclockwise from the first in-plane axis of the image to the second, after its
 * direction matrix. Bad input gives an error message and empty outputs.
 *
 * The last field is kept: a moved tip is followed through it without solving again.
 *
 * J.-M. Mirebeau, L. Gayraud, R. Barrere, D. Chen, F. Desquilbet: Massively parallel computation of globally
 * optimal shortest paths with curvature penalization, 2022.
 *
 * @warning Under MPI every rank solves the whole image and keeps its piece: ranks add memory, not size.
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

  /// Disconnect the optional input.
  void RemoveAllOrientedCostInputs() { this->SetInputConnection(OrientedCostPort, nullptr); }

  ///@{
  /// 0 Reeds-Shepp, 1 Reeds-Shepp forward, 2 elastica, 3 Dubins.
  vtkSetClampMacro(Model, int, 0, 3);
  vtkGetMacro(Model, int);
  ///@}

  ///@{
  /// Turning radius in world units; where an array is chosen, the array counts. NaN: a tenth of the smaller
  /// extent.
  vtkSetMacro(TurningRadius, double);
  vtkGetMacro(TurningRadius, double);
  ///@}
  /// From 0 to twice the default: a fifth of the smaller extent of the image. Known once the input's extent
  /// is.
  vtkGetVector2Macro(TurningRadiusRange, double);

  ///@{
  /// Turning radius of turns to the right in world units, those to the left have the other one. 0: both are
  /// alike.
  vtkSetMacro(RightTurningRadius, double);
  vtkGetMacro(RightTurningRadius, double);
  ///@}

  ///@{
  /// Curvature that costs nothing, in 1 / world unit, positive to the left.
  vtkSetMacro(CurvatureShift, double);
  vtkGetMacro(CurvatureShift, double);
  ///@}

  ///@{
  /// Speed of the vehicle in the medium, world units / time. Counts where a drift array is chosen.
  vtkSetMacro(VehicleSpeed, double);
  vtkGetMacro(VehicleSpeed, double);
  ///@}

  ///@{
  /// Add the paths once more as seen from the drifting medium.
  vtkSetMacro(AddMediumPaths, bool);
  vtkGetMacro(AddMediumPaths, bool);
  ///@}

  ///@{
  /// 0 one way from a seed to each tip, 1 through each tip and back to a seed.
  vtkSetClampMacro(Route, int, 0, 1);
  vtkGetMacro(Route, int);
  ///@}

  ///@{
  /// Walls are where the wall array is nonzero (0) or within WallRange (1).
  vtkSetClampMacro(WallMode, int, 0, 1);
  vtkGetMacro(WallMode, int);
  vtkSetVector2Macro(WallRange, double);
  vtkGetVector2Macro(WallRange, double);
  ///@}

  ///@{
  /// Number of headings of the grid; an oriented cost has its own.
  vtkSetMacro(NumberOfHeadings, int);
  vtkGetMacro(NumberOfHeadings, int);
  ///@}

  ///@{
  /// 0 first order, 1 (default) with a ball of better start values around each seed, 2 besides second order
  /// away from it.
  vtkSetClampMacro(Accuracy, int, 0, 2);
  vtkGetMacro(Accuracy, int);
  ///@}

  ///@{
  /// Relaxation of the upwind stencils, 0.02 to 0.5.
  vtkSetMacro(Relaxation, double);
  vtkGetMacro(Relaxation, double);
  ///@}

  ///@{
  /// Headings of the points set here, in degrees and in their order; points beyond the list have any heading.
  void SetNumberOfSeedHeadings(int number);
  void SetSeedHeading(int index, double degrees);
  void SetNumberOfTipHeadings(int number);
  void SetTipHeading(int index, double degrees);
  ///@}

  ///@{
  /// Stop as soon as all tips are final; the field beyond them is then not reached.
  vtkSetMacro(StopAtTips, bool);
  vtkGetMacro(StopAtTips, bool);
  ///@}

  ///@{
  /// Fill output 2, whose third axis has this length in world units. 0: the smaller extent of the image.
  vtkSetMacro(ComputeStateSpace, bool);
  vtkGetMacro(ComputeStateSpace, bool);
  vtkSetMacro(StateSpaceHeight, double);
  vtkGetMacro(StateSpaceHeight, double);
  ///@}

  ///@{
  /// Add derivatives of the sum of the travel times of the tips, each times its point array Weight, with
  /// respect to the cost, and with SensitivityRadius to turning radius and curvature shift as well.
  vtkSetMacro(ComputeSensitivity, bool);
  vtkGetMacro(ComputeSensitivity, bool);
  vtkSetMacro(SensitivityRadius, bool);
  vtkGetMacro(SensitivityRadius, bool);
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
  int NumberOfHeadings = 60;
  int Accuracy = 1;
  double Relaxation = 0.1;
  std::vector<double> SeedHeadings, TipHeadings; ///< degrees
  bool StopAtTips = false;
  bool ComputeStateSpace = false;
  double StateSpaceHeight = 0;
  bool ComputeSensitivity = false;
  bool SensitivityRadius = false;
};

#endif
