/**
 * @class vtkIsochroneRayTracing
 * @brief shortest-path ray tracing on a 2D or 3D image: travel times, rays, and how times depend on slowness
 *
 * Points of the image are joined to their neighbours within a radius; an edge takes the time along its
 * straight segment. The travel time of a point is the least over all paths along edges from the sources,
 * computed to the bit as Dijkstra's algorithm does, whatever the order of work.
 *
 * Input 0 is the image (velocity or slowness, barriers), inputs 1 and 2 are sources and receivers (points;
 * sources may carry the point arrays StartValue and Label). Output 0 is the image with TravelTime and
 * Reached; output 1 the rays; output 2 a table with the ray matrix. Waves may be reflected, or converted to
 * another velocity, at an interface.
 *
 * Bad input gives an error message and empty outputs.
 *
 * The last fields are kept: a moved receiver is traced through them without solving again.
 *
 * J. Monsegny, W. Agudelo: Shortest path ray tracing on parallel GPU devices, SEG Annual Meeting, 2013.
 *
 * @warning Under MPI every rank solves the whole image and keeps its piece: ranks add memory, not size.
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
  /// Indices of SetInputArrayToProcess.
  enum Arrays { VelocityArray, BarrierArray, InterfaceArray, SecondVelocityArray };

  ///@{
  /// Disconnect an optional input.
  void RemoveAllSourcesInputs() { this->SetInputConnection(SourcesPort, nullptr); }
  void RemoveAllReceiversInputs() { this->SetInputConnection(ReceiversPort, nullptr); }
  ///@}

  ///@{
  /// Sources: points set here (0), points of the input (1), or those of the input if it is connected, else
  /// those set here (2). Without any point set, the source is the centre of the image. Receivers are the tips
  /// of the superclass.
  vtkSetClampMacro(SourceType, int, 0, 2);
  vtkGetMacro(SourceType, int);
  void SetNumberOfSourceCoordinates(int number);
  void SetSourceCoordinate(int index, double value);
  ///@}

  ///@{
  /// What the velocity arrays and the constant hold: 0 velocity, 1 slowness (time per world length).
  vtkSetClampMacro(VelocityType, int, 0, 1);
  vtkGetMacro(VelocityType, int);
  ///@}

  ///@{
  /// Velocity or slowness where no array is chosen.
  vtkSetMacro(ConstantVelocity, double);
  vtkGetMacro(ConstantVelocity, double);
  ///@}

  ///@{
  /// Barriers are where the barrier array is nonzero (0) or within BarrierRange (1).
  vtkSetClampMacro(BarrierMode, int, 0, 1);
  vtkGetMacro(BarrierMode, int);
  vtkSetVector2Macro(BarrierRange, double);
  vtkGetVector2Macro(BarrierRange, double);
  ///@}

  ///@{
  /// Neighbours: coprime offsets within the radius (0), all within the radius (1), 24 (2) or 48 (3) offsets
  /// at about equal angles in the plane. The radius is in points along the axes of the image.
  vtkSetClampMacro(Template, int, 0, 3);
  vtkGetMacro(Template, int);
  vtkSetVector3Macro(Radius, int);
  vtkGetVector3Macro(Radius, int);
  ///@}

  ///@{
  /// Time along an edge: 0 accurate, 1 fast, 2 of cells; see rays::WeightRule.
  vtkSetClampMacro(WeightRule, int, 0, 2);
  vtkGetMacro(WeightRule, int);
  ///@}

  ///@{
  /// 0 ordered tiles, 1 plain relaxation as in the paper; see rays::Method.
  vtkSetClampMacro(Method, int, 0, 1);
  vtkGetMacro(Method, int);
  ///@}

  ///@{
  /// Sources run together (0), each for itself (1), or each for itself and shown as a time step (2).
  vtkSetClampMacro(SourceRuns, int, 0, 2);
  vtkGetMacro(SourceRuns, int);
  ///@}

  ///@{
  /// Where waves are reflected: nowhere (0), at the points where the interface array is nonzero (1), or where
  /// it has InterfaceLabel beside points where it has not (2). There, StayInLabel keeps waves within the
  /// label.
  vtkSetClampMacro(Interface, int, 0, 2);
  vtkGetMacro(Interface, int);
  vtkSetMacro(InterfaceLabel, double);
  vtkGetMacro(InterfaceLabel, double);
  vtkSetMacro(StayInLabel, bool);
  vtkGetMacro(StayInLabel, bool);
  ///@}

  ///@{
  /// Compute and give times in double precision.
  vtkSetMacro(DoublePrecision, bool);
  vtkGetMacro(DoublePrecision, bool);
  ///@}

  ///@{
  /// Add the point that each wave comes from; the source it comes from; the ray matrix.
  vtkSetMacro(ComputePredecessor, bool);
  vtkGetMacro(ComputePredecessor, bool);
  vtkSetMacro(ComputeSourceId, bool);
  vtkGetMacro(ComputeSourceId, bool);
  vtkSetMacro(ComputeRayMatrix, bool);
  vtkGetMacro(ComputeRayMatrix, bool);
  ///@}

  ///@{
  /// Leave out the points of rays amid straight stretches.
  vtkSetMacro(MergeCollinear, bool);
  vtkGetMacro(MergeCollinear, bool);
  ///@}

  ///@{
  /// About the last solve: neighbours of a point, how much longer than straight a path among them can be at
  /// worst where the velocity is constant (percent), and how often each edge was looked at.
  vtkGetMacro(NumberOfNeighbours, int);
  vtkGetMacro(AngularErrorBound, double);
  vtkGetMacro(RelaxationsPerPoint, double);
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
  double ConstantVelocity = 1;
  int BarrierMode = 0;
  double BarrierRange[2] = {0, 0};
  int Template = 0;
  int Radius[3] = {3, 3, 3};
  int WeightRule = 0;
  int Method = 0;
  int SourceRuns = 0;
  int Interface = 0;
  double InterfaceLabel = 1;
  bool StayInLabel = false;
  bool DoublePrecision = false;
  bool ComputePredecessor = false;
  bool ComputeSourceId = false;
  bool ComputeRayMatrix = false;
  bool MergeCollinear = false;

  int NumberOfNeighbours = 0;
  double AngularErrorBound = 0;
  double RelaxationsPerPoint = 0;
};

#endif
