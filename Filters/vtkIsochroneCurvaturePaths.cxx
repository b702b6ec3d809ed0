#include "vtkIsochroneCurvaturePaths.h"

#include "Common/Execution.h"
#include "Common/Fields.h"
#include "Common/FilterInputs.h"
#include "Common/FilterMonitor.h"
#include "Common/ImageParts.h"
#include "Common/ImagePlane.h"
#include "Common/PartExchange.h"
#include "Common/PathsToPolyData.h"
#include "Common/PeriodicPaths.h"
#include "Common/Pieces.h"
#include "Common/PropertyLists.h"
#include "Common/Ranks.h"
#include "Common/SeedRuns.h"
#include "Common/Sensitivities.h"
#include "Common/StateSpaceImage.h"
#include "Common/TimeSteps.h"
#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/Drift.h"
#include "CurvaturePaths/EachSeed.h"
#include "CurvaturePaths/Outputs.h"
#include "CurvaturePaths/Solution.h"
#include "CurvaturePaths/States.h"
#include "Error.h"

#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkTable.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

using namespace isochrone;
using namespace isochrone::filters;
namespace filters = isochrone::filters;

vtkStandardNewMacro(vtkIsochroneCurvaturePaths);

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Input of a solve, identical on every rank. Without seeds the solve starts at the centre of the image.
struct Inputs {
  vtkSmartPointer<vtkImageData> image, orientedCost;
  vtkSmartPointer<vtkPolyData> seeds, tips;
  vtkSmartPointer<vtkPolyData> allSeeds; ///< of all time steps
  int step = 0;                          ///< of the seed; noStep: no time steps
  /// The points whose states each rank solves, along the axes of the plane; nothing: each rank solves all.
  std::optional<std::vector<grid::Box>> parts;
  std::string whyWhole; ///< why many states are not divided
};

double heightOr(double height, const ImagePlane& plane) {
  return height > 0 ? height : plane.smallerExtent();
}

} // namespace

/// The steps of Execute, and the state kept between executions.
struct vtkIsochroneCurvaturePaths::Internals {
  vtkIsochroneCurvaturePaths* filter;
  std::unique_ptr<CurvatureSolution> solved; ///< null after an abort or an error
  std::unique_ptr<CurvatureSeedRuns> each;   ///< runs of one seed each; null until requested
  std::shared_ptr<curvature::StartCache> startCache = curvature::makeStartCache();

  Inputs gather(const Execution& execution);
  void divide(const Execution& execution, Inputs& in) const;
  bool holdsOutputs(const Execution& execution, const Inputs& in, const ImagePlane& plane,
                    int headings) const;
  std::string whyWhole() const;
  CurvatureSettings settings() const;
  double solveShare() const { return filter->ComputeSensitivity ? 0.45 : 0.9; } ///< of all work
  bool run(const Inputs& in, PartExchange& ranks, const Execution& execution,
           vtkSmartPointer<vtkPolyData>& paths, vtkSmartPointer<vtkTable>& table);
  bool runSeeds(CurvatureProblem input, const States& tips, int threads, double begin, double end);
  bool isSeparate() const {
    return static_cast<filters::SeedRuns>(filter->SeedRuns) == filters::SeedRuns::Separate;
  }
  void cutPaths(const curvature::Problem& problem, const ImagePlane& plane, vtkPolyData* paths) const;
  void forget();
  bool solve(CurvatureProblem input, const States& tips, PartExchange& ranks, int threads);
  bool examine(const States& tips, PartExchange& ranks, int threads);
  void attachImages(const Inputs& in, const ImagePlane& plane, const States& seeds, PartExchange& ranks,
                    vtkInformationVector* outputs) const;
  void attachSeparate(const Inputs& in, const ImagePlane& plane, const States& seeds,
                      vtkInformationVector* outputs) const;
  vtkSmartPointer<vtkPolyData> pathLines(const ImageFrame& frame, const States& seeds,
                                         const States& tips) const;
};

vtkIsochroneCurvaturePaths::vtkIsochroneCurvaturePaths()
    : Internal(std::make_unique<Internals>()), TurningRadius(notANumber) {
  this->Internal->filter = this;
  this->SetNumberOfInputPorts(4);
  this->SetNumberOfOutputPorts(3);
  this->AddIsochronesPort("TravelTime");
  this->AddTravelTimeTablePort();
}

