#include "vtkIsochroneOrientedCost.h"

#include "Common/Execution.h"
#include "Common/Fields.h"
#include "Common/FilterInputs.h"
#include "Common/FilterMonitor.h"
#include "Common/ImagePlane.h"
#include "Common/Pieces.h"
#include "Common/PropertyLists.h"
#include "Common/Ranks.h"
#include "Common/SharedArray.h"
#include "Common/StateSpaceImage.h"
#include "Error.h"
#include "OrientedCost/OrientedCost.h"
#include "OrientedCost/Pieces.h"
#include "OrientedCost/Problem.h"

#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

using namespace isochrone;
using namespace isochrone::filters;

vtkStandardNewMacro(vtkIsochroneOrientedCost);

namespace {

/// A problem with its solution.
struct Solution {
  OrientedCostProblem input;
  std::shared_ptr<const oriented::Result> result; ///< shared with the output
  float minimum, maximum;                         ///< range of the cost
};

} // namespace

/// The steps of Execute, and the state kept between executions.
struct vtkIsochroneOrientedCost::Internals {
  vtkIsochroneOrientedCost* filter;
  std::optional<Solution> solved; ///< empty after an abort or an error

  OrientedCostSettings settings() const;
  bool make(const Ranks& ranks, OrientedCostProblem input, int threads);
  void attach(vtkImageData* image, const ImagePlane& plane, const Extent& owned,
              vtkInformationVector* outputs) const;
};

vtkIsochroneOrientedCost::vtkIsochroneOrientedCost()
    : Internal(std::make_unique<Internals>()), Length(std::numeric_limits<double>::quiet_NaN()) {
  this->Internal->filter = this;
  this->SetNumberOfInputPorts(1);
}

vtkIsochroneOrientedCost::~vtkIsochroneOrientedCost() = default;

void vtkIsochroneOrientedCost::SetNumberOfWidths(int number) { resize(this, this->Widths, number, 0.0); }
void vtkIsochroneOrientedCost::SetWidth(int index, double width) { assign(this, this->Widths, index, width); }

int vtkIsochroneOrientedCost::FillOutputPortInformation(int, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkImageData");
  return 1;
}

int vtkIsochroneOrientedCost::RequestInformation(vtkInformation*, vtkInformationVector** inputs,
                                                 vtkInformationVector* outputs) {
  announce(outputs->GetInformationObject(CostPort), nullptr);
  announce(outputs->GetInformationObject(LeastCostPort), nullptr);
  vtkNew<vtkImageData> frame;
  if (!announced(inputs[InputPort]->GetInformationObject(0), frame)) return 1;
  try {
    const ImagePlane plane(frame);
    this->LengthRange[1] = 2 * defaultLength(plane);
    announce(outputs->GetInformationObject(LeastCostPort), frame);
    if (this->NumberOfHeadings < 1) return 1;
    announce(outputs->GetInformationObject(CostPort),
             plane.stateSpace(this->NumberOfHeadings, plane.smallerExtent()));
  } catch (const Error&) { // Execute reports it
  }
  return 1;
}

int vtkIsochroneOrientedCost::RequestUpdateExtent(vtkInformation* request, vtkInformationVector** inputs,
                                                  vtkInformationVector* outputs) {
  this->Superclass::RequestUpdateExtent(request, inputs, outputs); // requests the whole image
  vtkInformation* image = inputs[InputPort]->GetInformationObject(0);
  if (const auto plan =
          planPiece(this, request, image, outputs, CostPort, LeastCostPort, this->Internal->settings()))
    requestPart(*plan, image);
  return 1;
}

OrientedCostSettings vtkIsochroneOrientedCost::Internals::settings() const {
  OrientedCostSettings s;
  s.intensityArray = choiceOf(filter->GetInputArrayInformation(IntensityArray));
  s.maskArray = choiceOf(filter->GetInputArrayInformation(MaskArray));
  s.component = filter->IntensityComponent;
  s.polarity = static_cast<oriented::Polarity>(filter->Polarity);
  s.widths = filter->Widths;
  s.length = filter->Length;
  s.headings = filter->NumberOfHeadings;
  s.halfStrength = filter->HalfStrength;
  s.exponent = filter->ContrastExponent;
  s.floor = filter->CostFloor;
  s.ceiling = filter->CostCeiling;
  return s;
}

