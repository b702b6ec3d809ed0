#include "vtkIsochroneDistanceTransform.h"

#include "Common/Execution.h"
#include "Common/FilterInputs.h"
#include "Common/FilterMonitor.h"
#include "Common/GridAxes.h"
#include "Common/ImageFrame.h"
#include "Common/ImageParts.h"
#include "Common/PeriodicPaths.h"
#include "Common/Pieces.h"
#include "Common/Ranks.h"
#include "Common/SeedsAndTips.h"
#include "DistanceTransform/DistanceTransform.h"
#include "DistanceTransform/Exchange.h"
#include "DistanceTransform/Outputs.h"
#include "DistanceTransform/Pieces.h"
#include "DistanceTransform/Problem.h"
#include "DistanceTransform/Samples.h"
#include "DistanceTransform/Segments.h"
#include "DistanceTransform/SharedLabels.h"
#include "DistanceTransform/SiteWarnings.h"
#include "DistanceTransform/SurfaceSites.h"
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
#include <vtkRectilinearGrid.h>

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

/// A problem with its solution and the arrays made from it.
struct Field {
  DistanceProblem input;
  distance::Options options;
  std::shared_ptr<const distance::Result> result;
  DistanceArrays arrays;
  vtkSmartPointer<vtkDataArray> nearestLabel; ///< null until it is requested
  std::vector<vtkSmartPointer<vtkDataArray>> extended;
};

/// Returns whether a result computed with options `a` serves a request with options `b`.
bool answers(const distance::Options& a, const distance::Options& b) {
  return a.backend == b.backend && a.region == b.region && a.maximumDistance == b.maximumDistance &&
         a.doublePrecision == b.doublePrecision && (a.squaredDistance || !b.squaredDistance) &&
         (a.nearestSite || !b.nearestSite);
}

constexpr double afterSurface = 0.1; ///< progress

} // namespace

/// The steps of Execute, and the state kept between executions.
struct vtkIsochroneDistanceTransform::Internals {
  vtkIsochroneDistanceTransform* filter;
  KnownSurface surface;                                   ///< of the last execution
  std::optional<Field> field;                             ///< empty after an abort or an error
  std::optional<std::vector<std::array<double, 3>>> tips; ///< of the segments; empty before there are any
  std::vector<distance::Segment> segments;

  SiteRule::Mode mode() const { return static_cast<SiteRule::Mode>(filter->SiteMode); }
  bool toSurface() const { return mode() == SiteRule::Mode::LevelSet || mode() == SiteRule::Mode::Surface; }
  /// Returns whether ranks can solve one problem together: on the host. Cubic interpolation needs more points
  /// around a cell than the pieces of an image have.
  bool canShare() const {
    return filter->Backend != int(isochrone::Backend::Cuda) &&
           !(mode() == SiteRule::Mode::LevelSet && filter->Interpolation == 1);
  }
  /// Returns whether the axes of a frame are periodic.
  std::array<bool, 3> periodic(const ImageFrame& frame) const {
    const bool axes[3] = {filter->PeriodicX, filter->PeriodicY, filter->PeriodicZ};
    return {axes[frame.imageAxis(0)], axes[frame.imageAxis(1)], axes[frame.imageAxis(2)]};
  }
  bool anyPeriodic() const { return filter->PeriodicX || filter->PeriodicY || filter->PeriodicZ; }
  /// See planPiece. Periodic axes need the whole image.
  std::optional<DistancePlan> plan(vtkInformation* request, vtkInformation* image,
                                   vtkInformationVector* outputs) const {
    if (anyPeriodic()) return {};
    return planPiece(filter, request, image, outputs, filter->MaximumDistance, canShare());
  }
  Inputs gather(const Execution& execution) const;
  Samples arrange(const Inputs& in) const;
  SiteRule rule(const Ranks& ranks, const Samples& samples) const;
  bool solve(const Ranks& ranks, const Samples& samples, const SiteRule& rule,
             std::shared_ptr<const SurfaceSites> surface, int threads);
  std::vector<distance::Segment> nearestSites(const distance::Problem& problem,
                                              std::span<const distance::Position> positions);
  std::string followTips(const Ranks& ranks, const Samples& samples);
  std::vector<distance::Segment> followTogether(const Ranks& ranks,
                                                const std::vector<std::array<double, 3>>& positions);
  std::vector<distance::Segment> followOwned(const Ranks& ranks, const Samples& samples);
  void label(const Ranks& ranks, const Samples& samples, int threads);
  void attach(const Inputs& in, const Samples& samples, vtkImageData* out);
  distance::Options options(int threads) const;
  void forget();
};

