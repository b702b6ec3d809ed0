/**
 * @class vtkIsochroneImageTravelTime
 * @brief first arrival times of a front that starts at seeds, and fastest paths, on a 2D or 3D image
 *
 * The travel time u solves |grad u| = 1 / speed and equals the start value at the seeds. The result is the
 * exact fixed point of the first-order upwind scheme and does not depend on the order of work. Source
 * factoring and the second-order scheme reduce the error of this fixed point. Paths are traced back through
 * the travel time.
 *
 * With a drift array, the velocity of a current or a wind, the speed is that of a vehicle relative to the
 * medium, and the travel time solves speed |grad u| + <grad u, drift> = 1 (Zermelo's problem).
 *
 * In a tilted transversely isotropic medium (TTI) the speed is that of P waves along a symmetry axis, and the
 * travel time that of their group velocity, by Thomsen's parameters.
 *
 * Input 0 is the image or rectilinear grid (speed, barriers and drift). Inputs 1 and 2 are the seeds and the
 * tips (points; seeds may have the point arrays StartValue and Label). Input 3 is a second set of seeds, the
 * targets. Output 0 is the image or grid with TravelTime, SeedId and Reached. Output 1 has the paths. Output
 * Jacobian is a table with the derivatives of the travel times of the tips with respect to the slowness.
 *
 * Rectilinear grids, and images and rectilinear grids in spherical coordinates, take isotropic speeds, order
 * 1, source factoring Off or Additive.
 *
 * With targets a front starts from either set. The image then also contains TimeFromTargets, TwoWayTime (the
 * sum of both times; with a drift, TimeFromTargets is the time from each point to the targets) and
 * Connectivity (the minimum of TwoWayTime divided by TwoWayTime). The fastest path between the two sets is
 * added to the paths.
 *
 * Bad input produces an error message and empty outputs.
 *
 * The last field is kept: moving a tip traces a new path without solving again. The field data array
 * TravelTimeSeeds has the seeds and their factoring balls, so that a later filter can do the same with the
 * output (GivenTravelTimeArray), and that gradient and isochrones are accurate next to a seed.
 *
 * W.-K. Jeong, R. T. Whitaker: A fast iterative method for eikonal equations, SIAM J. Sci. Comput. 30, 2008.
 *
 * Under MPI the ranks divide the image and solve it together; times differ from those of one rank by
 * rounding. A path is output on the rank that has its tip. Every rank solves the whole image with tensors, a
 * tilted medium, a drift, a rectilinear or spherical grid, periodic axes, the second order, multiplicative
 * factoring, derivatives, on CUDA devices, and if the input cannot be requested in pieces.
 */
#ifndef vtkIsochroneImageTravelTime_h
#define vtkIsochroneImageTravelTime_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkIsochroneFrontFilter.h"

#include <memory> // for the private part

