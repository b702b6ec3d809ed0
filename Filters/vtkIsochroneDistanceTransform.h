/**
 * @class vtkIsochroneDistanceTransform
 * @brief exact Euclidean distance from every point of a 2D or 3D image to the nearest site
 *
 * Sites are the points, or with a cell array the centres of the cells, where an array lies in a range, has a
 * label or is nonzero. Distances are exact where the spacing is the same on all axes, else the least of
 * candidates computed in double.
 *
 * Input 0 is the image, input 1 the tips (points). Output 0 is the image with Distance, SquaredDistance,
 * NearestSite, NearestLabel and Reached; output 1 has a straight line from each tip to its nearest site.
 *
 * Hidden (blanked) points or cells and NaN are never sites. Where no site is reached, distances are NaN.
 * Bad input gives an error message and empty outputs.
 *
 * The last field is kept: for a moved tip nothing is solved again.
 *
 * D. Manduhu, M. W. Jones: A work efficient parallel algorithm for exact Euclidean distance transform, IEEE
 * Trans. Image Process. 28, 2019.
 *
 * @warning Under MPI every rank solves the whole image and keeps its piece, unless there is a maximum
 * distance: then a rank solves its piece and as much around it as counts.
 */
#ifndef vtkIsochroneDistanceTransform_h
#define vtkIsochroneDistanceTransform_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkIsochroneFilter.h"

#include <memory> // for the private part

class ISOCHRONEFILTERS_EXPORT vtkIsochroneDistanceTransform : public vtkIsochroneFilter {
public:
  static vtkIsochroneDistanceTransform* New();
  vtkTypeMacro(vtkIsochroneDistanceTransform, vtkIsochroneFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum MoreInputPorts { TipsPort = InputPort + 1 };
  enum OutputPorts { DistancePort = FieldPort, SegmentsPort = LinesPort };
  /// Indices of SetInputArrayToProcess. No array: the active scalars.
  enum Arrays { SiteArray };

  /// Disconnect the optional input.
  void RemoveAllTipsInputs() { this->SetInputConnection(TipsPort, nullptr); }

  ///@{
  /// Sites are where the site array lies within SiteRange (0), equals SiteLabel (1) or is nonzero (2).
  vtkSetClampMacro(SiteMode, int, 0, 2);
  vtkGetMacro(SiteMode, int);
  ///@}

  ///@{
  /// Both ends included. NaN both: the upper half of the range of the values.
  vtkSetVector2Macro(SiteRange, double);
  vtkGetVector2Macro(SiteRange, double);
  ///@}

  ///@{
  /// Compared exactly with integers of any size; up to 2^53.
  vtkSetMacro(SiteLabel, double);
  vtkGetMacro(SiteLabel, double);
  ///@}

  ///@{
  /// 0 outside: from other points to the nearest site; 1 inside: from sites to the nearest other point; 2
  /// both; 3 signed: both, negative at sites.
  vtkSetClampMacro(Region, int, 0, 3);
  vtkGetMacro(Region, int);
  ///@}

  ///@{
  /// World units; points farther away are not reached. 0: no limit.
  vtkSetMacro(MaximumDistance, double);
  vtkGetMacro(MaximumDistance, double);
  ///@}

  ///@{
  /// What to add to the image besides Distance and Reached.
  vtkSetMacro(ComputeSquaredDistance, bool);
  vtkGetMacro(ComputeSquaredDistance, bool);
  vtkSetMacro(ComputeNearestSite, bool);
  vtkGetMacro(ComputeNearestSite, bool);
  vtkSetMacro(ComputeNearestLabel, bool);
  vtkGetMacro(ComputeNearestLabel, bool);
  ///@}

  ///@{
  /// Distance in double, else in float.
  vtkSetMacro(DoublePrecision, bool);
  vtkGetMacro(DoublePrecision, bool);
  ///@}

protected:
  vtkIsochroneDistanceTransform();
  ~vtkIsochroneDistanceTransform() override;

  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  bool Execute(Execution&) override;
  void Forget() override;

private:
  vtkIsochroneDistanceTransform(const vtkIsochroneDistanceTransform&) = delete;
  void operator=(const vtkIsochroneDistanceTransform&) = delete;

  struct Internals;
  std::unique_ptr<Internals> Internal;

  int SiteMode = 0;
  double SiteRange[2]; ///< NaN
  double SiteLabel = 1;
  int Region = 0;
  double MaximumDistance = 0;
  bool ComputeSquaredDistance = true;
  bool ComputeNearestSite = true;
  bool ComputeNearestLabel = false;
  bool DoublePrecision = false;
};

#endif