vtkIsochroneCurvaturePaths::~vtkIsochroneCurvaturePaths() = default;

void vtkIsochroneCurvaturePaths::SetNumberOfSeedHeadings(int number) {
  resize(this, this->SeedHeadings, number, notANumber);
}
void vtkIsochroneCurvaturePaths::SetSeedHeading(int index, double degrees) {
  assign(this, this->SeedHeadings, index, degrees);
}
void vtkIsochroneCurvaturePaths::SetNumberOfTipHeadings(int number) {
  resize(this, this->TipHeadings, number, notANumber);
}
void vtkIsochroneCurvaturePaths::SetTipHeading(int index, double degrees) {
  assign(this, this->TipHeadings, index, degrees);
}

int vtkIsochroneCurvaturePaths::RequestInformation(vtkInformation* request, vtkInformationVector** inputs,
                                                   vtkInformationVector* outputs) {
  this->Superclass::RequestInformation(request, inputs, outputs); // announces time steps
  announce(outputs->GetInformationObject(TravelTimePort), nullptr);
  announce(outputs->GetInformationObject(StateSpacePort), nullptr);
  vtkNew<vtkImageData> frame, orientedFrame;
  if (!announced(inputs[InputPort]->GetInformationObject(0), frame)) return 1;
  try {
    const ImagePlane plane(frame);
    this->TurningRadiusRange[1] = plane.smallerExtent() / 5;
    announce(outputs->GetInformationObject(TravelTimePort), frame);
    const bool oriented = announced(inputs[OrientedCostPort]->GetInformationObject(0), orientedFrame);
    const int headings = oriented ? orientedFrame->GetDimensions()[2] : this->NumberOfHeadings;
    if (!this->ComputeStateSpace || headings < 1) return 1;
    announce(outputs->GetInformationObject(StateSpacePort),
             plane.stateSpace(headings, heightOr(this->StateSpaceHeight, plane)));
  } catch (const Error&) { // Execute reports it
  }
  return 1;
}

Inputs vtkIsochroneCurvaturePaths::Internals::gather(const Execution& execution) {
  const Ranks& ranks = execution.ranks;
  Inputs in;
  ranks.rethrowOnAll([&] {
    in.image = requireImage(execution.input(InputPort), "input", "one 2D image");
    if (auto* data = execution.input(OrientedCostPort)) {
      in.orientedCost = requireImage(data, "oriented cost", "one 2D image");
    }
    in.seeds = choosePoints(PointsFrom(filter->SeedType), {filter->SeedCoordinates, filter->SeedHeadings},
                            execution.input(SeedsPort), "seeds");
    in.tips = choosePoints(PointsFrom(filter->TipType), {filter->TipCoordinates, filter->TipHeadings},
                           execution.input(TipsPort), "tips");
  });
  in.image = ranks.gatherImage(in.image);
  if (in.orientedCost) in.orientedCost = ranks.gatherImage(in.orientedCost);
  if (in.seeds) in.seeds = ranks.gatherPoints(in.seeds);
  in.tips = in.tips ? ranks.gatherPoints(in.tips) : vtkSmartPointer<vtkPolyData>::New();
  in.allSeeds = in.seeds;
  in.step = filter->ChooseSeedOfStep(execution, in.seeds);
  divide(execution, in);
  return in;
}

/// Returns why the ranks cannot divide the states; empty if they can.
std::string vtkIsochroneCurvaturePaths::Internals::whyWhole() const {
  if (choiceOf(filter->GetInputArrayInformation(DriftArray)).chosen())
    return "the paths of a vehicle in a drift cannot be solved in parts";
  if (isSeparate() || filter->ComputeTravelTimeTable)
    return "runs of separate seeds cannot be solved in parts";
  if (filter->Route == 1) return "round trips cannot be solved in parts";
  if (filter->ComputeSensitivity) return "derivatives cannot be computed in parts";
  if (filter->PeriodicX || filter->PeriodicY || filter->PeriodicZ)
    return "periodic axes cannot be solved in parts";
  if (filter->Backend == int(isochrone::Backend::Cuda))
    return "CUDA devices do not solve in parts: choose the Host backend";
  return {};
}