vtkIsochroneDistanceTransform::vtkIsochroneDistanceTransform() : Internal(std::make_unique<Internals>()) {
  this->Internal->filter = this;
  this->SetNumberOfInputPorts(3);
  this->AddIsochronesPort("Distance");
  std::fill_n(this->SiteRange, 2, std::numeric_limits<double>::quiet_NaN());
  this->IsoValue = std::numeric_limits<double>::quiet_NaN();
}

vtkIsochroneDistanceTransform::~vtkIsochroneDistanceTransform() = default;

void vtkIsochroneDistanceTransform::AddExtendedArray(const char* name) {
  if (!name || !*name || std::string(name) == "None") return;
  this->ExtendedArrays.emplace_back(name);
  this->Modified();
}

void vtkIsochroneDistanceTransform::ClearExtendedArrays() {
  if (this->ExtendedArrays.empty()) return;
  this->ExtendedArrays.clear();
  this->Modified();
}

int vtkIsochroneDistanceTransform::FillOutputPortInformation(int port, vtkInformation* info) {
  if (port != DistancePort) return this->Superclass::FillOutputPortInformation(port, info);
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataSet");
  return 1;
}

int vtkIsochroneDistanceTransform::RequestInformation(vtkInformation*, vtkInformationVector** inputs,
                                                      vtkInformationVector* outputs) {
  vtkNew<vtkImageData> frame;
  if (announceRectilinear(inputs[InputPort]->GetInformationObject(0),
                          outputs->GetInformationObject(DistancePort)))
    return 1;
  const bool known = announced(inputs[InputPort]->GetInformationObject(0), frame);
  announce(outputs->GetInformationObject(DistancePort), known ? frame.Get() : nullptr);
  return 1;
}

int vtkIsochroneDistanceTransform::RequestUpdateExtent(vtkInformation* request, vtkInformationVector** inputs,
                                                       vtkInformationVector* outputs) {
  this->Superclass::RequestUpdateExtent(request, inputs, outputs); // requests the whole of every input
  vtkInformation* image = inputs[InputPort]->GetInformationObject(0);
  if (const auto plan = this->Internal->plan(request, image, outputs)) requestPart(*plan, image);
  return 1;
}

Inputs vtkIsochroneDistanceTransform::Internals::gather(const Execution& execution) const {
  const Ranks& ranks = execution.ranks;
  Inputs in;
  vtkDataSet* given = nullptr;
  IndexedGrid grid;
  ranks.rethrowOnAll([&] {
    given = requireGrid(execution.input(InputPort), "input");
    if (isRectilinear(given)) grid = indexed(given, false);
  });
  if (isGridOnAll(ranks, isRectilinear(given))) {
    grid = gathered(ranks, grid);
    in.image = grid.image, in.axes = std::move(grid.axes);
  } else {
    in.image = vtkImageData::SafeDownCast(given);
  }
  ranks.rethrowOnAll([&] {
    in.tips = choosePoints(PointsFrom(filter->TipType), {filter->TipCoordinates, {}},
                           execution.input(TipsPort), "tips");
    in.plan =
        plan(execution.request, execution.inputs[InputPort]->GetInformationObject(0), execution.outputs);
  });
  std::optional<PiecePlan> extents = in.plan;
  in.image = neededImage(ranks, in.image, extents);
  if (!extents) in.plan.reset();
  ranks.shareNode(double(in.image->GetNumberOfPoints()));
  in.tips = in.tips ? ranks.gatherPoints(in.tips) : vtkSmartPointer<vtkPolyData>::New();
  if (mode() == SiteRule::Mode::Surface) {
    in.surface = gatherSurface(ranks, execution.input(SurfacePort));
    in.surfaceTime =
        std::max(execution.input(SurfacePort)->GetMTime(), timeOfArrays(execution.input(SurfacePort)));
  }
  if (in.plan && in.plan->shared) {
    in.shared = gatherPlans(ranks, *in.plan);
    if (!in.shared) {
      in.plan.reset();
      in.image = ranks.gatherImage(in.image);
    }
  }
  if (in.axes && ranks.count() > 1)
    in.warning = solvedWhole(in.image->GetNumberOfPoints(), neededBytes(ImageFrame(in.image), options(1)),
                             "a rectilinear grid cannot be solved in parts");
  const bool wanted = !in.plan && !in.axes && ranks.count() > 1 && canShare() &&
                      (anyPeriodic() || !(filter->MaximumDistance > 0)) &&
                      requestedPiece(execution.request, execution.outputs).count == ranks.count();
  if (wanted)
    in.warning =
        solvedWhole(in.image->GetNumberOfPoints(), neededBytes(ImageFrame(in.image), options(1)),
                    anyPeriodic() ? "periodic axes cannot be solved in parts"
                                  : "the pieces of the input on the ranks do not divide the image, as behind "
                                    "Resample To Image: save the input and use the file");
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
  options.nearestSite = toSurface() ? !filter->ExtendedArrays.empty()
                                    : filter->ComputeNearestSite || filter->ComputeNearestLabel;
  return options;
}

