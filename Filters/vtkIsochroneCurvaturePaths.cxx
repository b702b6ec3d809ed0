#include "vtkIsochroneCurvaturePaths.h"

#include "CurvaturePaths/CurvaturePaths.h"
#include "Error.h"
#include "Internal/CurvatureOutputs.h"
#include "Internal/CurvatureProblem.h"
#include "Internal/ImagePlane.h"
#include "Internal/PathsToPolyData.h"
#include "Internal/Pieces.h"
#include "Internal/Ranks.h"
#include "Internal/SeedsAndTips.h"

#include <vtkCompositeDataSet.h>
#include <vtkDataSet.h>
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

using namespace isochrone;
using namespace isochrone::filters;

vtkStandardNewMacro(vtkIsochroneCurvaturePaths);

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// What a solve works on, the same on every rank. Without seeds it starts at the centre of the image.
struct Inputs {
  vtkSmartPointer<vtkImageData> image, orientedCost;
  vtkSmartPointer<vtkPolyData> seeds, tips;
};

/// A problem with its solution, and the paths last followed through it.
struct Solved {
  CurvatureProblem input;
  curvature::Options options;
  curvature::Result result;
  curvature::PlanarResult plane;
  std::optional<std::vector<curvature::State>> tips; ///< of the paths; empty before they were followed
  std::vector<Path> paths;
};

vtkImageData* requireImage(vtkDataObject* data, const std::string& role) {
  if (auto* image = vtkImageData::SafeDownCast(data)) return image;
  const std::string what = "the " + role + " is a " + (data ? data->GetClassName() : "missing dataset") +
                           ", but one 2D image (vtkImageData) is needed: ";
  throw Error(what +
              (vtkCompositeDataSet::SafeDownCast(data)
                   ? "take one block with Extract Block, or apply Merge Blocks and then Resample To Image"
                   : "apply Resample To Image first"));
}

enum PointsFrom { Typed, Input, InputIfConnected }; // values of SeedType and TipType

/// Null if no point was typed and none is asked of the input.
vtkSmartPointer<vtkPolyData> choosePoints(int from, const TypedPoints& typed, vtkDataObject* input,
                                          const std::string& role) {
  if (from != Typed && input) return pointsOf(input, role);
  if (from == Input) {
    throw Error("there are no " + role +
                ": connect a source of points to them, or type points and set their type " + "to Points");
  }
  return typed.points.empty() ? nullptr : pointsOf(typed);
}

vtkSmartPointer<vtkPolyData> centreOf(const ImagePlane& plane) {
  return pointsOf(TypedPoints{
      {plane.toWorld(double(plane.nx() - 1) / 2 * plane.hx(), double(plane.ny() - 1) / 2 * plane.hy())}, {}});
}

double heightOr(double height, const ImagePlane& plane) {
  return height > 0 ? height : plane.smallerExtent();
}

/// When the newest point array was made; ParaView renews the dataset around the arrays at every update.
vtkMTimeType timeOfArrays(vtkDataObject* data) {
  vtkMTimeType newest = 0;
  auto* set = vtkDataSet::SafeDownCast(data);
  for (int a = 0; set && a < set->GetPointData()->GetNumberOfArrays(); ++a)
    newest = std::max(newest, set->GetPointData()->GetAbstractArray(a)->GetMTime());
  return newest;
}

ArrayChoice choiceOf(vtkInformation* info) {
  ArrayChoice choice;
  if (info->Has(vtkDataObject::FIELD_NAME())) choice.name = info->Get(vtkDataObject::FIELD_NAME());
  choice.onCells = info->Get(vtkDataObject::FIELD_ASSOCIATION()) == vtkDataObject::FIELD_ASSOCIATION_CELLS;
  return choice;
}

template <class T>
void resize(vtkObject* filter, std::vector<T>& list, int number, const T& value) {
  if (int(list.size()) == number) return;
  list.resize(std::max(number, 0), value);
  filter->Modified();
}

template <class T>
void assign(vtkObject* filter, std::vector<T>& list, int index, const T& value) {
  if (index < 0 || (index < int(list.size()) && list[index] == value)) return;
  if (index >= int(list.size())) list.resize(index + 1, value);
  list[index] = value;
  filter->Modified();
}

} // namespace

