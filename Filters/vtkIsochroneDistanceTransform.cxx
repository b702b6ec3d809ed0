#include "vtkIsochroneDistanceTransform.h"

#include "Common/Execution.h"
#include "Common/FilterInputs.h"
#include "Common/FilterMonitor.h"
#include "Common/ImageFrame.h"
#include "Common/Pieces.h"
#include "Common/Ranks.h"
#include "Common/SeedsAndTips.h"
#include "DistanceTransform/DistanceTransform.h"
#include "DistanceTransform/Outputs.h"
#include "DistanceTransform/Pieces.h"
#include "DistanceTransform/Problem.h"
#include "DistanceTransform/Segments.h"
#include "DistanceTransform/SiteWarnings.h"
#include "Error.h"

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace isochrone;
using namespace isochrone::filters;

vtkStandardNewMacro(vtkIsochroneDistanceTransform);

namespace {

/// Input of this rank.
struct Inputs {
  vtkSmartPointer<vtkImageData> image; ///< the whole image, or the part that the plan requires
  std::optional<PiecePlan> plan;
  vtkSmartPointer<vtkPolyData> tips; ///< from all ranks; may be empty
};

/// The samples between which distances are measured, and the tips on their grid.
struct Samples {
  SiteArray array;
  Part part;
  ImageFrame frame, wholeFrame; ///< of this rank's samples, and of all samples
  Places tips;                  ///< on wholeFrame
  Extent owned;                 ///< this rank's samples that go to its output

  Samples(const Inputs& in, const ArrayChoice& choice);
};

Samples::Samples(const Inputs& in, const ArrayChoice& choice)
    : array(siteArrayOf(in.image, choice)), frame(samplesOf(in.image, array.onCells)),
      wholeFrame(samplesOf(wholeOf(in.image, in.plan), array.onCells)), tips(placesOf(in.tips, wholeFrame)) {
  const auto extentOf = [&](vtkImageData* image) {
    Extent points;
    image->GetExtent(points.data());
    return array.onCells ? cellExtent(points) : points;
  };
  part = {extentOf(in.image), extentOf(wholeOf(in.image, in.plan))};
  owned = !in.plan ? part.part : array.onCells ? cellExtent(in.plan->owned) : in.plan->owned;
}

/// A problem with its solution and the arrays made from it.
struct Field {
  DistanceProblem input;
  distance::Options options;
  std::shared_ptr<const distance::Result> result;
  DistanceArrays arrays;
  vtkSmartPointer<vtkDataArray> nearestLabel; ///< null until it is requested
};

/// Returns whether a result computed with options `a` serves a request with options `b`.
bool answers(const distance::Options& a, const distance::Options& b) {
  return a.backend == b.backend && a.region == b.region && a.maximumDistance == b.maximumDistance &&
         a.doublePrecision == b.doublePrecision && (a.squaredDistance || !b.squaredDistance) &&
         (a.nearestSite || !b.nearestSite);
}

} // namespace

/// The steps of Execute, and the state kept between executions.
struct vtkIsochroneDistanceTransform::Internals {
  vtkIsochroneDistanceTransform* filter;
  std::optional<Field> field;                             ///< empty after an abort or an error
  std::optional<std::vector<std::array<double, 3>>> tips; ///< of the segments; empty before there are any
  std::vector<distance::Segment> segments;

  Inputs gather(const Execution& execution) const;
  Samples arrange(const Inputs& in) const;
  SiteRule rule(const Ranks& ranks, const Samples& samples) const;
  bool solve(const Samples& samples, const SiteRule& rule, int threads);
  std::vector<distance::Segment> nearestSites(std::span<const distance::Position> positions);
  std::string followTips(const Ranks& ranks, const Samples& samples);
  void attach(const Inputs& in, const Samples& samples, int threads, vtkImageData* out);
  distance::Options options(int threads) const;
  void forget();
};

vtkIsochroneDistanceTransform::vtkIsochroneDistanceTransform() : Internal(std::make_unique<Internals>()) {
  this->Internal->filter = this;
  this->SetNumberOfInputPorts(2);
  this->AddIsochronesPort("Distance");
  std::fill_n(this->SiteRange, 2, std::numeric_limits<double>::quiet_NaN());
}

vtkIsochroneDistanceTransform::~vtkIsochroneDistanceTransform() = default;

int vtkIsochroneDistanceTransform::RequestInformation(vtkInformation*, vtkInformationVector** inputs,
                                                      vtkInformationVector* outputs) {
  vtkNew<vtkImageData> frame;
  const bool known = announced(inputs[InputPort]->GetInformationObject(0), frame);
  announce(outputs->GetInformationObject(DistancePort), known ? frame.Get() : nullptr);
  return 1;
}