/// Divides the states among the ranks where they are many. Collective.
void vtkIsochroneCurvaturePaths::Internals::divide(const Execution& execution, Inputs& in) const {
  const Ranks& ranks = execution.ranks;
  const int headings = in.orientedCost ? in.orientedCost->GetDimensions()[2] : filter->NumberOfHeadings;
  const double states = double(in.image->GetNumberOfPoints()) * headings;
  if (ranks.count() == 1 || headings < 1 || states <= double(filter->StatesPerRank) * ranks.count()) return;
  in.whyWhole = whyWhole();
  if (!in.whyWhole.empty()) return;

  const ImagePlane plane(in.image);
  const Piece piece = requestedPiece(execution.request, execution.outputs);
  if (!ranks.any(piece.count != ranks.count()))
    in.parts =
        ownPointsOfRanks(ranks, pieceExtent(piece, 0, extentOf(in.image)), extentOf(in.image), plane.frame());
  if (in.parts && ranks.any(!holdsOutputs(execution, in, plane, headings))) in.parts.reset();
  if (in.parts)
    ranks.shareNode(double((*in.parts)[std::size_t(ranks.index())].points()));
  else
    in.whyWhole = notInPieces;
}

/// Returns whether the part of this rank, with the narrowest margin that the solver may take, contains the
/// requested outputs. VTK divides the state space along its longest axis, which may be the heading.
bool vtkIsochroneCurvaturePaths::Internals::holdsOutputs(const Execution& execution, const Inputs& in,
                                                         const ImagePlane& plane, int headings) const {
  constexpr std::int64_t margin = 8;
  const grid::Box own = (*in.parts)[std::size_t(execution.ranks.index())];
  const grid::Box held = grid::grown(own, margin, {plane.nx(), plane.ny(), 1});
  const auto requested = [&](int port, const Extent& whole) {
    return requestedExtent(execution.request, execution.outputs, port, whole);
  };
  const Extent image = requested(TravelTimePort, extentOf(in.image));
  if (!empty(image) && !contains(extentOf(held, plane.frame()), image)) return false;
  if (!filter->ComputeStateSpace) return true;
  const Extent whole = extentOf(plane.stateSpace(headings, 1));
  Extent some = whole;
  for (int a = 0; a < 2; ++a) {
    some[2 * a] = whole[2 * a] + int(held.low[a]);
    some[2 * a + 1] = whole[2 * a] + int(held.high[a]) - 1;
  }
  const Extent states = requested(StateSpacePort, whole);
  return empty(states) || contains(some, states);
}

CurvatureSettings vtkIsochroneCurvaturePaths::Internals::settings() const {
  CurvatureSettings s;
  s.model = static_cast<curvature::Model>(filter->Model);
  s.accuracy = static_cast<curvature::Accuracy>(filter->Accuracy);
  s.turningRadius = filter->TurningRadius;
  s.rightTurningRadius = filter->RightTurningRadius;
  s.curvatureShift = filter->CurvatureShift;
  s.relaxation = filter->Relaxation;
  s.headings = filter->NumberOfHeadings;
  s.costArray = choiceOf(filter->GetInputArrayInformation(CostArray));
  s.wallArray = choiceOf(filter->GetInputArrayInformation(WallArray));
  s.turningRadiusArray = choiceOf(filter->GetInputArrayInformation(TurningRadiusArray));
  s.curvatureShiftArray = choiceOf(filter->GetInputArrayInformation(CurvatureShiftArray));
  s.driftArray = choiceOf(filter->GetInputArrayInformation(DriftArray));
  s.vehicleSpeed = filter->VehicleSpeed;
  s.roundTrip = filter->Route == 1;
  s.wallsWithinRange = filter->WallMode == 1;
  s.wallRange = {filter->WallRange[0], filter->WallRange[1]};
  s.periodic = {filter->PeriodicX, filter->PeriodicY, filter->PeriodicZ};
  return s;
}