/// The steps of RequestData and what is kept from one to the next.
struct vtkIsochroneCurvaturePaths::Internals {
  vtkIsochroneCurvaturePaths* filter;
  TypedPoints seeds, tips;
  std::optional<Solved> solved; ///< empty after an abort or an error
  std::string reported;         ///< the last error, and the time of what it was about
  vtkMTimeType reportedState = 0;

  Inputs gather(const Ranks& ranks, vtkInformationVector** inputs);
  CurvatureSettings settings() const;
  bool solve(CurvatureProblem input, const States& tips, int threads);
  bool followTips(const States& tips, int threads);
  void attachImages(vtkImageData* image, const ImagePlane& plane, const States& seeds,
                    vtkInformationVector* outputs) const;
  void report(const std::string& error, vtkInformationVector** inputs);
};

vtkIsochroneCurvaturePaths::vtkIsochroneCurvaturePaths()
    : Internal(std::make_unique<Internals>()), TurningRadius(notANumber), Residual(notANumber) {
  this->Internal->filter = this;
  this->SetNumberOfInputPorts(4);
  this->SetNumberOfOutputPorts(3);
}

vtkIsochroneCurvaturePaths::~vtkIsochroneCurvaturePaths() = default;

void vtkIsochroneCurvaturePaths::SetNumberOfSeedPoints(int number) {
  resize(this, this->Internal->seeds.points, number, {});
}
void vtkIsochroneCurvaturePaths::SetSeedPoint(int index, double x, double y, double z) {
  assign(this, this->Internal->seeds.points, index, {x, y, z});
}
void vtkIsochroneCurvaturePaths::SetNumberOfSeedHeadings(int number) {
  resize(this, this->Internal->seeds.headings, number, notANumber);
}
void vtkIsochroneCurvaturePaths::SetSeedHeading(int index, double degrees) {
  assign(this, this->Internal->seeds.headings, index, degrees);
}
void vtkIsochroneCurvaturePaths::SetNumberOfTipPoints(int number) {
  resize(this, this->Internal->tips.points, number, {});
}
void vtkIsochroneCurvaturePaths::SetTipPoint(int index, double x, double y, double z) {
  assign(this, this->Internal->tips.points, index, {x, y, z});
}
void vtkIsochroneCurvaturePaths::SetNumberOfTipHeadings(int number) {
  resize(this, this->Internal->tips.headings, number, notANumber);
}
void vtkIsochroneCurvaturePaths::SetTipHeading(int index, double degrees) {
  assign(this, this->Internal->tips.headings, index, degrees);
}

int vtkIsochroneCurvaturePaths::FillInputPortInformation(int port, vtkInformation* info) {
  // Wider than what is accepted: other types then reach RequestData, which says what to do about them.
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  if (port != InputPort) info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  return 1;
}

int vtkIsochroneCurvaturePaths::FillOutputPortInformation(int port, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), port == PathsPort ? "vtkPolyData" : "vtkImageData");
  return 1;
}

int vtkIsochroneCurvaturePaths::RequestInformation(vtkInformation*, vtkInformationVector** inputs,
                                                   vtkInformationVector* outputs) {
  announce(outputs->GetInformationObject(TravelTimePort), nullptr);
  announce(outputs->GetInformationObject(StateSpacePort), nullptr);
  vtkNew<vtkImageData> frame, orientedFrame;
  if (!announced(inputs[InputPort]->GetInformationObject(0), frame)) return 1;
  if (ImagePlane::normalAxis(frame->GetExtent()) < 0) return 1; // RequestData explains
  try {
    const ImagePlane plane(frame);
    this->TurningRadiusRange[1] = plane.smallerExtent() / 5;
    announce(outputs->GetInformationObject(TravelTimePort), frame);
    const bool oriented = announced(inputs[OrientedCostPort]->GetInformationObject(0), orientedFrame);
    const int headings = oriented ? orientedFrame->GetDimensions()[2] : this->NumberOfHeadings;
    if (!this->ComputeStateSpace || headings < 1) return 1;
    announce(outputs->GetInformationObject(StateSpacePort),
             plane.stateSpace(headings, heightOr(this->StateSpaceHeight, plane)));
  } catch (const Error&) { // RequestData meets and reports it
  }
  return 1;
}