int vtkIsochroneDistanceTransform::RequestUpdateExtent(vtkInformation* request, vtkInformationVector** inputs,
                                                       vtkInformationVector* outputs) {
  this->Superclass::RequestUpdateExtent(request, inputs, outputs); // requests the whole of every input
  vtkInformation* image = inputs[InputPort]->GetInformationObject(0);
  if (const auto plan = planPiece(this, request, image, outputs, this->MaximumDistance))
    requestPart(*plan, image);
  return 1;
}

Inputs vtkIsochroneDistanceTransform::Internals::gather(const Execution& execution) const {
  const Ranks& ranks = execution.ranks;
  Inputs in;
  ranks.rethrowOnAll([&] {
    in.image = requireImage(execution.input(InputPort), "input", "one image");
    in.tips = choosePoints(PointsFrom(filter->TipType), {filter->TipCoordinates, {}},
                           execution.input(TipsPort), "tips");
    in.plan = planPiece(filter, execution.request, execution.inputs[InputPort]->GetInformationObject(0),
                        execution.outputs, filter->MaximumDistance);
  });
  in.image = neededImage(ranks, in.image, in.plan);
  ranks.shareNode(double(in.image->GetNumberOfPoints()));
  in.tips = in.tips ? ranks.gatherPoints(in.tips) : vtkSmartPointer<vtkPolyData>::New();
  return in;
}

distance::Options vtkIsochroneDistanceTransform::Internals::options(int threads) const {
  distance::Options options;
  options.backend = static_cast<isochrone::Backend>(filter->Backend);
  options.threads = threads;
  options.region = static_cast<distance::Region>(filter->Region);
  options.maximumDistance = filter->MaximumDistance;
  options.doublePrecision = filter->DoublePrecision;
  options.squaredDistance = filter->ComputeSquaredDistance;
  options.nearestSite = filter->ComputeNearestSite || filter->ComputeNearestLabel;
  return options;
}

Samples vtkIsochroneDistanceTransform::Internals::arrange(const Inputs& in) const {
  const ImageFrame points(in.image);
  if (!field) requireMemory(points, options(1));
  return {in, choiceOf(filter->GetInputArrayInformation(SiteArray))};
}

SiteRule vtkIsochroneDistanceTransform::Internals::rule(const Ranks& ranks, const Samples& samples) const {
  SiteRule rule{static_cast<SiteRule::Mode>(filter->SiteMode),
                {filter->SiteRange[0], filter->SiteRange[1]},
                filter->SiteLabel};
  const bool given = !std::isnan(rule.range[0]) || !std::isnan(rule.range[1]);
  if (given || rule.mode != SiteRule::Mode::Range) return rule;
  const auto [low, high] = valuesOf(ranks, samples.array.values);
  if (low <= high) rule.range = {low + (high - low) / 2, high};
  return rule;
}

/// Solves the problem unless `field` already holds its solution. `field` is empty after an abort.
/// @return false if the solution was already known
bool vtkIsochroneDistanceTransform::Internals::solve(const Samples& samples, const SiteRule& rule,
                                                     int threads) {
  validate(rule);
  const distance::Options request = options(threads);
  const SiteOrigin origin(samples.array, rule);
  const bool known = field && field->input.origin.equals(origin);
  DistanceProblem input = makeProblem(samples.array, rule, samples.frame, samples.part,
                                      known ? field->input.sites : nullptr, threads);
  if (field && answers(field->options, request) && same(field->input, input)) {
    if (!known) field->nearestLabel = nullptr; // belongs to other values
    field->input = std::move(input);
    return false;
  }
  field.reset(); // frees its memory before the solve
  tips.reset();
  requireMemory(samples.frame, request);
  auto result = std::make_shared<const distance::Result>(
      distance::solveDistanceTransform(input.problem, request, monitorOf(filter, 0, 0.9)));
  if (result->aborted) return true;
  ++filter->SolveCount;
  filter->SetRanOn(result->ranOn);
  DistanceArrays arrays = arraysOf(result, input.part, threads);
  field = Field{std::move(input), request, std::move(result), std::move(arrays), nullptr};
  return true;
}

/// Answers the tips in batches, for progress: a tip inside a shell of sites may take milliseconds.
std::vector<distance::Segment>
vtkIsochroneDistanceTransform::Internals::nearestSites(std::span<const distance::Position> positions) {
  constexpr std::size_t share = 256;
  std::vector<distance::Segment> all;
  while (all.size() < positions.size()) {
    const auto next = positions.subspan(all.size(), std::min(share, positions.size() - all.size()));
    const auto some = distance::nearestSites(field->input.problem, field->options, *field->result, next);
    all.insert(all.end(), some.begin(), some.end());
    filter->UpdateProgress(0.9 + 0.1 * double(all.size()) / double(positions.size()));
  }
  return all;
}