Samples vtkIsochroneDistanceTransform::Internals::arrange(const Inputs& in) const {
  const ImageFrame points(in.image);
  if (!field) requireMemory(points, options(1));
  return {in, choiceOf(filter->GetInputArrayInformation(SiteArray)), mode()};
}

SiteRule vtkIsochroneDistanceTransform::Internals::rule(const Ranks& ranks, const Samples& samples) const {
  SiteRule rule;
  rule.mode = mode();
  rule.range = {filter->SiteRange[0], filter->SiteRange[1]};
  rule.label = filter->SiteLabel;
  rule.isoValue = filter->IsoValue;
  rule.insideBelow = filter->LevelSetInside == 1;
  rule.interpolation = filter->Interpolation;
  const bool needsRange =
      rule.mode == SiteRule::Mode::Range && std::isnan(rule.range[0]) && std::isnan(rule.range[1]);
  const bool needsValue = rule.mode == SiteRule::Mode::LevelSet && std::isnan(rule.isoValue);
  if (!needsRange && !needsValue) return rule;
  const auto [low, high] = valuesOf(ranks, samples.array.values);
  const double middle = low / 2 + high / 2;
  if (needsRange && low <= high) rule.range = {low + (high - low) / 2, high};
  if (needsValue) rule.isoValue = low <= high ? middle : 0;
  return rule;
}

/// Solves the problem unless `field` already holds its solution. `field` is empty after an abort. Collective.
/// @return false if the solution was already known
bool vtkIsochroneDistanceTransform::Internals::solve(const Ranks& ranks, const Samples& samples,
                                                     const SiteRule& rule,
                                                     std::shared_ptr<const SurfaceSites> surface,
                                                     int threads) {
  const distance::Options request = options(threads);
  DistanceProblem input;
  bool again = false;
  ranks.rethrowOnAll([&] {
    validate(rule);
    const bool known = field && !surface && field->input.origin.equals({samples.array, rule});
    input = problemOf(ranks, samples, rule, known ? field->input.sites : nullptr, surface, threads);
    input.problem.periodic = periodic(samples.frame);
    again = !field || !answers(field->options, request) || !same(field->input, input);
    if (!again && !known) field->nearestLabel = nullptr; // belongs to other values
  });
  if (samples.shared) again = ranks.any(again);
  if (!again) {
    field->input = std::move(input);
    return false;
  }
  DistanceExchange exchange(ranks);
  ranks.rethrowOnAll([&] {
    field.reset(); // frees its memory before the solve
    tips.reset();
    const auto result = std::make_shared<distance::Result>();
    const auto run = [&] {
      requireMemory(samples.frame, request);
      *result = distance::solveDistanceTransform(input.problem, request,
                                                 monitorOf(filter, surface ? afterSurface : 0, 0.9));
      return !result->aborted;
    };
    if (samples.shared) exchange.connect(input.problem.sharing);
    if (!(samples.shared ? exchange.run(run) : run())) return;
    ++filter->SolveCount;
    filter->SetRanOn(result->ranOn);
    const Extent& whole = samples.part.whole;
    DistanceArrays arrays = arraysOf(result, samples.shared ? Part{whole, whole} : input.part, threads);
    field = Field{std::move(input), request, result, std::move(arrays), nullptr, {}};
    if (surface) field->extended = extendedArrays(*surface, field->input.problem, *result, threads);
  });
  return true;
}

