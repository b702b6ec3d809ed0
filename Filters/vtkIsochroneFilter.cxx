#include "vtkIsochroneFilter.h"

#include "Backend.h"
#include "Common/Execution.h"
#include "Common/Fields.h"
#include "Common/FilterInputs.h"
#include "Common/GridAxes.h"
#include "Common/Isochrones.h"
#include "Common/Pieces.h"
#include "Common/PropertyLists.h"
#include "Common/Ranks.h"
#include "Error.h"

#include <vtkDataObject.h>
#include <vtkDataObjectTypes.h>
#include <vtkDataSet.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkStringArray.h>

#include <algorithm>
#include <utility>

using namespace isochrone::filters;

vtkIsochroneFilter::vtkIsochroneFilter() { this->SetNumberOfOutputPorts(2); }

void vtkIsochroneFilter::SetNumberOfTipCoordinates(int number) {
  resize(this, this->TipCoordinates, number, 0.0);
}
void vtkIsochroneFilter::SetTipCoordinate(int index, double value) {
  assign(this, this->TipCoordinates, index, value);
}

void vtkIsochroneFilter::SetThreads(int threads) {
  const int maximum = isochrone::maxThreads();
  if (threads > maximum && Ranks().first())
    vtkWarningMacro(<< "Threads is " << threads << ", but at most " << maximum
                    << " are used: the maximum of 64 and four times the cores");
  threads = std::min(threads, maximum);
  if (this->Threads == threads) return;
  this->Threads = threads;
  this->Modified();
}

vtkTypeBool vtkIsochroneFilter::ProcessRequest(vtkInformation* request, vtkInformationVector** inputs,
                                               vtkInformationVector* outputs) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  if (request->Has(Pipeline::REQUEST_DATA_OBJECT())) return this->RequestDataObject(inputs, outputs);
  if (request->Has(Pipeline::REQUEST_INFORMATION()))
    return this->RequestInformation(request, inputs, outputs);
  if (request->Has(Pipeline::REQUEST_UPDATE_EXTENT()))
    return this->RequestUpdateExtent(request, inputs, outputs);
  if (request->Has(Pipeline::REQUEST_DATA())) return this->RequestData(request, inputs, outputs);
  return this->Superclass::ProcessRequest(request, inputs, outputs);
}

int vtkIsochroneFilter::FillInputPortInformation(int port, vtkInformation* info) {
  // Accepts any data object, so that unsupported types reach RequestData, which reports the remedy.
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  if (port != InputPort) info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  return 1;
}

void vtkIsochroneFilter::AddIsochronesPort(const char* array) {
  this->IsochronesPort = this->GetNumberOfOutputPorts();
  this->IsochronesOf = array;
  this->SetNumberOfOutputPorts(this->IsochronesPort + 1);
}

int vtkIsochroneFilter::FillOutputPortInformation(int port, vtkInformation* info) {
  const bool lines = port == LinesPort || port == this->IsochronesPort;
  info->Set(vtkDataObject::DATA_TYPE_NAME(), lines ? "vtkPolyData" : "vtkImageData");
  return 1;
}

int vtkIsochroneFilter::FieldType(vtkDataObject* input) {
  vtkInformation* const declared = this->GetOutputPortInformation(FieldPort);
  const bool follows = declared->Get(vtkDataObject::DATA_TYPE_NAME()) == std::string("vtkDataSet");
  return follows && isRectilinear(input) ? VTK_RECTILINEAR_GRID : VTK_IMAGE_DATA;
}

int vtkIsochroneFilter::RequestDataObject(vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const int type = this->FieldType(vtkDataObject::GetData(inputs[InputPort]));
  if (vtkDataObject* known = vtkDataObject::GetData(outputs, FieldPort);
      !known || known->GetDataObjectType() != type)
    outputs->GetInformationObject(FieldPort)->Set(
        vtkDataObject::DATA_OBJECT(), vtk::TakeSmartPointer(vtkDataObjectTypes::NewDataObject(type)));
  return 1;
}

int vtkIsochroneFilter::RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) {
  return 1;
}

