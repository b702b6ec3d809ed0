/**
 * @class vtkIsochroneDistanceTransform
 * @brief exact Euclidean distance from every point of a 2D or 3D image to the nearest site or a surface
 *
 * Sites are the points at which an array lies in a range, has a label or is nonzero. With a cell array the
 * cell centres take the place of the points. Distances are exact if the spacing is the same on all axes.
 * Otherwise a distance is the minimum of candidates computed in double precision.
 *
 * The input may be a rectilinear grid in Cartesian coordinates, with sites at points or cell centres, without
 * periodic axes.
 *
 * Distances may also be measured to a surface between the points: a level set of an array, or polygonal data.
 * They are exact for the triangles of the surface.
 *
 * Input 0 is the image or rectilinear grid. Input 1 holds the tips (points). Input 2 is the surface
 * (vtkPolyData). Output 0 is the image or grid with Distance, SquaredDistance, NearestSite, NearestLabel, the
 * extended arrays and Reached.
 * Output 1 has a straight line from each tip to its nearest site.
 *
 * Hidden (blanked) points or cells and NaN are never sites. Distances are NaN if no site is reached. Bad
 * input produces an error message and empty outputs.
 *
 * The last field is kept: moving a tip does not solve again.
 *
 * D. Manduhu, M. W. Jones: A work efficient parallel algorithm for exact Euclidean distance transform, IEEE
 * Trans. Image Process. 28, 2019.
 *
 * Under MPI the ranks solve together, each its piece, with the same result for any number of them. With a
 * maximum distance a rank solves its piece and a margin of that width.
 *
 * @warning With the backend CUDA, with periodic axes, on rectilinear grids, with a cubic level set without a
 * maximum distance, or if the pieces of the input do not divide the image, every rank solves the whole image
 * and keeps its piece.
 */
#ifndef vtkIsochroneDistanceTransform_h
#define vtkIsochroneDistanceTransform_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkIsochroneFilter.h"

#include <memory> // for the private part
#include <string> // for names
#include <vector> // for lists of names

class ISOCHRONEFILTERS_EXPORT vtkIsochroneDistanceTransform : public vtkIsochroneFilter {
public:
  static vtkIsochroneDistanceTransform* New();
  vtkTypeMacro(vtkIsochroneDistanceTransform, vtkIsochroneFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum MoreInputPorts { TipsPort = InputPort + 1, SurfacePort };
  enum OutputPorts { DistancePort = FieldPort, SegmentsPort = LinesPort };
  /// Indices of SetInputArrayToProcess. If no array is chosen, the active scalars are used.
  enum Arrays { SiteArray };

  /// Disconnects the optional input.
  void RemoveAllTipsInputs() { this->SetInputConnection(TipsPort, nullptr); }
  void RemoveAllSurfaceInputs() { this->SetInputConnection(SurfacePort, nullptr); }

  ///@{
  /// Sites are samples at which the site array lies within SiteRange (0, default), equals SiteLabel (1) or is
  /// nonzero (2). Otherwise distances are measured to the surface where the array has the IsoValue (3), or to
  /// the surface of input 2 (4), and its inside takes the place of the sites.
  vtkSetClampMacro(SiteMode, int, 0, 4);
  vtkGetMacro(SiteMode, int);
  ///@}

  ///@{
  /// Range of site values, both ends included. NaN for both (default): the upper half of the range of the
  /// values.
  vtkSetVector2Macro(SiteRange, double);
  vtkGetVector2Macro(SiteRange, double);
  ///@}

  ///@{
  /// Label of the sites, up to 2^53; compared exactly with integers of any size. Default: 1.
  vtkSetMacro(SiteLabel, double);
  vtkGetMacro(SiteLabel, double);
  ///@}

  ///@{
  /// Value of the level set. NaN (default): the middle of the range of the values.
  vtkSetMacro(IsoValue, double);
  vtkGetMacro(IsoValue, double);
  ///@}

  ///@{
  /// Side of the level set that is inside: 0 (default) values from the IsoValue on, 1 values up to it.
  vtkSetClampMacro(LevelSetInside, int, 0, 1);
  vtkGetMacro(LevelSetInside, int);
  ///@}

  ///@{
  /// Interpolation of the level set: 0 linear along the edges of cells (default), 1 cubic, on cells of half
  /// the size.
  vtkSetClampMacro(Interpolation, int, 0, 1);
  vtkGetMacro(Interpolation, int);
  ///@}

  ///@{
  /// Point arrays, of the image or of the surface of input 2, that are extended from the surface: each point
  /// gets the value at the nearest point of the surface.
  void AddExtendedArray(const char* name);
  void ClearExtendedArrays();
  ///@}

  ///@{
  /// Region: 0 outside (default), from other points to the nearest site; 1 inside, from sites to the nearest
  /// other point; 2 both; 3 signed, as both but negative at sites.
  vtkSetClampMacro(Region, int, 0, 3);
  vtkGetMacro(Region, int);
  ///@}

  ///@{
  /// Maximum distance in world units; points farther away are not reached. 0 (default): no limit.
  vtkSetMacro(MaximumDistance, double);
  vtkGetMacro(MaximumDistance, double);
  ///@}

  ///@{
  /// Whether the axes of the image are periodic: behind the last sample follows the first, so that the period
  /// is the number of samples times the spacing. Off by default. Not possible with a surface or on
  /// rectilinear grids.
  vtkSetMacro(PeriodicX, bool);
  vtkGetMacro(PeriodicX, bool);
  vtkSetMacro(PeriodicY, bool);
  vtkGetMacro(PeriodicY, bool);
  vtkSetMacro(PeriodicZ, bool);
  vtkGetMacro(PeriodicZ, bool);
  ///@}

  ///@{
  /// Whether segments go on beyond the image along periodic axes. Off (default): they are cut at its borders.
  vtkSetMacro(UnwrapPaths, bool);
  vtkGetMacro(UnwrapPaths, bool);
  ///@}

  ///@{
  /// Arrays to add to the image, in addition to Distance and Reached. NearestLabel is off by default.
  vtkSetMacro(ComputeSquaredDistance, bool);
  vtkGetMacro(ComputeSquaredDistance, bool);
  vtkSetMacro(ComputeNearestSite, bool);
  vtkGetMacro(ComputeNearestSite, bool);
  vtkSetMacro(ComputeNearestLabel, bool);
  vtkGetMacro(ComputeNearestLabel, bool);
  ///@}

  ///@{
  /// Compute Distance in double precision (on) or single precision (off, default).
  vtkSetMacro(DoublePrecision, bool);
  vtkGetMacro(DoublePrecision, bool);
  ///@}

protected:
  vtkIsochroneDistanceTransform();
  ~vtkIsochroneDistanceTransform() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
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
  double IsoValue; ///< NaN
  int LevelSetInside = 0;
  int Interpolation = 0;
  std::vector<std::string> ExtendedArrays;
  int Region = 0;
  double MaximumDistance = 0;
  bool PeriodicX = false;
  bool PeriodicY = false;
  bool PeriodicZ = false;
  bool UnwrapPaths = false;
  bool ComputeSquaredDistance = true;
  bool ComputeNearestSite = true;
  bool ComputeNearestLabel = false;
  bool DoublePrecision = false;
};

#endif
