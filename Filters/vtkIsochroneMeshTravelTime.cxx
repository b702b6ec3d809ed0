#include "vtkIsochroneMeshTravelTime.h"

#include "Common/Execution.h"
#include "Common/Fields.h"
#include "Common/FilterMonitor.h"
#include "Common/PathsToPolyData.h"
#include "Common/Pieces.h"
#include "Common/Ranks.h"
#include "Common/TimeSteps.h"
#include "Error.h"
#include "MeshTravelTime/Internals.h"
#include "MeshTravelTime/Outputs.h"
#include "MeshTravelTime/Paths.h"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkTable.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

vtkStandardNewMacro(vtkIsochroneMeshTravelTime);

namespace {

/// Returns whether a result computed with options `a` serves a request with options `b`.
bool answers(const mesh::Options& a, const mesh::Options& b) {
  return a.backend == b.backend && a.method == b.method && (a.seedIds || !b.seedIds);
}

} // namespace

vtkIsochroneMeshTravelTime::vtkIsochroneMeshTravelTime() : Internal(std::make_unique<Internals>()) {
  this->Internal->filter = this;
  this->LastSeedType = OnsetTimes;
  this->AddIsochronesPort("TravelTime");
  this->PointSeedTypes = OnsetTimes - 1;
  this->AddTravelTimeTablePort();
  this->SetNumberOfOutputPorts(JacobianPort + 1);
}

vtkIsochroneMeshTravelTime::~vtkIsochroneMeshTravelTime() = default;

int vtkIsochroneMeshTravelTime::FillOutputPortInformation(int port, vtkInformation* info) {
  this->Superclass::FillOutputPortInformation(port, info);
  if (port == TravelTimePort) info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkPointSet");
  if (port == JacobianPort) info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkTable");
  return 1;
}

int vtkIsochroneMeshTravelTime::FieldType(vtkDataObject* input) {
  return vtkPolyData::SafeDownCast(input) ? VTK_POLY_DATA : VTK_UNSTRUCTURED_GRID;
}

int vtkIsochroneMeshTravelTime::RequestUpdateExtent(vtkInformation* request, vtkInformationVector** inputs,
                                                    vtkInformationVector* outputs) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  this->Superclass::RequestUpdateExtent(request, inputs, outputs); // requests the whole of every input
  const Piece piece = requestedPiece(request, outputs);
  if (vtkInformation* mesh = inputs[InputPort]->GetInformationObject(0)) {
    mesh->Set(Pipeline::UPDATE_PIECE_NUMBER(), piece.number);
    mesh->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), piece.count);
  }
  return 1;
}

mesh::Options vtkIsochroneMeshTravelTime::Internals::options(const Placed& placed, int threads) const {
  mesh::Options options;
  options.backend = static_cast<isochrone::Backend>(filter->Backend);
  options.threads = threads;
  options.method = static_cast<mesh::Method>(filter->Method);
  options.seedIds = std::set(placed.seeds.labels.begin(), placed.seeds.labels.end()).size() > 1;
  return options;
}

