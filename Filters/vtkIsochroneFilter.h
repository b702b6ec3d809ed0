/**
 * @class vtkIsochroneFilter
 * @brief what all filters have in common
 *
 * Input 0 is the image or mesh; among the other inputs, all optional, are the tips, of which points may also
 * be typed. Output 0 is the image or mesh with the field, output 1 has a line for each tip, where there are
 * tips. An error is said once, and leaves the outputs empty.
 */
#ifndef vtkIsochroneFilter_h
#define vtkIsochroneFilter_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkAlgorithm.h"

#include <string> // for the names of backends
#include <vector> // for lists of coordinates

namespace isochrone {
struct BackendChoice;
}

class ISOCHRONEFILTERS_EXPORT vtkIsochroneFilter : public vtkAlgorithm {
public:
  vtkTypeMacro(vtkIsochroneFilter, vtkAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;
  vtkTypeBool ProcessRequest(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  enum InputPorts { InputPort };
  enum FirstOutputPorts { FieldPort, LinesPort };

  ///@{
  /// Tips: points set here (0), points of the input (1), or those of the input if it is connected, else those
  /// set here (2). Without any point set, there are no tips. Points are set as a list of their coordinates, x
  /// y z of the first point, then of the next; in a list of points ParaView would drop what is left over.
  vtkSetClampMacro(TipType, int, 0, 2);
  vtkGetMacro(TipType, int);
  void SetNumberOfTipCoordinates(int number);
  void SetTipCoordinate(int index, double value);
  ///@}

  ///@{
  /// Hide unreached points and their cells by ghost arrays.
  vtkSetMacro(BlankUnreached, bool);
  vtkGetMacro(BlankUnreached, bool);
  ///@}

  ///@{
  /// 0 automatic, 1 host, 2 CUDA. Threads of the host, 0: the cores of the node shared by the ranks on it.
  /// More than 64, or four times the cores if that is more, are lowered to that maximum, with a warning.
  vtkSetClampMacro(Backend, int, 0, 2);
  vtkGetMacro(Backend, int);
  void SetThreads(int threads);
  vtkGetMacro(Threads, int);
  ///@}

  ///@{
  /// About the last solve: where it ran and why, and how many solves and extractions of lines this filter has
  /// made.
  const char* GetBackendUsed() { return this->BackendUsed.c_str(); }
  const char* GetBackendReason() { return this->BackendReason.c_str(); }
  vtkGetMacro(SolveCount, int);
  vtkGetMacro(ExtractionCount, int);
  ///@}

protected:
  vtkIsochroneFilter();
  ~vtkIsochroneFilter() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;
  virtual int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  virtual int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*);

  struct Execution; ///< Common/Execution.h

  /// Fills the outputs, which are empty. Runs on all ranks: an error of one must be thrown on all (Ranks).
  /// Returns false, on all ranks, if the user stopped it.
  virtual bool Execute(Execution&) = 0;

  /// Forgets the solution, after an abort or an error.
  virtual void Forget() = 0;

  /// Remembers where a solve ran and why.
  void SetRanOn(const isochrone::BackendChoice& choice);

  std::vector<double> TipCoordinates;
  int TipType = 2;
  bool BlankUnreached = false;
  int Backend = 0;
  int Threads = 0;

  std::string BackendUsed = "none yet";
  std::string BackendReason;
  int SolveCount = 0;
  int ExtractionCount = 0;

  std::vector<std::string> Warnings; ///< of this execution; may have empty ones

private:
  vtkIsochroneFilter(const vtkIsochroneFilter&) = delete;
  void operator=(const vtkIsochroneFilter&) = delete;

  void ClearOutputs(vtkInformationVector* outputs);
  int HostThreads();
  void ReportOnce(const std::string& error, vtkInformationVector** inputs);

  std::string Reported; ///< the last error, and the time of what it was about
  vtkMTimeType ReportedState = 0;
};

#endif
