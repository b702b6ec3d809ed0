#include "vtkIsochroneFrontFilter.h"

#include "Common/Execution.h"
#include "Common/PropertyLists.h"
#include "Common/Ranks.h"
#include "Common/SeedRuns.h"
#include "Common/SeedsAndTips.h"
#include "Common/TimeSteps.h"
#include "Error.h"

#include <vtkDataObject.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <limits>

namespace filters = isochrone::filters;
using namespace isochrone::filters;

vtkIsochroneFrontFilter::vtkIsochroneFrontFilter() : Residual(std::numeric_limits<double>::quiet_NaN()) {
  this->SetNumberOfInputPorts(3);
}

void vtkIsochroneFrontFilter::SetSeedType(int type) {
  type = std::clamp(type, 0, this->LastSeedType);
  if (this->SeedType == type) return;
  this->SeedType = type;
  this->Modified();
}

void vtkIsochroneFrontFilter::AddTravelTimeTablePort() {
  this->TravelTimeTablePort = this->GetNumberOfOutputPorts();
  this->SetNumberOfOutputPorts(this->TravelTimeTablePort + 1);
}

int vtkIsochroneFrontFilter::FillOutputPortInformation(int port, vtkInformation* info) {
  if (port != this->TravelTimeTablePort) return this->Superclass::FillOutputPortInformation(port, info);
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkTable");
  return 1;
}

int vtkIsochroneFrontFilter::RequestInformation(vtkInformation*, vtkInformationVector**,
                                                vtkInformationVector* outputs) {
  if (static_cast<filters::SeedRuns>(this->SeedRuns) != filters::SeedRuns::TimeSteps) return 1;
  // The number of time steps is known only after the seeds have been updated.
  const Ranks ranks;
  int count = 1; // the centre, or a region
  try {
    vtkSmartPointer<vtkPolyData> seeds;
    ranks.rethrowOnAll([&] {
      if (this->SeedType <= this->PointSeedTypes)
        seeds = choosePoints(PointsFrom(this->SeedType), {this->SeedCoordinates, {}},
                             updatedInput(this, SeedsPort), "seeds");
    });
    if (seeds) count = int(groupsOf(placesOf(ranks.gatherPoints(seeds)), this->GroupByLabel).size());
  } catch (const isochrone::Error&) {
    count = 0; // Execute reports the error
  }
  announceSteps(outputs, count);
  return 1;
}

int vtkIsochroneFrontFilter::RequestUpdateExtent(vtkInformation* request, vtkInformationVector** inputs,
                                                 vtkInformationVector* outputs) {
  if (static_cast<filters::SeedRuns>(this->SeedRuns) == filters::SeedRuns::TimeSteps)
    dropTime(inputs, this->GetNumberOfInputPorts());
  return this->Superclass::RequestUpdateExtent(request, inputs, outputs);
}

int vtkIsochroneFrontFilter::ChooseSeedOfStep(const Execution& execution,
                                              vtkSmartPointer<vtkPolyData>& seeds) const {
  if (static_cast<filters::SeedRuns>(this->SeedRuns) != filters::SeedRuns::TimeSteps) return noStep;
  const PointGroups groups = seeds ? groupsOf(placesOf(seeds), this->GroupByLabel) : PointGroups();
  const int count = std::max(int(groups.size()), 1);
  const int step = requestedStep(execution.request, execution.outputs, count);
  if (count > 1) seeds = onlyPoints(seeds, groups.points[std::size_t(step)]);
  return step;
}

void vtkIsochroneFrontFilter::SetNumberOfSeedCoordinates(int number) {
  resize(this, this->SeedCoordinates, number, 0.0);
}
void vtkIsochroneFrontFilter::SetSeedCoordinate(int index, double value) {
  assign(this, this->SeedCoordinates, index, value);
}

void vtkIsochroneFrontFilter::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SeedCoordinates: " << this->SeedCoordinates.size() << '\n';
  os << indent << "SeedRuns: " << this->SeedRuns << '\n';
  os << indent << "GroupByLabel: " << this->GroupByLabel << '\n';
  os << indent << "ComputeTravelTimeTable: " << this->ComputeTravelTimeTable << '\n';
}