/// Solves the problem unless `solved` already holds its solution. `solved` is null after an abort.
/// @return false if the solution was already known
bool vtkIsochroneCurvaturePaths::Internals::solve(CurvatureProblem input, const States& tips,
                                                  PartExchange& ranks, int threads) {
  curvature::Options options{static_cast<isochrone::Backend>(filter->Backend), threads, {}, startCache};
  if (filter->StopAtTips) options.stopAt = tips.states;
  if (each && each->request.keepsFields) each.reset(); // of Seed Runs Separate; frees its memory
  const bool known = !ranks.any(!(solved && solved->solves(input, options)));
  if (known) {
    solved->setOrigin(input.origin);
    solved->setPart(input.problem.part);
  }
  if (!known) {
    solved.reset(); // frees its memory before the solve
    filter->Residual = notANumber;
    const std::string slow = longStarts(input);
    if (!slow.empty() && Ranks().first()) vtkWarningWithObjectMacro(filter, << slow);
    solved =
        CurvatureSolution::solve(std::move(input), std::move(options), monitorOf(filter, 0, solveShare()));
    if (!solved) return true;
    ++filter->SolveCount;
    const curvature::Result& result = solved->result();
    filter->SetRanOn(result.ranOn);
    filter->Rounds = int(ranks.max(solved->rounds()));
    const grid::GridPart& part = solved->input().problem.part;
    const double points = part.isDivided() ? double(part.own.points()) : 1;
    filter->UpdatesPerPoint = ranks.sum(solved->updatesPerPoint() * points) / ranks.sum(points);
  }
  return !known;
}

/// Runs each seed unless the runs are known. Returns false after an abort.
bool vtkIsochroneCurvaturePaths::Internals::runSeeds(CurvatureProblem input, const States& tips, int threads,
                                                     double begin, double end) {
  curvature::Options options{static_cast<isochrone::Backend>(filter->Backend), threads, {}, startCache};
  if (filter->StopAtTips) options.stopAt = tips.states;
  CurvatureSeedRequest request{std::move(input), std::move(options), tips.states, isSeparate(),
                               isSeparate() && filter->CheckResidual};
  if (isSeparate()) solved.reset(); // frees its memory
  if (each && answers(*each, request)) return true;
  each.reset(); // likewise
  each = runEachSeed(std::move(request), monitorOf(filter, begin, end));
  if (!each) return false;
  filter->SolveCount += int(each->seeds.size());
  ++filter->ExtractionCount;
  if (!isSeparate()) return true;
  filter->SetRanOn(each->ranOn);
  filter->Rounds = each->rounds;
  filter->UpdatesPerPoint = each->updatesPerPoint;
  filter->Residual = each->residual;
  filter->Warnings.push_back(longStarts(each->request.input));
  filter->Warnings.push_back(each->request.input.warning);
  filter->Warnings.push_back(missingPaths(each->found.paths, tips, "wall"));
  return true;
}

/// Fills the image output with the times of each seed and their minimum.
void vtkIsochroneCurvaturePaths::Internals::attachSeparate(const Inputs& in, const ImagePlane& plane,
                                                           const States& seeds,
                                                           vtkInformationVector* outputs) const {
  vtkImageData* out = vtkImageData::GetData(outputs, TravelTimePort);
  out->ShallowCopy(in.image);
  const CurvatureProblem& input = each->request.input;
  const curvature::PlanarResult first = firstArrivals(*each);
  attachTravelTime(first, input.origin, latestOf(first.travelTime), each->seeds, seeds, out);
  if (input.vehicle) attachVehicleHeading(input, first.heading, out);
  for (std::size_t s = 0; s < each->planes.size(); ++s)
    out->GetPointData()->AddArray(
        timesOfSeed(s, each->planes[s].travelTime, each->originOf(s), std::int64_t(plane.nx()) * plane.ny()));
  if (filter->BlankUnreached) blankUnreached(first.travelTime, out);
}

void vtkIsochroneCurvaturePaths::Internals::forget() {
  solved.reset();
  each.reset();
}

/// Computes the residual, the paths and the sensitivities. Returns false after an abort.
bool vtkIsochroneCurvaturePaths::Internals::examine(const States& tips, PartExchange& ranks, int threads) {
  const double begin = solveShare();
  if (filter->CheckResidual && std::isnan(filter->Residual))
    filter->Residual = solved->residual(threads, monitorOf(filter, begin, begin + 0.02));
  if (filter->CheckResidual && std::isnan(filter->Residual)) return false;
  if (ranks.any(!solved->hasPathsTo(tips.states))) {
    if (!solved->followTips(tips.states, threads, monitorOf(filter, begin + 0.02, begin + 0.05)))
      return false;
    ++filter->ExtractionCount;
    for (const auto& about : {missingPaths(solved->paths(), tips, "wall"), tightPaths(solved->paths(), tips),
                              dearPaths(solved->paths(), tips)})
      filter->Warnings.push_back(about);
  }
  const auto weights = filter->ComputeSensitivity ? weightsOf(tips) : std::vector<double>{};
  if (filter->ComputeSensitivity &&
      !solved->hasDerivativesOf(tips.states, weights, filter->SensitivityRadius)) {
    if (!solved->differentiate(tips.states, weights, filter->SensitivityRadius,
                               monitorOf(filter, begin + 0.05, 0.95)))
      return false;
    filter->Warnings.push_back(lostWeight(solved->sensitivities().lostWeight, "cost"));
  }
  return true;
}