/// Solves the problem unless its solution is known. Returns false after an abort. Collective.
bool vtkIsochroneMeshTravelTime::Internals::solve(const Ranks& ranks, const Inputs& in,
                                                  mesh::Problem& problem, const Placed& placed, int threads) {
  if (differentiates()) mesh::requireDifferentiable(problem); // before the last solution is freed
  const mesh::Options request = options(placed, threads);
  const auto key = keyOf(problem);
  const bool known =
      solved && solved->key == key && answers(solved->options, request) && solved->isSeparate == isSeparate();
  if (isSeparate()) {
    const int before = filter->SolveCount;
    if (!runSeeds(problem, placed, threads, 0, 0.9)) return false;
    if (known && before == filter->SolveCount) return true;
    solved.reset();
  } else {
    if (!ranks.any(!known)) return true;
    solved.reset(); // frees its memory before the solve
    tips.reset();
  }
  Solution solution{key, request, {}, {}, {}, isSeparate(), {}, {}};
  const bool several = ranks.count() > 1;
  if (several) solution.shared = sharedVertices(ranks, problem, in.part.mesh);
  filter->Residual = isSeparate() ? each->residual : std::numeric_limits<double>::quiet_NaN();
  const Monitor monitor = monitorOf(filter, 0, solveShare());
  const mesh::Processes processes = processesOf(ranks);
  mesh::Exchange exchange(processes, solution.shared);
  if (isSeparate())
    solution.result = firstArrivals(*each, placed.seeds);
  else
    ranks.rethrowOnAll([&] {
      try {
        if (several) problem.sharing = exchange.sharing();
        solution.result.aborted = !monitor.report(0);
        if (!solution.result.aborted) solution.result = mesh::solveMeshTravelTime(problem, request, monitor);
      } catch (...) {
        if (several) exchange.finish(false);
        throw;
      }
      if (several && !exchange.finish(!solution.result.aborted)) solution.result.aborted = true;
    });
  if (solution.result.aborted) return false;
  solution.seedStatus = seedStatus(ranks, solution.result, placed.seeds, placed.seedPlaces);
  const std::vector<bool>& usable = solution.result.usable;
  if (!ranks.any(std::find(usable.begin(), usable.end(), true) != usable.end()))
    throw Error("every seed is in a barrier: move one to where the speed is positive");

  filter->Warnings = meshWarnings(ranks, in.part, in.medium, solution.shared, solution.result);
  if (placed.chosenSeeds)
    filter->Warnings.push_back(movedPlaces(placed.seedPoints, placed.seedPlaces, "seed"));
  if (const auto seed = std::size_t(ranks.allMax({double(solution.result.blurredSeed)})[0] + 1); seed > 0)
    filter->Warnings.push_back(blurredStart(placed.seeds, seed - 1));
  filter->Warnings.push_back(seedsInBarriers(placed.seedPoints, solution.seedStatus));
  const mesh::Result& result = solution.result;
  filter->SetRanOn(result.ranOn);
  filter->MethodUsed = problem.accuracy == mesh::Accuracy::Exact ? "Windows" : nameOf(result.method);
  filter->Rounds = result.rounds;
  filter->UpdatesPerPoint = result.updatesPerVertex;
  filter->ExactPoints = result.ballVertices;
  if (!isSeparate()) ++filter->SolveCount;
  solved = std::move(solution);
  return true;
}

/// Checks that there is one field, in one place, if its derivatives are requested.
void vtkIsochroneMeshTravelTime::Internals::requireOneSolve(const Ranks& ranks) const {
  if (!differentiates()) return;
  if (isSeparate())
    throw Error("derivatives need the times from all seeds: choose Seed Runs Together or Time Steps, or "
                "disable Compute Sensitivity and Compute Jacobian");
  if (ranks.count() > 1)
    throw Error("derivatives need the whole mesh on every rank, and each has a part of it: disable Compute "
                "Sensitivity and Compute Jacobian, or use one rank");
}

/// Computes the derivatives if they are requested. Returns false after an abort.
bool vtkIsochroneMeshTravelTime::Internals::differentiate(const mesh::Problem& problem, const Placed& placed,
                                                          int threads) {
  const double begin = solveShare(), middle = filter->ComputeJacobian ? (begin + 0.9) / 2 : 0.9;
  const mesh::SensitivityOptions options{static_cast<isochrone::Backend>(filter->Backend), threads};
  std::string ofSum, ofRows;
  if (filter->ComputeSensitivity &&
      !solved->derivatives.differentiate(problem, solved->result.travelTime, placed.tipPoints,
                                         placed.tipPlaces, options, monitorOf(filter, begin, middle), ofSum))
    return false;
  if (filter->ComputeJacobian && !solved->derivatives.differentiateEach(
                                     problem, solved->result.travelTime, placed.tipPoints, placed.tipPlaces,
                                     options, monitorOf(filter, middle, 0.9), ofRows))
    return false;
  filter->SetDerivativesRanOn(solved->derivatives.ranOn());
  filter->Warnings.push_back(ofSum);
  if (ofRows != ofSum) filter->Warnings.push_back(ofRows);
  return true;
}