/// Answers the tips in batches, for progress: a tip inside a shell of sites may take milliseconds.
std::vector<distance::Segment>
vtkIsochroneDistanceTransform::Internals::nearestSites(const distance::Problem& problem,
                                                       std::span<const distance::Position> positions) {
  constexpr std::size_t share = 256;
  std::vector<distance::Segment> all;
  while (all.size() < positions.size()) {
    const auto next = positions.subspan(all.size(), std::min(share, positions.size() - all.size()));
    const auto some = distance::nearestSites(problem, field->options, *field->result, next);
    if (some.empty()) return {}; // another rank failed
    all.insert(all.end(), some.begin(), some.end());
    filter->UpdateProgress(0.9 + 0.1 * double(all.size()) / double(positions.size()));
  }
  return all;
}

/// Answers all tips together. Collective.
std::vector<distance::Segment> vtkIsochroneDistanceTransform::Internals::followTogether(
    const Ranks& ranks, const std::vector<std::array<double, 3>>& positions) {
  std::vector<distance::Segment> all;
  DistanceExchange exchange(ranks);
  ranks.rethrowOnAll([&] {
    distance::Problem problem = field->input.problem;
    exchange.connect(problem.sharing);
    exchange.run([&] {
      all = nearestSites(problem, positions);
      return all.size() == positions.size();
    });
  });
  return all;
}

/// Answers the tips among the owned samples of each rank. Collective.
std::vector<distance::Segment> vtkIsochroneDistanceTransform::Internals::followOwned(const Ranks& ranks,
                                                                                     const Samples& samples) {
  const std::vector<std::array<double, 3>>& positions = samples.tips.positions;
  std::vector<distance::Segment> local(positions.size());
  std::vector<bool> isMine(positions.size());
  ranks.rethrowOnAll([&] {
    std::vector<distance::Position> own; // in this rank's part
    for (std::size_t t = 0; t < positions.size(); ++t) {
      isMine[t] = ownsTip(positions[t], samples.wholeFrame, samples.part.whole, samples.owned);
      if (isMine[t])
        own.push_back(toSurface() ? positions[t]
                                  : samples.frame.toGrid(samples.wholeFrame.toWorld(positions[t])));
    }
    const std::vector<distance::Segment> answered = nearestSites(field->input.problem, own);
    auto next = answered.begin();
    for (std::size_t t = 0; t < positions.size(); ++t)
      if (isMine[t]) local[t] = *next++;
  });
  return mergedSegments(ranks, std::move(local), isMine, samples.part, toSurface());
}

/// Computes the segments. Collective.
/// @return a warning about tips without a segment, or an empty string
std::string vtkIsochroneDistanceTransform::Internals::followTips(const Ranks& ranks, const Samples& samples) {
  const std::vector<std::array<double, 3>>& positions = samples.tips.positions;
  if (tips && sameBytes<std::array<double, 3>>(*tips, positions)) return {};
  tips.reset();
  segments = samples.shared ? followTogether(ranks, positions) : followOwned(ranks, samples);
  ++filter->ExtractionCount;
  tips = positions;
  return missingSegments(segments, samples.tips);
}

/// Computes the labels of the nearest sites, if they are requested. Collective.
void vtkIsochroneDistanceTransform::Internals::label(const Ranks& ranks, const Samples& samples,
                                                     int threads) {
  const bool missing = filter->ComputeNearestLabel && !field->nearestLabel && !toSurface();
  if (!(samples.shared ? ranks.any(missing) : missing)) return;
  vtkDataArray* values = samples.array.values;
  const std::span<const std::uint8_t> sites = field->input.problem.sites;
  ForeignValues foreign;
  if (samples.shared)
    foreign = foreignValues(ranks, values, sites, *field->result, samples.part, samples.shared->owned);
  const auto make = [&] {
    field->nearestLabel = nearestLabels(values, sites, *field->result, samples.part,
                                        samples.shared ? &foreign : nullptr, threads);
  };
  if (samples.shared)
    ranks.rethrowOnAll(make);
  else
    make();
}