int vtkIsochroneCurvaturePaths::RequestUpdateExtent(vtkInformation*, vtkInformationVector** inputs,
                                                    vtkInformationVector*) {
  requestWhole(inputs, this->GetNumberOfInputPorts());
  return 1;
}

Inputs vtkIsochroneCurvaturePaths::Internals::gather(const Ranks& ranks, vtkInformationVector** inputs) {
  Inputs in;
  ranks.agree([&] {
    in.image = requireImage(vtkDataObject::GetData(inputs[InputPort]), "input");
    if (auto* data = vtkDataObject::GetData(inputs[OrientedCostPort])) {
      in.orientedCost = requireImage(data, "oriented cost");
    }
    in.seeds = choosePoints(filter->SeedType, seeds, vtkDataObject::GetData(inputs[SeedsPort]), "seeds");
    in.tips = choosePoints(filter->TipType, tips, vtkDataObject::GetData(inputs[TipsPort]), "tips");
  });
  in.image = ranks.whole(in.image);
  if (in.orientedCost) in.orientedCost = ranks.whole(in.orientedCost);
  if (in.seeds) in.seeds = ranks.all(in.seeds);
  in.tips = in.tips ? ranks.all(in.tips) : vtkSmartPointer<vtkPolyData>::New();
  return in;
}

CurvatureSettings vtkIsochroneCurvaturePaths::Internals::settings() const {
  CurvatureSettings s;
  s.model = static_cast<curvature::Model>(filter->Model);
  s.turningRadius = filter->TurningRadius;
  s.curvatureShift = filter->CurvatureShift;
  s.relaxation = filter->Relaxation;
  s.headings = filter->NumberOfHeadings;
  s.costArray = choiceOf(filter->GetInputArrayInformation(CostArray));
  s.wallArray = choiceOf(filter->GetInputArrayInformation(WallArray));
  s.turningRadiusArray = choiceOf(filter->GetInputArrayInformation(TurningRadiusArray));
  s.curvatureShiftArray = choiceOf(filter->GetInputArrayInformation(CurvatureShiftArray));
  s.wallsWithinRange = filter->WallMode == 1;
  s.wallRange = {filter->WallRange[0], filter->WallRange[1]};
  return s;
}

/// Leaves `solved` as it is and returns false if it holds the solution already. Leaves it empty after an
/// abort.
bool vtkIsochroneCurvaturePaths::Internals::solve(CurvatureProblem input, const States& tips, int threads) {
  curvature::Options options{static_cast<isochrone::Backend>(filter->Backend), threads, {}};
  if (filter->StopAtTips) options.stopAt = tips.states;
  const bool known = solved && solved->options.backend == options.backend &&
                     same(solved->options.stopAt, options.stopAt) &&
                     same(solved->input.problem, input.problem);
  if (!known) {
    solved.reset(); // its memory is needed
    filter->Residual = notANumber;
    ++filter->SolveCount;
    const Monitor monitor{[this](double share) {
      filter->UpdateProgress(0.95 * share);
      return !filter->CheckAbort();
    }};
    curvature::Result result = curvature::solveCurvaturePaths(input.problem, options, monitor);
    if (result.aborted) return true;
    solved = Solved{std::move(input), options, std::move(result), {}, {}, {}};
    solved->plane = curvature::reduceToPlane(solved->input.problem, solved->result.travelTime, threads);
    filter->BackendUsed = solved->result.ranOn.backend == isochrone::Backend::Cuda ? "CUDA" : "Host";
    filter->BackendReason = solved->result.ranOn.reason;
    filter->Rounds = solved->result.rounds;
    filter->UpdatesPerPoint = solved->result.updatesPerPoint;
  }
  if (filter->CheckResidual && std::isnan(filter->Residual)) {
    filter->Residual = curvature::residual(solved->input.problem, solved->result.travelTime, threads);
  }
  return !known;
}

/// Returns false if the paths are known already.
bool vtkIsochroneCurvaturePaths::Internals::followTips(const States& tips, int threads) {
  if (solved->tips && same(*solved->tips, tips.states)) return false;
  ++filter->ExtractionCount;
  solved->paths =
      curvature::extractPaths(solved->input.problem, solved->result.travelTime, tips.states, threads);
  solved->tips = tips.states;
  return true;
}

