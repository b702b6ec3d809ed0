/**
 * @class vtkIsochroneFilter
 * @brief base class of the Isochrone filters
 *
 * Input 0 is the image or mesh. The other inputs are optional; in filters with tips one of them holds the
 * tips, which may also be set as coordinates. Output 0 is the image or mesh with the computed field. In
 * filters with tips output 1 has one line per reached tip. The last output of a filter with times or
 * distances has the lines of equal value.
 *
 * An error is reported once and leaves the outputs empty.
 */
#ifndef vtkIsochroneFilter_h
#define vtkIsochroneFilter_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkAlgorithm.h"
#include "vtkSetGet.h" // for the macros of strings

#include <string> // for the names of backends
#include <vector> // for lists of coordinates

namespace isochrone {
struct BackendChoice;
namespace filters {
class Ranks;
}
} // namespace isochrone

class ISOCHRONEFILTERS_EXPORT vtkIsochroneFilter : public vtkAlgorithm {
public:
  vtkTypeMacro(vtkIsochroneFilter, vtkAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;
  vtkTypeBool ProcessRequest(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  enum InputPorts { InputPort };
  enum FirstOutputPorts { FieldPort, LinesPort };

  ///@{
  /// Tips: the points set here (0), the points of the input (1), or the points of the input if it is
  /// connected, else the points set here (2). If no point is set, the filter has no tips. Coordinates are set
  /// one by one, x y z of the first point, then of the next, so that an incomplete point is detected;
  /// ParaView would drop the extra values of a list of points.
  vtkSetClampMacro(TipType, int, 0, 2);
  vtkGetMacro(TipType, int);
  void SetNumberOfTipCoordinates(int number);
  void SetTipCoordinate(int index, double value);
  ///@}

  ///@{
  /// Hide unreached points and their cells by ghost arrays. Off by default.
  vtkSetMacro(BlankUnreached, bool);
  vtkGetMacro(BlankUnreached, bool);
  ///@}

  ///@{
  /// Number of values, at equal intervals between the minimum and the maximum of the field, whose lines (in
  /// a volume, surfaces) are in the output Isochrones. 0, the default: none.
  vtkSetClampMacro(Isochrones, int, 0, VTK_INT_MAX);
  vtkGetMacro(Isochrones, int);
  ///@}

  ///@{
  /// Units of times and lengths, for legends, as in "ms". A unit becomes the string in the field data array
  /// TimeUnit or LengthUnit of every output. Empty (default): the unit in the field data of the input, if
  /// any.
  vtkSetMacro(TimeUnit, std::string);
  vtkGetMacro(TimeUnit, std::string);
  vtkSetMacro(LengthUnit, std::string);
  vtkGetMacro(LengthUnit, std::string);
  ///@}

  ///@{
  /// Backend: 0 automatic (default), 1 host, 2 CUDA. Threads: number of host threads; 0 (default) divides the
  /// cores of the node among its ranks. Threads is limited, with a warning, to 64 or four times the number of
  /// cores, whichever is larger.
  vtkSetClampMacro(Backend, int, 0, 2);
  vtkGetMacro(Backend, int);
  void SetThreads(int threads);
  vtkGetMacro(Threads, int);
  ///@}

  ///@{
  /// Information about the last solve: the backend and the reason for its choice, and the numbers of solves
  /// and of line extractions that have succeeded since this filter was created.
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
  /// Returns the type of the output FieldPort for an input, which may be null: if FillOutputPortInformation
  /// names vtkDataSet, that of an image or a rectilinear grid as the input, else that of an image.
  virtual int FieldType(vtkDataObject* input);
  int RequestDataObject(vtkInformationVector**, vtkInformationVector*);
  virtual int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  virtual int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*);
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*);

  struct Execution; ///< defined in Common/Execution.h

  /// Fills the outputs, which are empty. Called on all ranks; an error on one rank must be thrown on all of
  /// them (Ranks).
  /// @return false, on all ranks, if the user stopped the execution
  virtual bool Execute(Execution&) = 0;

  /// Discards the solution after an abort or an error.
  virtual void Forget() = 0;

  /// Adds an output with lines of equal value of a point array of output 0. For constructors, after all other
  /// outputs.
  void AddIsochronesPort(const char* array);

  /// Records where a solve ran and why.
  void SetRanOn(const isochrone::BackendChoice& choice);
  /// Adds the backend of the derivatives, which may differ, to the reason.
  void SetDerivativesRanOn(const isochrone::BackendChoice& choice);

  std::vector<double> TipCoordinates;
  int TipType = 2;
  bool BlankUnreached = false;
  int Isochrones = 0;
  int Backend = 0;
  int Threads = 0;
  std::string TimeUnit;
  std::string LengthUnit;

  std::string BackendUsed = "none yet";
  std::string BackendReason;
  int SolveCount = 0;
  int ExtractionCount = 0;

  std::vector<std::string> Warnings; ///< of this execution; empty strings are skipped

private:
  vtkIsochroneFilter(const vtkIsochroneFilter&) = delete;
  void operator=(const vtkIsochroneFilter&) = delete;

  void ClearOutputs(vtkInformationVector* outputs);
  void NameUnits(vtkInformationVector** inputs, vtkInformationVector* outputs);
  void ReportOnce(const std::string& error, vtkInformationVector** inputs);

  int IsochronesPort = -1;            ///< -1: none
  const char* IsochronesOf = nullptr; ///< array of output 0

  std::string Reported; ///< last error message, and the modification time that it belongs to
  vtkMTimeType ReportedState = 0;
};

#endif