void vtkIsochroneDistanceTransform::Internals::attach(const Inputs& in, const Samples& samples,
                                                      vtkImageData* out) {
  const bool onCells = samples.array.onCells;
  out->ShallowCopy(in.image);
  vtkDataSetAttributes* data = attributesOf(out, onCells);
  data->AddArray(field->arrays.distance);
  if (filter->ComputeSquaredDistance) data->AddArray(field->arrays.squaredDistance);
  if (filter->ComputeNearestSite && !toSurface()) data->AddArray(field->arrays.nearestSite);
  if (filter->ComputeNearestLabel && !toSurface()) data->AddArray(field->nearestLabel);
  for (const auto& array : field->extended) data->AddArray(array);
  data->AddArray(field->arrays.reached);
  if (onCells) out->GetPointData()->SetActiveScalars(nullptr); // ParaView would colour by them
  data->SetActiveScalars("Distance");
  if (filter->BlankUnreached) blankUnreachedSamples(field->arrays.reached, onCells, out);
}

void vtkIsochroneDistanceTransform::Internals::forget() {
  field.reset();
  tips.reset();
  surface = {};
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
  const std::shared_ptr<const SurfaceSites> surface =
      my.toSurface() ? my.surface.update(ranks, in, *samples, rule, this->ExtendedArrays, execution.threads,
                                         monitorOf(this, 0, afterSurface))
                     : nullptr;
  if (my.toSurface() && !surface) return false;
  const bool solved = my.solve(ranks, *samples, rule, surface, execution.threads);
  if (ranks.any(!my.field)) return false;
  if (ranks.any(solved)) {
    my.tips.reset();
    const distance::Region region = my.field->options.region;
    this->Warnings = surface ? surfaceWarnings(ranks, samples->array, rule, *surface, region)
                             : siteWarnings(ranks, samples->array, my.field->input, region, samples->owned);
    if (surface && this->ComputeNearestLabel)
      this->Warnings.push_back("labels belong to points, so there is no NearestLabel with a surface: choose "
                               "the array in Extended Arrays");
    this->Warnings.push_back(in.warning);
  }

  // 3. Compute the segments of the tips, and attach the arrays.
  this->Warnings.push_back(my.followTips(ranks, *samples));
  my.label(ranks, *samples, execution.threads);
  ranks.rethrowOnAll([&] {
    vtkNew<vtkImageData> image;
    my.attach(in, *samples, image);
    if (in.plan)
      crop(image, in.plan->owned);
    else
      keepPiece(execution.request, execution.outputs, DistancePort, extentOf(in.image), image);
    if (in.axes)
      showOnGrid(image, *in.axes, extentOf(in.image), nullptr,
                 execution.output<vtkRectilinearGrid>(DistancePort));
    else
      execution.output<vtkImageData>(DistancePort)->ShallowCopy(image);
  });
  const auto segments =
      segmentsToPolyData(my.segments, samples->wholeFrame, samples->tips, my.toSurface(), my.anyPeriodic());
  if (my.anyPeriodic() && !this->UnwrapPaths)
    cutAtBorders(segments, samples->wholeFrame, my.periodic(samples->wholeFrame));
  execution.showOnce(segments, SegmentsPort);
  return true;
}

void vtkIsochroneDistanceTransform::Forget() { this->Internal->forget(); }

void vtkIsochroneDistanceTransform::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SiteMode: " << this->SiteMode << '\n';
  os << indent << "SiteRange: " << this->SiteRange[0] << ", " << this->SiteRange[1] << '\n';
  os << indent << "SiteLabel: " << this->SiteLabel << '\n';
  os << indent << "IsoValue: " << this->IsoValue << '\n';
  os << indent << "LevelSetInside: " << this->LevelSetInside << '\n';
  os << indent << "Interpolation: " << this->Interpolation << '\n';
  os << indent << "ExtendedArrays: " << this->ExtendedArrays.size() << '\n';
  os << indent << "Region: " << this->Region << '\n';
  os << indent << "MaximumDistance: " << this->MaximumDistance << '\n';
  os << indent << "Periodic: " << this->PeriodicX << ' ' << this->PeriodicY << ' ' << this->PeriodicZ << '\n';
  os << indent << "UnwrapPaths: " << this->UnwrapPaths << '\n';
}
