#include "vtkIsochroneCurvaturePaths.h"

#include "Common/Execution.h"
#include "Common/Fields.h"
#include "Common/FilterInputs.h"
#include "Common/FilterMonitor.h"
#include "Common/ImagePlane.h"
#include "Common/PathsToPolyData.h"
#include "Common/Pieces.h"
#include "Common/PropertyLists.h"
#include "Common/Ranks.h"
#include "Common/StateSpaceImage.h"
#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/Drift.h"
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

#include <cmath>
#include <limits>
#include <memory>

using namespace isochrone;
using namespace isochrone::filters;

vtkStandardNewMacro(vtkIsochroneCurvaturePaths);

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Input of a solve, identical on every rank. Without seeds the solve starts at the centre of the image.
struct Inputs {
  vtkSmartPointer<vtkImageData> image, orientedCost;
  vtkSmartPointer<vtkPolyData> seeds, tips;
};

double heightOr(double height, const ImagePlane& plane) {
  return height > 0 ? height : plane.smallerExtent();
}

} // namespace

/// The steps of Execute, and the state kept between executions.
struct vtkIsochroneCurvaturePaths::Internals {
  vtkIsochroneCurvaturePaths* filter;
  std::unique_ptr<CurvatureSolution> solved; ///< null after an abort or an error
  std::shared_ptr<curvature::StartCache> startCache = curvature::makeStartCache();

  Inputs gather(const Execution& execution);
  CurvatureSettings settings() const;
  double solveShare() const { return filter->ComputeSensitivity ? 0.45 : 0.9; } ///< of all work
  bool solve(CurvatureProblem input, const States& tips, int threads);
  bool examine(const States& tips, int threads);
  void attachImages(vtkImageData* image, const ImagePlane& plane, const States& seeds,
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

int vtkIsochroneCurvaturePaths::RequestInformation(vtkInformation*, vtkInformationVector** inputs,
                                                   vtkInformationVector* outputs) {
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
  return in;
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
  return s;
}

/// Solves the problem unless `solved` already holds its solution. `solved` is null after an abort.
/// @return false if the solution was already known
bool vtkIsochroneCurvaturePaths::Internals::solve(CurvatureProblem input, const States& tips, int threads) {
  curvature::Options options{static_cast<isochrone::Backend>(filter->Backend), threads, {}, startCache};
  if (filter->StopAtTips) options.stopAt = tips.states;
  const bool known = solved && solved->solves(input, options);
  if (known) solved->setOrigin(input.origin);
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
    filter->Rounds = solved->rounds();
    filter->UpdatesPerPoint = solved->updatesPerPoint();
  }
  return !known;
}

/// Computes the residual, the paths and the sensitivities. Returns false after an abort.
bool vtkIsochroneCurvaturePaths::Internals::examine(const States& tips, int threads) {
  const double begin = solveShare();
  if (filter->CheckResidual && std::isnan(filter->Residual))
    filter->Residual = solved->residual(threads, monitorOf(filter, begin, begin + 0.02));
  if (filter->CheckResidual && std::isnan(filter->Residual)) return false;
  if (!solved->hasPathsTo(tips.states)) {
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
    filter->Warnings.push_back(lostWeight(solved->sensitivities()));
  }
  return true;
}

void vtkIsochroneCurvaturePaths::Internals::attachImages(vtkImageData* image, const ImagePlane& plane,
                                                         const States& seeds,
                                                         vtkInformationVector* outputs) const {
  vtkImageData* out = vtkImageData::GetData(outputs, TravelTimePort);
  out->ShallowCopy(image);
  const CurvatureProblem& input = solved->input();
  attachTravelTime(solved->plane(), input.origin, solved->result().seeds, seeds, out);
  if (input.vehicle) attachVehicleHeading(input, solved->plane().heading, out);
  if (filter->BlankUnreached) blankUnreached(solved->plane().travelTime, out);
  if (filter->ComputeStateSpace) {
    makeStateSpace(input.origin.array("TravelTime", solved->result().travelTime), plane,
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
  std::vector<Path> paths = solved->paths();
  solved->input().origin.addTo(paths);
  if (!solved->input().vehicle) return pathsToPolyData(paths, PathKind::WithHeadings, &frame, seeds, tips);
  return vehiclePathsToPolyData(paths, solved->seenFromVehicle(), filter->AddMediumPaths, frame, seeds, tips);
}

bool vtkIsochroneCurvaturePaths::Execute(Execution& execution) {
  Internals& my = *this->Internal;
  const Inputs in = my.gather(execution);
  const int threads = execution.threads;
  vtkSmartPointer<vtkPolyData> paths;
  execution.ranks.rethrowOnAll([&] {
    const ImagePlane plane(in.image);
    const States seeds = statesOf(in.seeds ? in.seeds : pointAt(plane.frame().centre()), plane.frame());
    const States tips = statesOf(in.tips, plane.frame());
    requirePlaces(seeds, "seeds");
    const bool isNew =
        my.solve(makeProblem(in.image, in.orientedCost, plane, my.settings(), seeds), tips, threads);
    if (!my.solved) return;
    if (isNew) this->Warnings = {my.solved->input().warning, unusedSeeds(my.solved->result().seeds, seeds)};
    if (!my.examine(tips, threads)) return;
    my.attachImages(in.image, plane, seeds, execution.outputs);
    paths = my.pathLines(plane.frame(), seeds, tips);
  });
  if (execution.ranks.any(!paths)) return false;

  execution.keepPiece(TravelTimePort);
  execution.keepPiece(StateSpacePort);
  execution.showOnce(paths, PathsPort);
  return true;
}

void vtkIsochroneCurvaturePaths::Forget() { this->Internal->solved.reset(); }

void vtkIsochroneCurvaturePaths::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Model: " << this->Model << '\n';
  os << indent << "TurningRadius: " << this->TurningRadius << '\n';
  os << indent << "RightTurningRadius: " << this->RightTurningRadius << '\n';
  os << indent << "VehicleSpeed: " << this->VehicleSpeed << '\n';
  os << indent << "Route: " << this->Route << '\n';
  os << indent << "NumberOfHeadings: " << this->NumberOfHeadings << '\n';
  os << indent << "Accuracy: " << this->Accuracy << '\n';
}