/// Fills the image outputs, for the points whose states this rank has. Collective where they are divided.
void vtkIsochroneCurvaturePaths::Internals::attachImages(const Inputs& in, const ImagePlane& plane,
                                                         const States& seeds, PartExchange& ranks,
                                                         vtkInformationVector* outputs) const {
  vtkImageData* out = vtkImageData::GetData(outputs, TravelTimePort);
  out->ShallowCopy(in.image);
  const CurvatureProblem& input = solved->input();
  if (in.parts) crop(out, extentOf(curvature::windowOf(input.problem), plane.frame()));
  const double latest = ranks.max(latestOf(solved->plane().travelTime));
  attachTravelTime(solved->plane(), input.origin, latest, solved->result().seeds, seeds, out);
  if (input.vehicle) attachVehicleHeading(input, solved->plane().heading, out);
  if (filter->BlankUnreached) blankUnreached(solved->plane().travelTime, out);
  if (filter->ComputeStateSpace) {
    const auto& times = solved->result().travelTime;
    makeStateSpace(input.origin.array("TravelTime", times, ranks.max(latestOf(times))), ImagePlane(out),
                   input.problem.grid.headings, heightOr(filter->StateSpaceHeight, plane),
                   input.vehicle ? "direction of the track" : "heading",
                   vtkImageData::GetData(outputs, StateSpacePort));
  }
  if (filter->ComputeSensitivity)
    attachSensitivities(solved->sensitivities(), input.origin, out,
                        vtkImageData::GetData(outputs, StateSpacePort));
}

vtkSmartPointer<vtkPolyData> vtkIsochroneCurvaturePaths::Internals::pathLines(const ImageFrame& frame,
                                                                              const States& seeds,
                                                                              const States& tips) const {
  if (isSeparate()) {
    if (!each->request.input.vehicle)
      return pathsToPolyData(each->found.paths, PathKind::WithHeadings, &frame, seeds, tips);
    return vehiclePathsToPolyData(each->found.paths, each->seen, filter->AddMediumPaths, frame, seeds, tips);
  }
  std::vector<Path> paths = solved->paths();
  solved->input().origin.addTo(paths);
  if (!solved->input().vehicle) return pathsToPolyData(paths, PathKind::WithHeadings, &frame, seeds, tips);
  return vehiclePathsToPolyData(paths, solved->seenFromVehicle(), filter->AddMediumPaths, frame, seeds, tips);
}

/// Cuts paths at the borders of periodic axes, unless they shall go on beyond.
void vtkIsochroneCurvaturePaths::Internals::cutPaths(const curvature::Problem& problem,
                                                     const ImagePlane& plane, vtkPolyData* paths) const {
  if (curvature::isPeriodic(problem) && !filter->UnwrapPaths)
    cutAtBorders(paths, plane.frame(), {problem.periodic[0], problem.periodic[1], false});
}