int vtkIsochroneFilter::RequestUpdateExtent(vtkInformation*, vtkInformationVector** inputs,
                                            vtkInformationVector*) {
  requestWhole(inputs, this->GetNumberOfInputPorts());
  return 1;
}

int vtkIsochroneFilter::RequestData(vtkInformation* request, vtkInformationVector** inputs,
                                    vtkInformationVector* outputs) {
  // Clear the outputs first, so that a failure leaves nothing stale. Return 1 even then: 0 hangs
  // client/server sessions.
  this->ClearOutputs(outputs);
  this->Warnings.clear();
  const Ranks ranks;
  try {
    ranks.shareNode(0);
    Execution execution{request, inputs, outputs, ranks, this->Threads};
    if (this->Execute(execution)) {
      if (this->IsochronesPort >= 0 && this->Isochrones > 0)
        vtkDataObject::GetData(outputs, this->IsochronesPort)
            ->ShallowCopy(isochrones(vtkDataSet::GetData(outputs, FieldPort), this->IsochronesOf,
                                     this->Isochrones, ranks));
      this->NameUnits(inputs, outputs);
      for (const std::string& warning : this->Warnings)
        if (ranks.first() && !warning.empty()) vtkWarningMacro(<< warning);
      this->UpdateProgress(1);
      return 1;
    }
    if (ranks.first())
      vtkWarningMacro(<< "stopped on request: the outputs are empty, apply again to compute them");
  } catch (const isochrone::Error& error) {
    if (ranks.first()) this->ReportOnce(error.what(), inputs);
  }
  this->Forget();
  this->ClearOutputs(outputs);
  return 1;
}

void vtkIsochroneFilter::SetRanOn(const isochrone::BackendChoice& choice) {
  this->BackendUsed = choice.backend == isochrone::Backend::Cuda ? "CUDA" : "Host";
  this->BackendReason = choice.reason;
}

void vtkIsochroneFilter::SetDerivativesRanOn(const isochrone::BackendChoice& choice) {
  const char* const intro = "; derivatives on ";
  this->BackendReason.resize(std::min(this->BackendReason.find(intro), this->BackendReason.size()));
  this->BackendReason += intro +
                         std::string(choice.backend == isochrone::Backend::Cuda ? "CUDA" : "the host") +
                         ": " + choice.reason;
}

void vtkIsochroneFilter::ClearOutputs(vtkInformationVector* outputs) {
  for (int port = 0; port < this->GetNumberOfOutputPorts(); ++port)
    vtkDataObject::GetData(outputs, port)->Initialize();
}

void vtkIsochroneFilter::NameUnits(vtkInformationVector** inputs, vtkInformationVector* outputs) {
  vtkFieldData* given = vtkDataObject::GetData(inputs[InputPort])->GetFieldData();
  for (const auto& [name, unit] :
       {std::pair(timeUnitArray, this->TimeUnit), {lengthUnitArray, this->LengthUnit}}) {
    vtkSmartPointer<vtkAbstractArray> array = given->GetAbstractArray(name);
    if (!unit.empty()) {
      const auto word = named<vtkStringArray>(name, 1);
      word->SetValue(0, unit);
      array = word;
    }
    for (int port = 0; array && port < this->GetNumberOfOutputPorts(); ++port)
      vtkDataObject::GetData(outputs, port)->GetFieldData()->AddArray(array);
  }
}

/// Reports an error once. The pipeline executes the filter again at each update, because the output stays
/// empty.
void vtkIsochroneFilter::ReportOnce(const std::string& error, vtkInformationVector** inputs) {
  vtkMTimeType state = this->GetMTime();
  for (int port = 0; port < this->GetNumberOfInputPorts(); ++port)
    state = std::max(state, timeOfArrays(vtkDataObject::GetData(inputs[port])));
  if (error == this->Reported && state == this->ReportedState) return;
  this->Reported = error;
  this->ReportedState = state;
  vtkErrorMacro(<< error);
}

void vtkIsochroneFilter::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "TipCoordinates: " << this->TipCoordinates.size() << '\n';
  os << indent << "BackendUsed: " << this->BackendUsed << " (" << this->BackendReason << ")\n";
  os << indent << "SolveCount: " << this->SolveCount << '\n';
}
