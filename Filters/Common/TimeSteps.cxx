#include "Common/TimeSteps.h"

#include <vtkAlgorithm.h>
#include <vtkAlgorithmOutput.h>
#include <vtkDataObject.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace isochrone::filters {

using Pipeline = vtkStreamingDemandDrivenPipeline;

vtkDataObject* updatedInput(vtkAlgorithm* filter, int port) {
  vtkAlgorithmOutput* connection = filter->GetInputConnection(port, 0);
  if (!connection) return nullptr;
  connection->GetProducer()->Update(connection->GetIndex());
  return connection->GetProducer()->GetOutputDataObject(connection->GetIndex());
}

void announceSteps(vtkInformationVector* outputs, int count) {
  std::vector<double> steps(count);
  std::iota(steps.begin(), steps.end(), 0.0);
  for (int port = 0; port < outputs->GetNumberOfInformationObjects(); ++port) {
    vtkInformation* info = outputs->GetInformationObject(port);
    info->Remove(Pipeline::TIME_STEPS());
    info->Remove(Pipeline::TIME_RANGE());
    if (steps.empty()) continue;
    const double range[2] = {steps.front(), steps.back()};
    info->Set(Pipeline::TIME_STEPS(), steps.data(), count);
    info->Set(Pipeline::TIME_RANGE(), range, 2);
  }
}

void dropTime(vtkInformationVector** inputs, int ports) {
  for (int port = 0; port < ports; ++port)
    for (int c = 0; c < inputs[port]->GetNumberOfInformationObjects(); ++c)
      inputs[port]->GetInformationObject(c)->Remove(Pipeline::UPDATE_TIME_STEP());
}

int requestedStep(vtkInformation* request, vtkInformationVector* outputs, int count) {
  const int port =
      request->Has(Pipeline::FROM_OUTPUT_PORT()) ? request->Get(Pipeline::FROM_OUTPUT_PORT()) : 0;
  vtkInformation* info = outputs->GetInformationObject(std::max(port, 0));
  if (!info->Has(Pipeline::UPDATE_TIME_STEP())) return 0;
  const double time = std::clamp(info->Get(Pipeline::UPDATE_TIME_STEP()), 0.0, double(count - 1));
  return int(std::lround(time));
}

void stampStep(vtkInformationVector* outputs, int step) {
  for (int port = 0; port < outputs->GetNumberOfInformationObjects(); ++port)
    vtkDataObject::GetData(outputs, port)->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), step);
}

} // namespace isochrone::filters
