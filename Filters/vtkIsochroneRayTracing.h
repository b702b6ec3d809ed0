/**
 * @class vtkIsochroneRayTracing
 * @brief shortest-path ray tracing on a 2D or 3D image: travel times, rays, and the ray matrix
 *
 * Points of the image are connected to their neighbours within a radius. The weight of an edge is the travel
 * time along its straight segment. The travel time of a point is the minimum over all paths along edges from
 * the sources, with the same bits as Dijkstra's algorithm for any order of work.
 *
 * Input 0 is the image (velocity or slowness, barriers). Inputs 1 and 2 are the sources and the receivers
 * (points; sources may have the point arrays StartValue and Label). Output 0 is the image with TravelTime and
 * Reached. Output 1 has the rays. Output 2 is a table with the ray matrix, the derivatives of the travel
 * times with respect to the slowness. The output after Isochrones is a table of travel times between all
 * sources and all receivers, if it is requested. Waves may be reflected at an interface, or converted to
 * another velocity there.
 *
 * Bad input produces an error message and empty outputs.
 *
 * The last fields are kept: moving a receiver traces a new ray without solving again.
 *
 * J. Monsegny, W. Agudelo: Shortest path ray tracing on parallel GPU devices, SEG Annual Meeting, 2013.
 *
 * Under MPI the ranks divide the image and solve it together, with the same bits for any number of ranks. A
 * ray is output on the rank that has its receiver. Every rank solves the whole image with periodic axes, for
 * path probabilities, with Plain Relaxation, with a travel time table of sources that run together, on CUDA
 * devices, and if the input cannot be requested in pieces.
 */
#ifndef vtkIsochroneRayTracing_h
#define vtkIsochroneRayTracing_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkIsochroneFilter.h"

#include <array>  // for points
#include <memory> // for the private part
#include <vector> // for lists of points