/// Computes the requested conduction field and residual. Returns false after an abort. Collective.
bool vtkIsochroneMeshTravelTime::Internals::examine(const Ranks& ranks, const mesh::Problem& problem,
                                                    int threads) {
  const Values<float>& time = solved->result.travelTime;
  const bool conduction = filter->ComputeConductionDirection || filter->ComputeConductionSpeed;
  const bool residual = !isSeparate() && filter->CheckResidual && std::isnan(filter->Residual) &&
                        problem.accuracy == mesh::Accuracy::FirstOrder;
  double local = 0;
  ranks.rethrowOnAll([&] {
    if (problem.cellCount() == 0) return;
    if (conduction && !solved->conduction)
      solved->conduction = mesh::conduction(problem, time, threads, monitorOf(filter, 0.9, 0.93));
    if (residual) local = mesh::residual(problem, time, threads, monitorOf(filter, 0.93, 0.96));
  });
  const bool stopped = std::isnan(local) || (solved->conduction && solved->conduction->speed.empty());
  if (ranks.any(stopped)) return false;
  if (residual) filter->Residual = ranks.allMax({local})[0];
  return true;
}

/// Extracts the paths unless they are known. Returns false after an abort. Collective.
bool vtkIsochroneMeshTravelTime::Internals::followTips(const Ranks& ranks, mesh::Problem& problem,
                                                       const Placed& placed, int threads) {
  if (tips && sameBytes<std::array<double, 3>>(*tips, placed.tipPoints.positions)) return true;
  tips.reset();
  if (isSeparate()) {
    paths = each->found.paths;
    return showTips(placed);
  }
  const Values<float>& time = solved->result.travelTime;
  problem.sharing.vertices = solved->shared.vertices;
  const std::vector<mesh::Tip> targets = tipsOf(problem, placed.tipPoints, placed.tipPlaces, time);
  const Monitor monitor = monitorOf(filter, 0.96, 0.99);
  if (ranks.count() > 1)
    paths = pathsOverRanks(ranks, problem, solved->shared, time, targets, monitor);
  else
    paths = mesh::extractPaths(problem, time, targets, threads, monitor);
  if (paths.size() < targets.size()) return false;
  return showTips(placed);
}

/// Completes an extraction of paths.
bool vtkIsochroneMeshTravelTime::Internals::showTips(const Placed& placed) {
  ++filter->ExtractionCount;
  tips = placed.tipPoints.positions;
  filter->Warnings.push_back(movedPlaces(placed.tipPoints, placed.tipPlaces, "tip"));
  filter->Warnings.push_back(missingPaths(paths, placed.tipPoints, "barrier", "mesh"));
  return true;
}

/// Fills an output with the part of this rank and its arrays.
void vtkIsochroneMeshTravelTime::Internals::attach(const mesh::Problem& problem, const Inputs& in,
                                                   const Placed& placed, double last,
                                                   vtkPointSet* out) const {
  copyTo(in.part, out);
  if (in.part.mesh->GetNumberOfCells() == 0) return;
  if (!in.whole) return attachResults(problem, placed, last, out);
  vtkNew<vtkUnstructuredGrid> whole;
  whole->ShallowCopy(in.whole->mesh);
  attachResults(problem, placed, last, whole);
  copyPart(whole, *in.whole, out);
}

void vtkIsochroneMeshTravelTime::Internals::attachResults(const mesh::Problem& problem, const Placed& placed,
                                                          double last, vtkPointSet* out) const {
  attachTravelTime(solved->result, placed.seeds, last, out);
  for (std::size_t s = 0; isSeparate() && s < each->results.size(); ++s)
    out->GetPointData()->AddArray(
        timesOfRun(s, each->results[s].travelTime, each->seeds[s].origin, out->GetNumberOfPoints()));
  if (solved->conduction)
    attachConduction(*solved->conduction, filter->ComputeConductionDirection, filter->ComputeConductionSpeed,
                     out);
  if (filter->ComputeSensitivity)
    solved->derivatives.attach(problem, placed.seeds, placed.seedPoints.size(), out);
  addStatus("SeedStatus", solved->seedStatus, out);
  auto moved = named<vtkDoubleArray>("SeedDistance"); // world length
  for (const MeshPlace& place : placed.seedPlaces) moved->InsertNextValue(place.moved);
  out->GetFieldData()->AddArray(moved);
  if (filter->BlankUnreached) blankUnreached(solved->result.travelTime, problem, out);
}