/// Computes the cost of this rank's part unless `solved` already holds it. Returns false after an abort.
/// Collective.
bool vtkIsochroneOrientedCost::Internals::make(const Ranks& ranks, OrientedCostProblem input, int threads) {
  if (!ranks.any(!solved || !same(solved->input.problem, input.problem))) return true;
  solved.reset(); // frees its memory before the computation
  oriented::Result result = solveInParts(ranks, input.problem, threads, monitorOf(filter, 0, 0.95));
  if (result.aborted) return false;
  ++filter->SolveCount;
  filter->TypicalStrength = result.typicalStrength;
  const auto [minimum, maximum] = std::ranges::minmax(result.cost);
  solved = Solution{std::move(input), std::make_shared<const oriented::Result>(std::move(result)), minimum,
                    maximum};
  return true;
}

/// @param image  this rank's part of the input, at least the extent `owned`
/// @param plane  of the whole image
void vtkIsochroneOrientedCost::Internals::attach(vtkImageData* image, const ImagePlane& plane,
                                                 const Extent& owned, vtkInformationVector* outputs) const {
  const oriented::Result& result = *solved->result;
  vtkSmartPointer<vtkDataArray> cost = sharedArray("Cost", result.cost, solved->result);
  rememberRange(cost, solved->minimum, solved->maximum);
  auto heading = named<vtkFloatArray>("Heading", vtkIdType(result.heading.size()));
  for (std::size_t p = 0; p < result.heading.size(); ++p)
    heading->SetValue(vtkIdType(p), float(result.heading[p] * 180 / std::numbers::pi));

  vtkImageData* states = vtkImageData::GetData(outputs, CostPort);
  makeStateSpace(cost, plane, filter->NumberOfHeadings, plane.smallerExtent(), "heading", states);
  const int x = 2 * plane.frame().imageAxis(0), y = 2 * plane.frame().imageAxis(1);
  states->SetExtent(owned[x], owned[x + 1], owned[y], owned[y + 1], 0, filter->NumberOfHeadings - 1);
  vtkImageData* plain = vtkImageData::GetData(outputs, LeastCostPort);
  plain->ShallowCopy(image);
  crop(plain, owned);
  plain->GetPointData()->AddArray(sharedArray("LeastCost", result.minCost, solved->result));
  plain->GetPointData()->AddArray(heading);
  plain->GetPointData()->SetActiveScalars("LeastCost");
}

bool vtkIsochroneOrientedCost::Execute(Execution& execution) {
  Internals& my = *this->Internal;
  const Ranks& ranks = execution.ranks;

  // 1. Gather this rank's part of the image.
  vtkSmartPointer<vtkImageData> image;
  std::optional<PiecePlan> plan;
  ranks.rethrowOnAll([&] {
    image = requireImage(execution.input(InputPort), "input", "one 2D image");
    plan = planPiece(this, execution.request, execution.inputs[InputPort]->GetInformationObject(0),
                     execution.outputs, CostPort, LeastCostPort, my.settings());
  });
  image = neededImage(ranks, image, plan);
  const vtkSmartPointer<vtkImageData> whole = wholeOf(image, plan);
  Extent given, owned, all;
  image->GetExtent(given.data());
  whole->GetExtent(all.data());
  owned = plan ? plan->owned : all;
  ranks.shareNode(double(sizeOf(owned)));

  // 2. Compute the cost, unless it is known.
  std::optional<ImagePlane> plane;
  OrientedCostProblem input;
  ranks.rethrowOnAll([&] {
    plane.emplace(whole);
    input = makeProblem(image, *plane, partOf(*plane, owned, given), my.settings());
  });
  if (!my.make(ranks, std::move(input), execution.threads)) return false;

  // 3. Attach the arrays, and output this rank's piece.
  ranks.rethrowOnAll([&] { my.attach(image, *plane, owned, execution.outputs); });
  Extent states;
  plane->stateSpace(this->NumberOfHeadings, plane->smallerExtent())->GetExtent(states.data());
  execution.keepPiece(CostPort, states);
  execution.keepPiece(LeastCostPort, all);
  return true;
}

void vtkIsochroneOrientedCost::Forget() { this->Internal->solved.reset(); }

void vtkIsochroneOrientedCost::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Polarity: " << this->Polarity << '\n';
  os << indent << "Length: " << this->Length << '\n';
  os << indent << "NumberOfHeadings: " << this->NumberOfHeadings << '\n';
}
