/**
 * @class vtkIsochroneImageTravelTime
 * @brief first arrival times of a front that starts at seeds, and the fastest paths, on a 2D or 3D image
 *
 * The travel time u solves |grad u| = 1 / speed and equals the start value at the seeds. The result is the
 * exact fixed point of the first order upwind scheme, whatever the order of work, unless source factoring or
 * second order bring it nearer to the true time. Paths follow it back.
 *
 * Input 0 is the image (speed and barriers), inputs 1 and 2 are seeds and tips (points; seeds may carry the
 * point arrays StartValue and Label), input 3 is a second set of seeds, the targets. Output 0 is the image
 * with TravelTime, SeedId and Reached; output 1 the paths. With targets the front is sent from both sides:
 * TimeFromTargets, TwoWayTime (their sum) and Connectivity (the least sum divided by the sum) are added to
 * the image, and the fastest path between the two sets to the paths.
 *
 * Bad input gives an error message and empty outputs.
 *
 * The last field is kept: a moved tip is followed through it without solving again.
 *
 * W.-K. Jeong, R. T. Whitaker: A fast iterative method for eikonal equations, SIAM J. Sci. Comput. 30, 2008.
 *
 * @warning Under MPI every rank solves the whole image and keeps its piece: ranks add memory, not size.
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
  enum MoreSeedTypes { Region = 3 }; ///< of SetSeedType: the points where the region array is in its range
  /// Indices of SetInputArrayToProcess.
  enum Arrays { SpeedArray, BarrierArray, SeedRegionArray };

  /// Disconnect the optional input.
  void RemoveAllTargetsInputs() { this->SetInputConnection(TargetsPort, nullptr); }

  ///@{
  /// What the speed array and the constant hold: 0 speed, 1 slowness (time per world length), 2 metric
  /// tensor, 3 squared velocity tensor.
  vtkSetClampMacro(SpeedType, int, 0, 3);
  vtkGetMacro(SpeedType, int);
  ///@}

  ///@{
  /// Speed or slowness where no array is chosen.
  vtkSetMacro(ConstantSpeed, double);
  vtkGetMacro(ConstantSpeed, double);
  ///@}

  ///@{
  /// Whether the arrays may be on cells: a point takes the mean of the cells around it. It is a barrier, or
  /// in the seed region, if it touches a cell that is; hidden cells are barriers.
  vtkSetMacro(AverageCellData, bool);
  vtkGetMacro(AverageCellData, bool);
  ///@}

  ///@{
  /// Barriers are where the barrier array is nonzero (0) or within BarrierRange (1).
  vtkSetClampMacro(BarrierMode, int, 0, 1);
  vtkGetMacro(BarrierMode, int);
  vtkSetVector2Macro(BarrierRange, double);
  vtkGetVector2Macro(BarrierRange, double);
  ///@}

  ///@{
  /// Values of the seed region array, both ends included, that belong to the region.
  vtkSetVector2Macro(SeedRegionRange, double);
  vtkGetVector2Macro(SeedRegionRange, double);
  ///@}

  ///@{
  /// How the error of a point seed is taken out: 0 off, 1 additive, 2 multiplicative.
  vtkSetClampMacro(SourceFactoring, int, 0, 2);
  vtkGetMacro(SourceFactoring, int);
  ///@}

  ///@{
  /// Order of the scheme, 1 or 2.
  vtkSetClampMacro(Order, int, 1, 2);
  vtkGetMacro(Order, int);
  ///@}

  ///@{
  /// Arrivals later than this are not computed. 0: no limit.
  vtkSetMacro(StoppingTime, double);
  vtkGetMacro(StoppingTime, double);
  ///@}

  ///@{
  /// Stop as soon as all tips are final; the field beyond them is then not reached.
  vtkSetMacro(StopAtTips, bool);
  vtkGetMacro(StopAtTips, bool);
  ///@}

  ///@{
  /// Add how often each point was computed.
  vtkSetMacro(ComputeUpdateCounts, bool);
  vtkGetMacro(ComputeUpdateCounts, bool);
  ///@}

  ///@{
  /// Add the gradient of the travel time, in the world.
  vtkSetMacro(ComputeGradient, bool);
  vtkGetMacro(ComputeGradient, bool);
  ///@}

protected:
  vtkIsochroneImageTravelTime();
  ~vtkIsochroneImageTravelTime() override;

  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  bool Execute(Execution&) override;
  void Forget() override;

private:
  vtkIsochroneImageTravelTime(const vtkIsochroneImageTravelTime&) = delete;
  void operator=(const vtkIsochroneImageTravelTime&) = delete;

  struct Internals;
  std::unique_ptr<Internals> Internal;

  int SpeedType = 0;
  double ConstantSpeed = 1;
  bool AverageCellData = false;
  int BarrierMode = 0;
  double BarrierRange[2] = {0, 0};
  double SeedRegionRange[2] = {1, 1};
  int SourceFactoring = 1;
  int Order = 1;
  double StoppingTime = 0;
  bool ComputeGradient = false;
  bool StopAtTips = false;
  bool ComputeUpdateCounts = false;
};

#endif