/// Computes the segments. Each rank answers the tips among its owned samples. Collective.
/// @return a warning about tips without a segment, or an empty string
std::string vtkIsochroneDistanceTransform::Internals::followTips(const Ranks& ranks, const Samples& samples) {
  const std::vector<std::array<double, 3>>& positions = samples.tips.positions;
  if (tips && sameBytes<std::array<double, 3>>(*tips, positions)) return {};
  tips.reset();
  std::vector<distance::Segment> local(positions.size());
  std::vector<bool> isMine(positions.size());
  ranks.rethrowOnAll([&] {
    std::vector<distance::Position> own; // in this rank's part
    for (std::size_t t = 0; t < positions.size(); ++t) {
      isMine[t] = ownsTip(positions[t], samples.wholeFrame, samples.part.whole, samples.owned);
      if (isMine[t]) own.push_back(samples.frame.toGrid(samples.wholeFrame.toWorld(positions[t])));
    }
    const std::vector<distance::Segment> answered = nearestSites(own);
    auto next = answered.begin();
    for (std::size_t t = 0; t < positions.size(); ++t)
      if (isMine[t]) local[t] = *next++;
  });
  segments = mergedSegments(ranks, std::move(local), isMine, samples.part);
  ++filter->ExtractionCount;
  tips = positions;
  return missingSegments(segments, samples.tips);
}

void vtkIsochroneDistanceTransform::Internals::attach(const Inputs& in, const Samples& samples, int threads,
                                                      vtkImageData* out) {
  const bool onCells = samples.array.onCells;
  if (filter->ComputeNearestLabel && !field->nearestLabel)
    field->nearestLabel =
        nearestLabels(samples.array.values, field->input.problem.sites, *field->result, threads);
  out->ShallowCopy(in.image);
  vtkDataSetAttributes* data = attributesOf(out, onCells);
  data->AddArray(field->arrays.distance);
  if (filter->ComputeSquaredDistance) data->AddArray(field->arrays.squaredDistance);
  if (filter->ComputeNearestSite) data->AddArray(field->arrays.nearestSite);
  if (filter->ComputeNearestLabel) data->AddArray(field->nearestLabel);
  data->AddArray(field->arrays.reached);
  if (onCells) out->GetPointData()->SetActiveScalars(nullptr); // ParaView would colour by them
  data->SetActiveScalars("Distance");
  if (filter->BlankUnreached) blankUnreachedSamples(field->arrays.reached, onCells, out);
}

void vtkIsochroneDistanceTransform::Internals::forget() {
  field.reset();
  tips.reset();
}

bool vtkIsochroneDistanceTransform::Execute(Execution& execution) {
  Internals& my = *this->Internal;
  const Ranks& ranks = execution.ranks;

  // 1. Gather this rank's part of every input, and the rule for sites.
  const Inputs in = my.gather(execution);
  std::optional<Samples> samples;
  ranks.rethrowOnAll([&] { samples = my.arrange(in); });
  const SiteRule rule = my.rule(ranks, *samples);

  // 2. Solve, unless the solution is known.
  bool solved = false;
  ranks.rethrowOnAll([&] { solved = my.solve(*samples, rule, execution.threads); });
  if (ranks.any(!my.field)) return false;
  if (ranks.any(solved)) {
    my.tips.reset();
    this->Warnings =
        siteWarnings(ranks, samples->array, my.field->input, my.field->options.region, samples->owned);
  }

  // 3. Compute the segments of the tips, and attach the arrays.
  this->Warnings.push_back(my.followTips(ranks, *samples));
  ranks.rethrowOnAll(
      [&] { my.attach(in, *samples, execution.threads, execution.output<vtkImageData>(DistancePort)); });
  if (in.plan)
    execution.output<vtkImageData>(DistancePort)->Crop(Extent(in.plan->owned).data());
  else
    execution.keepPiece(DistancePort);
  execution.showOnce(segmentsToPolyData(my.segments, samples->wholeFrame, samples->tips), SegmentsPort);
  return true;
}

void vtkIsochroneDistanceTransform::Forget() { this->Internal->forget(); }

void vtkIsochroneDistanceTransform::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SiteMode: " << this->SiteMode << '\n';
  os << indent << "SiteRange: " << this->SiteRange[0] << ", " << this->SiteRange[1] << '\n';
  os << indent << "SiteLabel: " << this->SiteLabel << '\n';
  os << indent << "Region: " << this->Region << '\n';
  os << indent << "MaximumDistance: " << this->MaximumDistance << '\n';
}