class ISOCHRONEFILTERS_EXPORT vtkIsochroneRayTracing : public vtkIsochroneFilter {
public:
  static vtkIsochroneRayTracing* New();
  vtkTypeMacro(vtkIsochroneRayTracing, vtkIsochroneFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum MoreInputPorts { SourcesPort = InputPort + 1, ReceiversPort };
  enum OutputPorts { TravelTimePort = FieldPort, RaysPort = LinesPort, RayMatrixPort };
  enum MoreOutputPorts { TravelTimeTablePort = RayMatrixPort + 2 }; ///< after isochrones
  /// Indices of SetInputArrayToProcess.
  enum Arrays {
    VelocityArray,
    BarrierArray,
    InterfaceArray,
    SecondVelocityArray,
    EpsilonArray,
    DeltaArray,
    TiltArray,
    AzimuthArray,
    ShearRatioArray
  };

  ///@{
  /// Disconnect an optional input.
  void RemoveAllSourcesInputs() { this->SetInputConnection(SourcesPort, nullptr); }
  void RemoveAllReceiversInputs() { this->SetInputConnection(ReceiversPort, nullptr); }
  ///@}

  ///@{
  /// Sources: the points set here (0), the points of the input (1), or the points of the
  /// input if it is connected, else the points set here (2). If no point is set, the source is the centre of
  /// the image. The receivers are the tips of the superclass.
  vtkSetClampMacro(SourceType, int, 0, 2);
  vtkGetMacro(SourceType, int);
  void SetNumberOfSourceCoordinates(int number);
  void SetSourceCoordinate(int index, double value);
  ///@}

  ///@{
  /// Quantity in the velocity arrays and in ConstantVelocity: 0 velocity (default), 1 slowness (time per
  /// world length), 2 velocity of P waves along the symmetry axis of a tilted transversely isotropic medium.
  vtkSetClampMacro(VelocityType, int, 0, 2);
  vtkGetMacro(VelocityType, int);
  ///@}

  ///@{
  /// Velocity or slowness if no array is chosen. Default: 1.
  vtkSetMacro(ConstantVelocity, double);
  vtkGetMacro(ConstantVelocity, double);
  ///@}

  ///@{
  /// Parameters of a tilted transversely isotropic medium where their arrays are not chosen, as in
  /// vtkIsochroneImageTravelTime. Default: 0.
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
  /// Barriers are points where the barrier array is nonzero (0, default) or within BarrierRange (1).
  vtkSetClampMacro(BarrierMode, int, 0, 1);
  vtkGetMacro(BarrierMode, int);
  vtkSetVector2Macro(BarrierRange, double);
  vtkGetVector2Macro(BarrierRange, double);
  ///@}

  ///@{
  /// Neighbours of a point: coprime offsets within Radius (0, default), all offsets within Radius (1), or 24
  /// (2) or 48 (3) offsets at about equal angles in the plane. Radius is in points along the axes of the
  /// image, 3 by default.
  vtkSetClampMacro(Template, int, 0, 3);
  vtkGetMacro(Template, int);
  vtkSetVector3Macro(Radius, int);
  vtkGetVector3Macro(Radius, int);
  ///@}

  ///@{
  /// Whether the axes of the image are periodic: behind the last point follows the first, so that the period
  /// is the number of points times the spacing. With the rule Cells, behind the last cell follows the first,
  /// and the last point is the first one. Off by default. Only by ordered tiles.
  vtkSetMacro(PeriodicX, bool);
  vtkGetMacro(PeriodicX, bool);
  vtkSetMacro(PeriodicY, bool);
  vtkGetMacro(PeriodicY, bool);
  vtkSetMacro(PeriodicZ, bool);
  vtkGetMacro(PeriodicZ, bool);
  ///@}

  ///@{
  /// Whether rays go on beyond the image along periodic axes. Off (default): they are cut at its borders.
  vtkSetMacro(UnwrapPaths, bool);
  vtkGetMacro(UnwrapPaths, bool);
  ///@}

  ///@{
  /// Time along an edge: 0 accurate (default), 1 fast, 2 cells; see rays::WeightRule.
  vtkSetClampMacro(WeightRule, int, 0, 2);
  vtkGetMacro(WeightRule, int);
  ///@}

  ///@{
  /// Method: 0 ordered tiles (default), 1 plain relaxation as in the paper; see rays::Method.
  vtkSetClampMacro(Method, int, 0, 1);
  vtkGetMacro(Method, int);
  ///@}

  ///@{
  /// Solve all sources together (0, default), each separately (1), or each separately as a time step (2).
  vtkSetClampMacro(SourceRuns, int, 0, 2);
  vtkGetMacro(SourceRuns, int);
  ///@}

  ///@{
  /// Sources with the same Label are one source, and receivers with the same Label one target, as in
  /// vtkIsochroneFrontFilter. Off by default.
  vtkSetMacro(GroupByLabel, bool);
  vtkGetMacro(GroupByLabel, bool);
  ///@}

  ///@{
  /// Add the table of travel times between all sources and all receivers, one row per pair, as in
  /// vtkIsochroneFrontFilter. Sources that run together are solved again, each alone. Off by default.
  vtkSetMacro(ComputeTravelTimeTable, bool);
  vtkGetMacro(ComputeTravelTimeTable, bool);
  ///@}

  ///@{
  /// Points that reflect waves: none (0, default), those where the interface array is nonzero (1), or those
  /// with InterfaceLabel next to points without it (2). In the last case StayInLabel keeps waves
  /// within the label.
  vtkSetClampMacro(Interface, int, 0, 2);
  vtkGetMacro(Interface, int);
  vtkSetMacro(InterfaceLabel, double);
  vtkGetMacro(InterfaceLabel, double);
  vtkSetMacro(StayInLabel, bool);
  vtkGetMacro(StayInLabel, bool);
  ///@}

  ///@{
  /// Compute and output times in double precision. Off by default.
  vtkSetMacro(DoublePrecision, bool);
  vtkGetMacro(DoublePrecision, bool);
  ///@}

  ///@{
  /// Add the predecessor of each point, the source of the first wave, and the ray matrix. Off by default.
  vtkSetMacro(ComputePredecessor, bool);
  vtkGetMacro(ComputePredecessor, bool);
  vtkSetMacro(ComputeSourceId, bool);
  vtkGetMacro(ComputeSourceId, bool);
  vtkSetMacro(ComputeRayMatrix, bool);
  vtkGetMacro(ComputeRayMatrix, bool);
  ///@}

  ///@{
  /// Add the probability that a random path to a receiver passes each point, and to the rays the expected
  /// travel time, at a temperature: paths that lead away from the sources have probabilities in proportion to
  /// exp(-travel time / temperature). The mean over the receivers. Off by default; the temperature, unit of
  /// time, is 1. Not with reflections.
  vtkSetMacro(ComputePathProbability, bool);
  vtkGetMacro(ComputePathProbability, bool);
  vtkSetMacro(Temperature, double);
  vtkGetMacro(Temperature, double);
  ///@}

  ///@{
  /// Leave out collinear inner points of rays. Off by default.
  vtkSetMacro(MergeCollinear, bool);
  vtkGetMacro(MergeCollinear, bool);
  ///@}

  ///@{
  /// Information about the last solve: the number of neighbours per point, the maximum excess length of a
  /// path over the straight line at constant velocity (percent), and the number of relaxations per edge.
  vtkGetMacro(NumberOfNeighbours, int);
  vtkGetMacro(AngularErrorBound, double);
  vtkGetMacro(RelaxationsPerPoint, double);
  ///@}

  ///@{
  /// Information about the last solve, if the ranks solved parts of the image together: the number of their
  /// exchanges, and the bytes that all of them sent to their neighbours meanwhile. 0 otherwise.
  vtkGetMacro(Exchanges, int);
  vtkGetMacro(BytesTold, double);
  ///@}

protected:
  vtkIsochroneRayTracing();
  ~vtkIsochroneRayTracing() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  bool Execute(Execution&) override;
  void Forget() override;

private:
  vtkIsochroneRayTracing(const vtkIsochroneRayTracing&) = delete;
  void operator=(const vtkIsochroneRayTracing&) = delete;

  struct Internals;
  std::unique_ptr<Internals> Internal;

  std::vector<double> SourceCoordinates;
  int SourceType = 2;
  int VelocityType = 0;
  double Epsilon = 0, Delta = 0, Tilt = 0, Azimuth = 0, ShearRatio = 0;
  double ConstantVelocity = 1;
  int BarrierMode = 0;
  double BarrierRange[2] = {0, 0};
  int Template = 0;
  int Radius[3] = {3, 3, 3};
  int WeightRule = 0;
  int Method = 0;
  int SourceRuns = 0;
  bool GroupByLabel = false;
  bool ComputeTravelTimeTable = false;
  int Interface = 0;
  double InterfaceLabel = 1;
  bool StayInLabel = false;
  bool DoublePrecision = false;
  bool ComputePredecessor = false;
  bool ComputeSourceId = false;
  bool ComputeRayMatrix = false;
  bool ComputePathProbability = false;
  double Temperature = 1;
  bool MergeCollinear = false;
  bool PeriodicX = false;
  bool PeriodicY = false;
  bool PeriodicZ = false;
  bool UnwrapPaths = false;

  int NumberOfNeighbours = 0;
  double AngularErrorBound = 0;
  double RelaxationsPerPoint = 0;
  int Exchanges = 0;
  double BytesTold = 0;
};

#endif