class ISOCHRONEFILTERS_EXPORT vtkIsochroneImageTravelTime : public vtkIsochroneFrontFilter {
public:
  static vtkIsochroneImageTravelTime* New();
  vtkTypeMacro(vtkIsochroneImageTravelTime, vtkIsochroneFrontFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum MoreInputPorts { TargetsPort = TipsPort + 1 };
  enum MoreOutputPorts { JacobianPort = PathsPort + 3 }; ///< after isochrones and travel time table
  /// Values of SeedType: points with the region array in SeedRegionRange; where that array has SeedIsoValue,
  /// between the points.
  enum MoreSeedTypes { Region = 3, LevelSet };
  /// Indices of SetInputArrayToProcess.
  enum Arrays {
    SpeedArray,
    BarrierArray,
    SeedRegionArray,
    DriftArray,
    EpsilonArray,
    DeltaArray,
    TiltArray,
    AzimuthArray,
    ShearRatioArray,
    /// Travel time of an earlier solve, with its seeds in the field data (TravelTimeSeeds for TravelTime). If
    /// chosen, nothing is solved from the seeds: paths, gradient, isochrones and two-way times come from it.
    GivenTravelTimeArray
  };

  /// Disconnects the optional input.
  void RemoveAllTargetsInputs() { this->SetInputConnection(TargetsPort, nullptr); }

  ///@{
  /// Quantity in the speed array and in ConstantSpeed: 0 speed (default), 1 slowness (time per world length),
  /// 2 metric tensor, 3 squared velocity tensor, 4 speed of P waves along the symmetry axis of a tilted
  /// transversely isotropic medium.
  vtkSetClampMacro(SpeedType, int, 0, 4);
  vtkGetMacro(SpeedType, int);
  ///@}

  ///@{
  /// Speed or slowness if no array is chosen. Default: 1.
  vtkSetMacro(ConstantSpeed, double);
  vtkGetMacro(ConstantSpeed, double);
  ///@}

  ///@{
  /// Parameters of a tilted transversely isotropic medium where their arrays are not chosen: Thomsen's
  /// epsilon and delta; the angle of the symmetry axis with the z axis and the azimuth of this tilt,
  /// counterclockwise from the x axis, degrees (in a plane image the angle with its second axis, towards the
  /// first one); Vs / Vp. Default: 0.
  vtkSetMacro(Epsilon, double);
  vtkGetMacro(Epsilon, double);
  vtkSetMacro(Delta, double);
  vtkGetMacro(Delta, double);
  vtkSetMacro(Tilt, double);
  vtkGetMacro(Tilt, double);
  vtkSetMacro(Azimuth, double);
  vtkGetMacro(Azimuth, double);
  vtkSetMacro(ShearRatio, double);
  vtkGetMacro(ShearRatio, double);
  ///@}

  ///@{
  /// With a drift array: add the path of each tip as seen in the medium, its positions minus the drift since
  /// the seed. Off by default.
  vtkSetMacro(AddMediumPaths, bool);
  vtkGetMacro(AddMediumPaths, bool);
  ///@}

  ///@{
  /// Coordinates of the input: 0 Cartesian (default); 1 spherical, where x, y and z of the input are the
  /// radius, the colatitude (the angle from the north pole) and the longitude in degrees. Longitudes that
  /// cover the full circle, with or without the first one again at 360 degrees, go around. Seeds, tips and
  /// outputs are in these coordinates.
  vtkSetClampMacro(Coordinates, int, 0, 1);
  vtkGetMacro(Coordinates, int);
  ///@}

  ///@{
  /// Whether the axes of the image are periodic: behind the last point follows the first, so that the period
  /// is the number of points times the spacing. Off by default. Possible with order 1 and source factoring
  /// Off or Additive, without seeds on a level set and medium paths, not on rectilinear and spherical grids.
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
  /// Accept cell arrays: a point gets the mean of the cells around it, and is a barrier or in the seed region
  /// if it touches such a cell. Hidden cells are barriers. Off by default.
  vtkSetMacro(AverageCellData, bool);
  vtkGetMacro(AverageCellData, bool);
  ///@}

  ///@{
  /// Barriers are points where the barrier array is nonzero (0, default) or within BarrierRange (1).
  vtkSetClampMacro(BarrierMode, int, 0, 1);
  vtkGetMacro(BarrierMode, int);
  vtkSetVector2Macro(BarrierRange, double);
  vtkGetVector2Macro(BarrierRange, double);
  ///@}

  ///@{
  /// Range of the seed region array that defines the region, both ends included. Default: 1 to 1.
  vtkSetVector2Macro(SeedRegionRange, double);
  vtkGetVector2Macro(SeedRegionRange, double);
  ///@}

  ///@{
  /// Value of the seed region array at which the front starts with SeedType LevelSet. Default: 0.
  vtkSetMacro(SeedIsoValue, double);
  vtkGetMacro(SeedIsoValue, double);
  ///@}

  ///@{
  /// Correction of the error next to a point seed: 0 off, 1 additive (default), 2 multiplicative.
  vtkSetClampMacro(SourceFactoring, int, 0, 2);
  vtkGetMacro(SourceFactoring, int);
  ///@}

  ///@{
  /// Order of the scheme, 1 (default) or 2.
  vtkSetClampMacro(Order, int, 1, 2);
  vtkGetMacro(Order, int);
  ///@}

  ///@{
  /// Later arrivals are not computed. 0 (default): no limit. No effect in a drift.
  vtkSetMacro(StoppingTime, double);
  vtkGetMacro(StoppingTime, double);
  ///@}

  ///@{
  /// Stop as soon as the travel times of all tips are final; points farther away are then unreached. Off by
  /// default. No effect in a drift.
  vtkSetMacro(StopAtTips, bool);
  vtkGetMacro(StopAtTips, bool);
  ///@}

  ///@{
  /// Add the number of updates per point. Off by default.
  vtkSetMacro(ComputeUpdateCounts, bool);
  vtkGetMacro(ComputeUpdateCounts, bool);
  ///@}

  ///@{
  /// Add the gradient of the travel time in world coordinates. Off by default.
  vtkSetMacro(ComputeGradient, bool);
  vtkGetMacro(ComputeGradient, bool);
  ///@}

  ///@{
  /// Add the derivatives of the weighted sum of the travel times of the tips (point array Weight), each the
  /// time of the nearest point, with respect to the speed or slowness at each point (SpeedSensitivity,
  /// SlownessSensitivity) or to the components of its tensor (TensorSensitivity, like the input array), and
  /// to the start values. Off by default. For isotropic speeds and tensors on images.
  vtkSetMacro(ComputeSensitivity, bool);
  vtkGetMacro(ComputeSensitivity, bool);
  ///@}

  ///@{
  /// Fill the table with the derivatives of the travel time of each tip with respect to the slowness of each
  /// point, one entry per row; with tensors with respect to a factor on the slowness in all directions. Off
  /// by default. As for ComputeSensitivity.
  vtkSetMacro(ComputeJacobian, bool);
  vtkGetMacro(ComputeJacobian, bool);
  ///@}

  ///@{
  /// Information about the last solve, if the ranks solved parts of the image together: the number of their
  /// exchanges, and the bytes that all of them sent to their neighbours meanwhile. 0 otherwise.
  vtkGetMacro(Exchanges, int);
  vtkGetMacro(BytesTold, double);
  ///@}

protected:
  vtkIsochroneImageTravelTime();
  ~vtkIsochroneImageTravelTime() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  bool Execute(Execution&) override;
  void Forget() override;

private:
  vtkIsochroneImageTravelTime(const vtkIsochroneImageTravelTime&) = delete;
  void operator=(const vtkIsochroneImageTravelTime&) = delete;

  struct Internals;
  std::unique_ptr<Internals> Internal;

  int SpeedType = 0;
  double ConstantSpeed = 1;
  double Epsilon = 0, Delta = 0, Tilt = 0, Azimuth = 0, ShearRatio = 0;
  bool AddMediumPaths = false;
  int Coordinates = 0;
  bool PeriodicX = false;
  bool PeriodicY = false;
  bool PeriodicZ = false;
  bool UnwrapPaths = false;
  bool AverageCellData = false;
  int BarrierMode = 0;
  double BarrierRange[2] = {0, 0};
  double SeedRegionRange[2] = {1, 1};
  double SeedIsoValue = 0;
  int SourceFactoring = 1;
  int Order = 1;
  double StoppingTime = 0;
  bool ComputeGradient = false;
  bool ComputeSensitivity = false;
  bool ComputeJacobian = false;
  bool StopAtTips = false;
  bool ComputeUpdateCounts = false;
  int Exchanges = 0;
  double BytesTold = 0;
};

#endif
