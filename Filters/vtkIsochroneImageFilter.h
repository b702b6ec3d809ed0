/**
 * @class vtkIsochroneImageFilter
 * @brief what the filters have in common that send a front from seeds over an image
 *
 * Input 0 is the image, inputs 1 and 2 are seeds and tips, of which points may also be typed. Output 0 is the
 * image with the arrival times, output 1 the paths from the tips back to the seeds. An error is said once,
 * and leaves the outputs empty.
 */
#ifndef vtkIsochroneImageFilter_h
#define vtkIsochroneImageFilter_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkImageAlgorithm.h"

#include <array>  // for points
#include <string> // for the names of backends
#include <vector> // for lists of points

class ISOCHRONEFILTERS_EXPORT vtkIsochroneImageFilter : public vtkImageAlgorithm {
public:
  vtkTypeMacro(vtkIsochroneImageFilter, vtkImageAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum InputPorts { InputPort, SeedsPort, TipsPort };
  enum OutputPorts { TravelTimePort, PathsPort };

  ///@{
  /// Disconnect an optional input.
  void RemoveAllSeedsInputs() { this->SetInputConnection(SeedsPort, nullptr); }
  void RemoveAllTipsInputs() { this->SetInputConnection(TipsPort, nullptr); }
  ///@}

  ///@{
  /// Seeds and tips: points set here (0), points of the input (1), or those of the input if it is connected,
  /// else those set here (2). Without any point set, the seed is the centre of the image and there are no
  /// tips.
  void SetSeedType(int type);
  vtkGetMacro(SeedType, int);
  vtkSetClampMacro(TipType, int, 0, 2);
  vtkGetMacro(TipType, int);
  void SetNumberOfSeedPoints(int number);
  void SetSeedPoint(int index, double x, double y, double z);
  void SetNumberOfTipPoints(int number);
  void SetTipPoint(int index, double x, double y, double z);
  ///@}

  ///@{
  /// Stop as soon as all tips are final; the field beyond them is then not reached.
  vtkSetMacro(StopAtTips, bool);
  vtkGetMacro(StopAtTips, bool);
  ///@}

  ///@{
  /// Hide unreached points and their cells by ghost arrays.
  vtkSetMacro(BlankUnreached, bool);
  vtkGetMacro(BlankUnreached, bool);
  ///@}

  ///@{
  /// Evaluate Residual after a solve; costs about as much as one more visit of every point.
  vtkSetMacro(CheckResidual, bool);
  vtkGetMacro(CheckResidual, bool);
  ///@}

  ///@{
  /// 0 automatic, 1 host, 2 CUDA. Threads of the host, 0: the cores of the node shared by the ranks on it.
  vtkSetClampMacro(Backend, int, 0, 2);
  vtkGetMacro(Backend, int);
  vtkSetMacro(Threads, int);
  vtkGetMacro(Threads, int);
  ///@}

  ///@{
  /// About the last solve: where it ran and why, rounds, updates per point, residual (NaN if not asked for),
  /// and how many solves and path extractions this filter has made.
  const char* GetBackendUsed() { return this->BackendUsed.c_str(); }
  const char* GetBackendReason() { return this->BackendReason.c_str(); }
  vtkGetMacro(Rounds, int);
  vtkGetMacro(UpdatesPerPoint, double);
  vtkGetMacro(Residual, double);
  vtkGetMacro(SolveCount, int);
  vtkGetMacro(ExtractionCount, int);
  ///@}

protected:
  vtkIsochroneImageFilter();
  ~vtkIsochroneImageFilter() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  /// Nothing is left of earlier outputs.
  void ClearOutputs(vtkInformationVector* outputs);
  /// The pipeline runs the filter again at each update, as the output stays empty: the user reads why once.
  void ReportOnce(const std::string& error, vtkInformationVector** inputs);

  std::vector<std::array<double, 3>> SeedPoints, TipPoints;
  int LastSeedType = 2; ///< the largest value; a filter may know more
  int SeedType = 2;
  int TipType = 2;
  bool StopAtTips = false;
  bool BlankUnreached = false;
  bool CheckResidual = false;
  int Backend = 0;
  int Threads = 0;

  std::string BackendUsed = "none yet";
  std::string BackendReason;
  int Rounds = 0;
  double UpdatesPerPoint = 0;
  double Residual;
  int SolveCount = 0;
  int ExtractionCount = 0;

private:
  vtkIsochroneImageFilter(const vtkIsochroneImageFilter&) = delete;
  void operator=(const vtkIsochroneImageFilter&) = delete;

  std::string Reported; ///< the last error, and the time of what it was about
  vtkMTimeType ReportedState = 0;
};

#endif
