/**
 * @class vtkIsochroneOrientedCost
 * @brief from a 2D image with tubes to a cost on position and heading that is small along them
 *
 * For tracking vessels, roads or fibres with vtkIsochroneCurvaturePaths, whose input Oriented Cost takes
 * output 0 as it is: an image over (first axis, second axis, heading) with the array Cost. How much a point
 * looks like a tube along a heading is the response of a filter, the second derivative of a Gaussian across
 * the heading, longer along it; the strongest of several widths counts.
 *
 * Output 1 is the input with the least cost over all headings and the heading it has, in degrees.
 *
 * Points outside the mask, hidden points and points whose intensity is not finite have no tube, and their
 * borders make none.
 *
 * J.-M. Mirebeau, L. Gayraud, R. Barrere, D. Chen, F. Desquilbet: Massively parallel computation of globally
 * optimal shortest paths with curvature penalization, 2022, section 3.3, which leaves the cost open.
 *
 * @warning Under MPI every rank works on the whole image and keeps its piece.
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
  /// Component of the intensity array, -1: the mean of all.
  vtkSetMacro(IntensityComponent, int);
  vtkGetMacro(IntensityComponent, int);
  ///@}

  ///@{
  /// Tubes are bright (0) or dark (1).
  vtkSetClampMacro(Polarity, int, 0, 1);
  vtkGetMacro(Polarity, int);
  ///@}

  ///@{
  /// Standard deviations of the filters across a tube, world units. None: 1.5, 2.5 and 4 times the spacing.
  void SetNumberOfWidths(int number);
  void SetWidth(int index, double width);
  ///@}

  ///@{
  /// Standard deviation by which they are longer along it, world units. NaN: 6 times the spacing.
  vtkSetMacro(Length, double);
  vtkGetMacro(Length, double);
  ///@}
  /// From 0 to twice the default. Known once the input's extent is.
  vtkGetVector2Macro(LengthRange, double);

  vtkSetMacro(NumberOfHeadings, int);
  vtkGetMacro(NumberOfHeadings, int);

  ///@{
  /// From strength to cost: the cost is halfway between ceiling and floor at HalfStrength times the typical
  /// strength, and falls there the more steeply, the greater the exponent.
  vtkSetMacro(HalfStrength, double);
  vtkGetMacro(HalfStrength, double);
  vtkSetMacro(ContrastExponent, double);
  vtkGetMacro(ContrastExponent, double);
  vtkSetMacro(CostFloor, double);
  vtkGetMacro(CostFloor, double);
  vtkSetMacro(CostCeiling, double);
  vtkGetMacro(CostCeiling, double);
  ///@}

  /// Of the last run, in the unit of the intensity.
  vtkGetMacro(TypicalStrength, double);

protected:
  vtkIsochroneOrientedCost();
  ~vtkIsochroneOrientedCost() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
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