/// Solves, extracts the paths and fills the image outputs. Returns false after an abort. Collective where the
/// states are divided.
bool vtkIsochroneCurvaturePaths::Internals::run(const Inputs& in, PartExchange& ranks,
                                                const Execution& execution,
                                                vtkSmartPointer<vtkPolyData>& paths,
                                                vtkSmartPointer<vtkTable>& table) {
  if (isSeparate() && (filter->ComputeStateSpace || filter->ComputeSensitivity))
    throw Error("the state space and sensitivities are those of one solve: choose Seed Runs Together or Time "
                "Steps, or switch off Compute State Space and Compute Sensitivity");
  const ImagePlane plane(in.image);
  const States seeds = statesOf(in.seeds ? in.seeds : pointAt(plane.frame().centre()), plane.frame());
  const States tips = statesOf(in.tips, plane.frame());
  requirePlaces(seeds, "seeds");
  const States allSeeds = in.allSeeds != in.seeds ? statesOf(in.allSeeds, plane.frame()) : seeds;
  requirePlaces(allSeeds, "seeds");
  const auto problemOfAll = [&] {
    return makeProblem(in.image, in.orientedCost, plane, settings(), allSeeds);
  };
  const auto fillTable = [&] {
    table = filter->ComputeTravelTimeTable ? tableOf(each->found.table, allSeeds, tips)
                                           : vtkSmartPointer<vtkTable>::New();
  };
  if (isSeparate()) {
    if (!runSeeds(problemOfAll(), tips, execution.threads, 0, 0.95)) return false;
    filter->Warnings.push_back(unusedSeeds(each->seeds, seeds));
    attachSeparate(in, plane, seeds, execution.outputs);
    paths = pathLines(plane.frame(), seeds, tips);
    cutPaths(each->request.input.problem, plane, paths);
    fillTable();
    return true;
  }
  CurvatureProblem input = makeProblem(in.image, in.orientedCost, plane, settings(), seeds);
  if (in.parts) {
    curvature::Problem& problem = input.problem;
    problem.margin = curvature::marginOf(problem);
    problem.part =
        grid::partOf(execution.ranks.index(), *in.parts, {plane.nx(), plane.ny(), 1}, problem.margin);
    ranks.connect(problem.part);
  }
  const bool isNew = solve(std::move(input), tips, ranks, execution.threads);
  if (!solved) return false;
  if (isNew) {
    filter->Warnings = {solved->input().warning, blurredStarts(solved->input().problem, seeds),
                        unusedSeeds(solved->result().seeds, seeds)};
    const auto states = solved->input().problem.grid.points();
    const double bytes = double(solved->result().workBytes) + double(sizeof(float)) * double(states);
    filter->Warnings.push_back(solvedWhole(states, bytes, in.whyWhole));
  }
  if (!examine(tips, ranks, execution.threads)) return false;
  attachImages(in, plane, seeds, ranks, execution.outputs);
  paths = pathLines(plane.frame(), seeds, tips);
  cutPaths(solved->input().problem, plane, paths);
  if (filter->ComputeTravelTimeTable && !runSeeds(problemOfAll(), tips, execution.threads, 0.96, 0.999))
    return false;
  fillTable();
  return true;
}

bool vtkIsochroneCurvaturePaths::Execute(Execution& execution) {
  Internals& my = *this->Internal;
  const Inputs in = my.gather(execution);
  vtkSmartPointer<vtkPolyData> paths;
  vtkSmartPointer<vtkTable> table;
  const auto run = [&](PartExchange& ranks) { return my.run(in, ranks, execution, paths, table); };
  if (!runTogether(execution.ranks, in.parts.has_value(), run)) return false;

  execution.keepPiece(TravelTimePort, extentOf(in.image));
  if (this->ComputeStateSpace) {
    const int headings = my.solved->input().problem.grid.headings;
    execution.keepPiece(StateSpacePort, extentOf(ImagePlane(in.image).stateSpace(headings, 1)));
  }
  if (in.parts)
    execution.output<vtkPolyData>(PathsPort)->ShallowCopy(paths);
  else
    execution.showOnce(paths, PathsPort);
  execution.showOnce(table, this->TravelTimeTablePort);
  if (in.step != noStep) stampStep(execution.outputs, in.step);
  return true;
}

void vtkIsochroneCurvaturePaths::Forget() { this->Internal->forget(); }

void vtkIsochroneCurvaturePaths::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Model: " << this->Model << '\n';
  os << indent << "TurningRadius: " << this->TurningRadius << '\n';
  os << indent << "RightTurningRadius: " << this->RightTurningRadius << '\n';
  os << indent << "VehicleSpeed: " << this->VehicleSpeed << '\n';
  os << indent << "Route: " << this->Route << '\n';
  os << indent << "NumberOfHeadings: " << this->NumberOfHeadings << '\n';
  os << indent << "Accuracy: " << this->Accuracy << '\n';
  os << indent << "Periodic: " << this->PeriodicX << ' ' << this->PeriodicY << ' ' << this->PeriodicZ << '\n';
  os << indent << "UnwrapPaths: " << this->UnwrapPaths << '\n';
}
