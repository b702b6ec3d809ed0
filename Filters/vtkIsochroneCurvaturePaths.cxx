#include "vtkIsochroneCurvaturePaths.h"

#include "Common/Execution.h"
#include "Common/Fields.h"
#include "Common/FilterMonitor.h"
#include "Common/PathsToPolyData.h"
#include "Common/PeriodicPaths.h"
#include "Common/Pieces.h"
#include "Common/PropertyLists.h"
#include "Common/Ranks.h"
#include "Common/Sensitivities.h"
#include "Common/StateSpaceImage.h"
#include "Common/TimeSteps.h"
#include "CurvaturePaths/Drift.h"
#include "CurvaturePaths/Internals.h"
#include "CurvaturePaths/Outputs.h"
#include "Error.h"

#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

vtkStandardNewMacro(vtkIsochroneCurvaturePaths);

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

double heightOr(double height, const ImagePlane& plane) {
  return height > 0 ? height : plane.smallerExtent();
}

} // namespace

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

void vtkIsochroneCurvaturePaths::Internals::forget() {
  solved.reset();
  each.reset();
}

/// Warns of tips without a path, and of paths that are not as the model requires.
void vtkIsochroneCurvaturePaths::Internals::warnOfPaths(const std::vector<Path>& paths,
                                                        const States& tips) const {
  for (const auto& about :
       {missingPaths(paths, tips, "wall"), tightPaths(paths, tips), dearPaths(paths, tips)})
    filter->Warnings.push_back(about);
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
    warnOfPaths(solved->paths(), tips);
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
    table = vtkSmartPointer<vtkTable>::New();
    const bool byLabel = filter->GroupByLabel;
    if (filter->ComputeTravelTimeTable)
      table = tableOf(each->found.table, groupsOf(allSeeds, byLabel), groupsOf(tips, byLabel));
  };
  if (filter->GroupByLabel) requireLabels(tips, "tips");
  if (isSeparate()) {
    if (!runSeeds(problemOfAll(), allSeeds, tips, execution.threads, 0, 0.95)) return false;
    filter->Warnings.push_back(unusedSeeds(each->seeds, seeds));
    const std::int64_t states = each->request.input.problem.grid.points();
    filter->Warnings.push_back(solvedWhole(states, bytesOfRun(each->request), in.whyWhole));
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
  if (filter->ComputeTravelTimeTable &&
      !runSeeds(problemOfAll(), allSeeds, tips, execution.threads, 0.96, 0.999))
    return false;
  fillTable();
  return true;
}

bool vtkIsochroneCurvaturePaths::Execute(Execution& execution) {
  Internals& my = *this->Internal;
  const Internals::Inputs in = my.gather(execution);
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
