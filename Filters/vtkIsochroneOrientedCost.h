/**
 * @class vtkIsochroneOrientedCost
 * @brief cost on position and heading that is small along the tubes of a 2D image
 *
 * Prepares an image for tracking vessels, roads or fibres with vtkIsochroneCurvaturePaths: output 0 connects
 * directly to its input Oriented Cost. Output 0 is an image over (first axis, second axis, heading) with the
 * array Cost. The tube strength at a point and heading is the response of a filter, the second derivative of
 * a Gaussian across the heading that is longer along the heading; the maximum over several widths is used.
 *
 * Output 1 is the input with the minimum cost over all headings, and the heading of this minimum in degrees.
 *
 * Points outside the mask, hidden points and points whose intensity is not finite have no tube, and their
 * borders produce none.
 *
 * J.-M. Mirebeau, L. Gayraud, R. Barrere, D. Chen, F. Desquilbet: Massively parallel computation of globally
 * optimal shortest paths with curvature penalization, 2022, section 3.3, which does not prescribe the cost.
 *
 * Under MPI a rank requests its piece and the points around it that the filters reach, and computes the cost
 * of its piece. The result is bit-identical to the result on one rank.
 *
 * @warning If the source delivers less than a rank requests, and downstream of Resample To Image, the image
 * is gathered and every rank processes the whole.
 */
#ifndef vtkIsochroneOrientedCost_h
#define vtkIsochroneOrientedCost_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkIsochroneFilter.h"

#include <memory> // for the private part
#include <vector> // for the widths

class ISOCHRONEFILTERS_EXPORT vtkIsochroneOrientedCost : public vtkIsochroneFilter {
public:
  static vtkIsochroneOrientedCost* New();
  vtkTypeMacro(vtkIsochroneOrientedCost, vtkIsochroneFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum OutputPorts { CostPort, LeastCostPort };
  /// Indices of SetInputArrayToProcess.
  enum Arrays { IntensityArray, MaskArray };

  ///@{
  /// Component of the intensity array. -1 (default): the mean of all components.
  vtkSetMacro(IntensityComponent, int);
  vtkGetMacro(IntensityComponent, int);
  ///@}

  ///@{
  /// Polarity: tubes are bright (0, default) or dark (1).
  vtkSetClampMacro(Polarity, int, 0, 1);
  vtkGetMacro(Polarity, int);
  ///@}

  ///@{
  /// Standard deviations of the filters across a tube, world units. None: 1.5, 2.5 and 4 times the spacing.
  void SetNumberOfWidths(int number);
  void SetWidth(int index, double width);
  ///@}

  ///@{
  /// Standard deviation by which the filters are longer along a tube, world units. NaN: 6 times the spacing.
  vtkSetMacro(Length, double);
  vtkGetMacro(Length, double);
  ///@}
  /// Range from 0 to twice the default length. Valid after RequestInformation.
  vtkGetVector2Macro(LengthRange, double);

  vtkSetMacro(NumberOfHeadings, int);
  vtkGetMacro(NumberOfHeadings, int);

  ///@{
  /// Conversion of tube strength to cost. The cost is halfway between CostCeiling and CostFloor at
  /// HalfStrength times the typical strength. A larger ContrastExponent gives a steeper transition.
  vtkSetMacro(HalfStrength, double);
  vtkGetMacro(HalfStrength, double);
  vtkSetMacro(ContrastExponent, double);
  vtkGetMacro(ContrastExponent, double);
  vtkSetMacro(CostFloor, double);
  vtkGetMacro(CostFloor, double);
  vtkSetMacro(CostCeiling, double);
  vtkGetMacro(CostCeiling, double);
  ///@}

  /// Typical strength of the last run, in the unit of the intensity.
  vtkGetMacro(TypicalStrength, double);

protected:
  vtkIsochroneOrientedCost();
  ~vtkIsochroneOrientedCost() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  bool Execute(Execution&) override;
  void Forget() override;

private:
  vtkIsochroneOrientedCost(const vtkIsochroneOrientedCost&) = delete;
  void operator=(const vtkIsochroneOrientedCost&) = delete;

  struct Internals;
  std::unique_ptr<Internals> Internal;

  int IntensityComponent = -1;
  int Polarity = 0;
  std::vector<double> Widths;
  double Length;
  double LengthRange[2] = {0, 0};
  int NumberOfHeadings = 60;
  double HalfStrength = 0.2;
  double ContrastExponent = 2;
  double CostFloor = 0.02;
  double CostCeiling = 1;
  double TypicalStrength = 0;
};

#endif