/// Solves, extracts the paths and fills the outputs. Returns false after an abort. Collective.
/// @param first  whether this rank outputs the paths
bool vtkIsochroneMeshTravelTime::Internals::run(const Ranks& ranks, Inputs& in, int threads, bool first,
                                                vtkInformationVector* outputs) {
  if (ranks.count() > 1 && filter->ExactRadius != 0 && filter->Accuracy == 0)
    throw Error("the Exact Radius needs the whole mesh on one rank, since the lines of sight from a seed may "
                "cross the parts of several: set it to 0");
  mesh::Problem& problem = in.medium.problem;
  problem.accuracy = static_cast<mesh::Accuracy>(filter->Accuracy);
  requireWholeMesh(ranks, in);
  requireOneSolve(ranks);
  const Placed placed = place(ranks, in, threads);
  problem.seeds = placed.seeds.seeds;
  // Seeds are numbered by label, and a point may have several.
  problem.startName = [points = placed.seeds.points, ofOnsets = placed.seedPoints.size()](std::int64_t seed) {
    const std::size_t point = points[std::size_t(seed)];
    return point == ofOnsets ? std::string("an onset time")
                             : "the StartValue of seed " + std::to_string(point);
  };
  problem.ballRadius = problem.accuracy == mesh::Accuracy::Exact ? 0 : filter->ExactRadius;
  if (!solve(ranks, in, problem, placed, threads)) return false;
  if (!differentiate(problem, placed, threads)) return false;
  if (!examine(ranks, problem, threads) || !followTips(ranks, problem, placed, threads)) return false;
  if (filter->ComputeTravelTimeTable && !isSeparate() && !runSeeds(problem, placed, threads, 0.99, 0.999))
    return false;
  const double last = ranks.allMax({latestOf(solved->result)})[0];
  ranks.rethrowOnAll([&] {
    attach(problem, in, placed, last, vtkPointSet::GetData(outputs, TravelTimePort));
    Places seeds;
    seeds.labels = placed.seeds.labels;
    std::vector<Path> absolute = paths;
    if (isSeparate())
      seeds.labels = placed.seedPoints.labels; // paths have the numbers of points, and absolute times
    else
      placed.seeds.origin.addTo(absolute);
    if (first)
      vtkPolyData::GetData(outputs, PathsPort)
          ->ShallowCopy(pathsToPolyData(absolute, PathKind::Plain, nullptr, seeds, placed.tipPoints));
    if (first && filter->ComputeJacobian)
      vtkTable::GetData(outputs, JacobianPort)->ShallowCopy(solved->derivatives.table(placed.seeds));
    if (first && filter->ComputeTravelTimeTable)
      vtkTable::GetData(outputs, filter->TravelTimeTablePort)
          ->ShallowCopy(tableOf(each->found.table, placed.seedGroups, placed.tipGroups));
  });
  return true;
}

void vtkIsochroneMeshTravelTime::Internals::forget() {
  solved.reset();
  tips.reset();
  each.reset();
}

bool vtkIsochroneMeshTravelTime::Execute(Execution& execution) {
  // The ranks solve together. If each rank has the whole mesh, each solves alone.
  const Ranks& ranks = execution.ranks;
  Internals::Inputs in = this->Internal->gather(execution);
  bool done = false;
  ranks.rethrowOnAll([&] {
    done = this->Internal->run(in.everywhere ? Ranks::alone() : ranks, in, execution.threads, ranks.first(),
                               execution.outputs);
  });
  if (ranks.any(!done)) return false;
  if (in.step != noStep) stampStep(execution.outputs, in.step);
  return true;
}

void vtkIsochroneMeshTravelTime::Forget() { this->Internal->forget(); }

void vtkIsochroneMeshTravelTime::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SpeedType: " << this->SpeedType << '\n';
  os << indent << "ConstantSpeed: " << this->ConstantSpeed << '\n';
  os << indent << "Accuracy: " << this->Accuracy << '\n';
  os << indent << "ExactRadius: " << this->ExactRadius << '\n';
  os << indent << "Tetrahedralize: " << this->Tetrahedralize << '\n';
  os << indent << "Method: " << this->Method << '\n';
  os << indent << "ComputeSensitivity: " << this->ComputeSensitivity << '\n';
  os << indent << "ComputeJacobian: " << this->ComputeJacobian << '\n';
}