void vtkIsochroneCurvaturePaths::Internals::attachImages(vtkImageData* image, const ImagePlane& plane,
                                                         const States& seeds,
                                                         vtkInformationVector* outputs) const {
  vtkImageData* out = vtkImageData::GetData(outputs, TravelTimePort);
  out->ShallowCopy(image);
  attachTravelTime(solved->plane, solved->result.seeds, seeds, out);
  if (filter->BlankUnreached) blankUnreached(solved->plane, out);
  if (filter->ComputeStateSpace) {
    makeStateSpace(solved->result.travelTime, plane, solved->input.problem.grid.headings,
                   heightOr(filter->StateSpaceHeight, plane), vtkImageData::GetData(outputs, StateSpacePort));
  }
}

/// The pipeline runs the filter again at each update, as the output stays empty: the user reads why once.
void vtkIsochroneCurvaturePaths::Internals::report(const std::string& error, vtkInformationVector** inputs) {
  vtkMTimeType state = filter->GetMTime();
  for (int port = 0; port < filter->GetNumberOfInputPorts(); ++port)
    state = std::max(state, timeOfArrays(vtkDataObject::GetData(inputs[port])));
  if (error == reported && state == reportedState) return;
  reported = error;
  reportedState = state;
  vtkErrorWithObjectMacro(filter, << error);
}

int vtkIsochroneCurvaturePaths::RequestData(vtkInformation* request, vtkInformationVector** inputs,
                                            vtkInformationVector* outputs) {
  // 1. Nothing is left of earlier outputs if something goes wrong. Errors return 1: 0 would hang remote
  // sessions.
  const auto clear = [&] {
    for (int port = 0; port < this->GetNumberOfOutputPorts(); ++port)
      vtkDataObject::GetData(outputs, port)->Initialize();
  };
  clear();
  const Ranks ranks;
  try {
    // 2. The whole of every input on every rank.
    const Inputs in = this->Internal->gather(ranks, inputs);
    const int threads = ranks.threads(this->Threads);

    // 3. Solve, unless the solution is known, and follow the tips through it.
    vtkSmartPointer<vtkPolyData> paths;
    std::string seedWarning, tipWarning;
    ranks.agree([&] {
      const ImagePlane plane(in.image);
      const States seeds = statesOf(in.seeds ? in.seeds : centreOf(plane), plane);
      const States tips = statesOf(in.tips, plane);
      if (seeds.size() == 0) throw Error("there are no seeds: the Seeds input has no points");
      const bool isNew = this->Internal->solve(
          makeProblem(in.image, in.orientedCost, plane, this->Internal->settings(), seeds), tips, threads);
      const auto& solved = this->Internal->solved;
      if (!solved) return;
      if (isNew) seedWarning = unusedSeeds(solved->result.seeds, seeds);
      if (this->Internal->followTips(tips, threads)) tipWarning = missingPaths(solved->paths, tips);
      this->Internal->attachImages(in.image, plane, seeds, outputs);
      paths = pathsToPolyData(solved->paths, plane, seeds, tips);
    });
    if (ranks.any(!paths)) {
      if (ranks.first())
        vtkWarningMacro(<< "stopped on request: the outputs are empty, apply again to compute them");
      clear();
      return 1;
    }
    if (ranks.first() && !seedWarning.empty()) vtkWarningMacro(<< seedWarning);
    if (ranks.first() && !tipWarning.empty()) vtkWarningMacro(<< tipWarning);

    // 4. Every rank keeps its piece.
    keepPiece(request, outputs, TravelTimePort);
    keepPiece(request, outputs, StateSpacePort);
    if (requestedPiece(request, outputs).number == 0)
      vtkPolyData::GetData(outputs, PathsPort)->ShallowCopy(paths);
    this->UpdateProgress(1);
  } catch (const Error& error) {
    if (ranks.first()) this->Internal->report(error.what(), inputs);
    this->Internal->solved.reset();
    clear();
  }
  return 1;
}

void vtkIsochroneCurvaturePaths::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Model: " << this->Model << '\n';
  os << indent << "TurningRadius: " << this->TurningRadius << '\n';
  os << indent << "NumberOfHeadings: " << this->NumberOfHeadings << '\n';
  os << indent << "BackendUsed: " << this->BackendUsed << " (" << this->BackendReason << ")\n";
  os << indent << "SolveCount: " << this->SolveCount << '\n';
}
