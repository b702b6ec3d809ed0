#include "vtkIsochroneImageTravelTime.h"

#include "Common/Execution.h"
#include "Common/Fields.h"
#include "Common/FilterMonitor.h"
#include "Common/PathsToPolyData.h"
#include "Common/Pieces.h"
#include "Common/Ranks.h"
#include "Common/TimeSteps.h"
#include "Error.h"
#include "ImageTravelTime/GivenTravelTime.h"
#include "ImageTravelTime/Internals.h"
#include "ImageTravelTime/Outputs.h"

#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

vtkStandardNewMacro(vtkIsochroneImageTravelTime);

vtkIsochroneImageTravelTime::vtkIsochroneImageTravelTime() : Internal(std::make_unique<Internals>()) {
  this->Internal->filter = this;
  this->LastSeedType = LevelSet;
  this->SetNumberOfInputPorts(4);
  this->AddIsochronesPort("TravelTime");
  this->AddTravelTimeTablePort();
  this->SetNumberOfOutputPorts(JacobianPort + 1);
}

vtkIsochroneImageTravelTime::~vtkIsochroneImageTravelTime() = default;

int vtkIsochroneImageTravelTime::FillOutputPortInformation(int port, vtkInformation* info) {
  this->Superclass::FillOutputPortInformation(port, info);
  if (port == TravelTimePort) info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataSet"); // that of the input
  if (port == JacobianPort) info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkTable");
  return 1;
}

int vtkIsochroneImageTravelTime::RequestInformation(vtkInformation* request, vtkInformationVector** inputs,
                                                    vtkInformationVector* outputs) {
  this->Superclass::RequestInformation(request, inputs, outputs); // announces time steps
  if (announceRectilinear(inputs[InputPort]->GetInformationObject(0),
                          outputs->GetInformationObject(TravelTimePort)))
    return 1;
  vtkNew<vtkImageData> frame;
  const bool known = announced(inputs[InputPort]->GetInformationObject(0), frame);
  announce(outputs->GetInformationObject(TravelTimePort), known ? frame.Get() : nullptr);
  return 1;
}

int vtkIsochroneImageTravelTime::RequestUpdateExtent(vtkInformation* request, vtkInformationVector** inputs,
                                                     vtkInformationVector* outputs) {
  this->Superclass::RequestUpdateExtent(request, inputs, outputs); // requests the whole of every input
  if (const auto plan = planPart(this, request, inputs, outputs, this->Internal->needs()))
    requestPart(plan->extents, inputs[InputPort]->GetInformationObject(0));
  return 1;
}

/// Solves the problem unless `field` already holds its solution. `field` is empty after an abort.
/// @param begin, end  range of the filter's progress
/// @param given       the travel time, if it was solved before
/// @return false if the solution was already known
bool vtkIsochroneImageTravelTime::Internals::solve(std::optional<ImageTravelTimeRun>& field,
                                                   ImageTravelTimeProblem input,
                                                   const image::Options& options, PartExchange& ranks,
                                                   double begin, double end,
                                                   std::optional<Values<float>> given) {
  const bool known = !separate && field && answers(field->options, options) && same(field->input, input) &&
                     field->isGiven == given.has_value() &&
                     (!given || sameBytes<float>(field->result.travelTime, *given));
  if (!ranks.any(!known)) {
    if (field->input.origin.time() != input.origin.time()) both.reset();
    field->input.origin = input.origin;
    field->input.problem.part = input.problem.part; // with the exchange of this execution
    return false;
  }
  if (separate) forget();
  field.reset(); // frees its memory before the solve
  both.reset();
  const bool twoWay = &field == &fromTargets;
  requireMemory(input.problem, twoWay ? fromSeeds->input.origin + input.origin : input.origin, twoWay);
  const Monitor monitor = monitorOf(filter, begin * solveShare(), end * solveShare());
  const bool isGiven = given.has_value();
  image::Result result = isGiven ? image::takeTravelTime(input.problem, options, std::move(*given), monitor)
                                 : image::solveImageTravelTime(input.problem, options, monitor);
  if (result.aborted) return true;
  if (!isGiven) ++filter->SolveCount;
  filter->SetRanOn(result.ranOn);
  filter->Rounds = result.rounds;
  const grid::GridPart& part = input.problem.part;
  const auto points = double(grid::ownPoints(input.problem.grid, part).points());
  filter->UpdatesPerPoint = ranks.sum(result.updatesPerPoint * points) / ranks.sum(points);
  filter->Exchanges = result.exchanges;
  filter->BytesTold = ranks.sum(double(result.bytesTold));
  if (result.roughSpeed)
    filter->Warnings.push_back(
        "the speed is rough, so multiplicative source factoring gains nothing: choose Additive or Off");
  filter->Warnings.push_back(strongDrift(result));
  filter->Warnings.push_back(blurredStart(input.problem, result.blurredSeed, ranks));
  input.problem.reach = result.reach;
  field = ImageTravelTimeRun{std::move(input), options, std::move(result), isGiven};
  return true;
}

/// Solves for the seeds and the targets unless the solutions are known. Returns false after an abort.
bool vtkIsochroneImageTravelTime::Internals::solve(const Inputs& in, const ImageFrame& frame,
                                                   const Placed& placed, PartExchange& ranks, int threads) {
  image::Options options;
  options.backend = static_cast<isochrone::Backend>(filter->Backend);
  options.threads = threads;
  options.factoring = static_cast<image::SourceFactoring>(filter->SourceFactoring);
  options.order = filter->Order;
  options.keepFirstOrder = differentiates();
  options.seedIds = placed.seeds.size() > 1;
  options.updateCounts = filter->ComputeUpdateCounts;
  const bool drifts = settings().driftArray.chosen();
  if (filter->StopAtTips && !drifts) options.stopAt = placed.tips.positions;
  grid::GridPart part;
  if (in.image.part) {
    part = *in.image.part;
    ranks.connect(part);
  }
  ImageTravelTimeProblem input =
      makeProblem(in.image.image, frame, settings(), placed.seeds, part, monitorOf(filter, 0, 0));
  if (const auto& surface = input.medium->seedSurface; surface && surface->aborted) return false;
  if (!drifts) options.stoppingTime = input.origin.stoppingTime(filter->StoppingTime);
  if (differentiates()) {
    if (isSeparate())
      throw Error("derivatives need the times from all seeds: choose Seed Runs Together or Time Steps, or "
                  "disable Compute Sensitivity and Compute Jacobian");
    requireDifferentiable(input.problem, options);
  }
  ImageTravelTimeProblem backward;
  if (placed.targets && isSeparate())
    throw Error(
        "paths between seeds and targets need the times from all seeds: choose Seed Runs Together, or "
        "disconnect the targets");
  if (placed.targets) backward = towardsTargets(input, *placed.targets);
  std::optional<Values<float>> given;
  if (givenArray().chosen()) {
    if (filter->SeedRuns != int(filters::SeedRuns::Together))
      throw Error("a given travel time is that of all its seeds: choose Seed Runs Together");
    given = givenTimes(in.image.image, givenArray(), input.origin);
  }

  if (fromSeeds && given && !seedIsExtended() &&
      !sameBytes<double>(fromSeeds->givenBalls, givenBalls(placed.seeds)))
    fromSeeds.reset();
  const bool isNew = isSeparate() ? runSeeds(std::move(input), options, placed, ranks)
                                  : solve(fromSeeds, std::move(input), options, ranks, 0,
                                          placed.targets ? 0.43 : 0.9, std::move(given));
  if (isNew) {
    if (!isSeparate()) tips.reset();
    gradient.clear();
    derivatives = {};
    filter->Residual = isSeparate() && each ? each->residual : std::numeric_limits<double>::quiet_NaN();
    if (!fromSeeds) return false;
    balls = fromSeeds->isGiven && !seedIsExtended()
                ? takeBalls(placed.seeds, *fromSeeds)
                : image::factoringBalls(fromSeeds->input.problem, fromSeeds->result);
    if (isSeparate()) keepApart(balls);
    filter->Warnings.push_back(fromSeeds->input.medium->warning);
    if (drifts && (filter->StopAtTips || filter->StoppingTime > 0))
      filter->Warnings.push_back(
          "times in a drift are final only at the end of a solve, so Stopping Time and Stop "
          "At Tips have no effect: set them to 0");
    if (filter->SeedType == LevelSet)
      filter->Warnings.push_back(missingValues(fromSeeds->input, settings().seedRegionArray.name, ranks));
    if (!seedIsExtended())
      filter->Warnings.push_back(unusedSeeds(fromSeeds->result.seeds, placed.seeds, "seed"));
    filter->Warnings.push_back(
        solvedWhole(fromSeeds->input.problem.grid.points(),
                    bytesOf(fromSeeds->input.problem, fromSeeds->input.origin, placed.targets.has_value()),
                    in.image.whyWhole));
  }
  if (placed.targets) return solveTargets(std::move(backward), options, *placed.targets, ranks);
  fromTargets.reset();
  both.reset();
  return true;
}

bool vtkIsochroneImageTravelTime::Internals::solveTargets(ImageTravelTimeProblem input,
                                                          image::Options options, const Places& targets,
                                                          PartExchange& ranks) {
  options.stopAt.clear();
  if (options.stoppingTime > 0) options.stoppingTime = input.origin.stoppingTime(filter->StoppingTime);
  options.seedIds = false;
  options.updateCounts = false;
  options.keepFirstOrder = false;
  try {
    if (solve(fromTargets, std::move(input), options, ranks, 0.43, 0.86)) {
      if (!fromTargets) return false;
      filter->Warnings.push_back(unusedSeeds(fromTargets->result.seeds, targets, "target"));
      targetBalls = image::factoringBalls(fromTargets->input.problem, fromTargets->result);
    }
  } catch (const Error& error) {
    throw Error(std::string("the targets are seeds of a second front: ") + error.what());
  }
  if (both) return true;
  const Monitor monitor = monitorOf(filter, 0.86 * solveShare(), 0.9 * solveShare());
  both = meet(*fromSeeds, *fromTargets, options.threads, monitor);
  if (!both) return false;
  if (!both->twoWay.meeting) filter->Warnings.push_back("no path leads from the seeds to the targets");
  return true;
}

/// Computes the requested residual and gradient. Returns false after an abort.
bool vtkIsochroneImageTravelTime::Internals::examine(int threads) {
  const image::Problem& problem = fromSeeds->input.problem;
  const Values<float>& time = fromSeeds->result.travelTime;
  const image::Options& options = fromSeeds->options;
  const bool plain = options.factoring == image::SourceFactoring::Off && options.order == 1;
  if (filter->CheckResidual && std::isnan(filter->Residual) && !isSeparate())
    filter->Residual = image::residual(problem, time, threads, plain, monitorOf(filter, 0.9, 0.93));
  if (filter->CheckResidual && std::isnan(filter->Residual)) return false;
  if (filter->ComputeGradient && gradient.empty())
    gradient = image::gradient(problem, fromSeeds->result, balls, threads, monitorOf(filter, 0.93, 0.96));
  return !filter->ComputeGradient || !gradient.empty();
}

/// Computes the requested derivatives. Returns false after an abort.
bool vtkIsochroneImageTravelTime::Internals::differentiate(const Places& places) {
  std::string ofSum, ofRows;
  if (filter->ComputeSensitivity &&
      !derivatives.differentiate(*fromSeeds, places, monitorOf(filter, 0.45, 0.6), ofSum))
    return false;
  if (filter->ComputeJacobian &&
      !derivatives.differentiateEach(*fromSeeds, places, monitorOf(filter, 0.6, 0.9), ofRows))
    return false;
  if (filter->ComputeSensitivity) filter->SetDerivativesRanOn(derivatives.ranOn());
  filter->Warnings.push_back(ofSum);
  if (ofRows != ofSum) filter->Warnings.push_back(ofRows);
  return true;
}

/// Extracts the paths unless they are known. Returns false after an abort.
bool vtkIsochroneImageTravelTime::Internals::followTips(const Places& places, PartExchange& ranks,
                                                        int threads) {
  if (!ranks.any(!tips || !sameBytes<image::Position>(*tips, places.positions))) return seeInMedium(threads);
  tips.reset();
  seen.reset();
  paths = image::extractPaths(fromSeeds->input.problem, fromSeeds->result.travelTime, places.positions,
                              threads, monitorOf(filter, 0.96, 0.99));
  if (paths.size() < places.size()) return false;
  ++filter->ExtractionCount;
  tips = places.positions;
  filter->Warnings.push_back(missingPaths(paths, places, "barrier"));
  return seeInMedium(threads);
}

/// Finds the paths as seen in the medium, if they are requested. Returns false after an abort.
bool vtkIsochroneImageTravelTime::Internals::seeInMedium(int threads) {
  const image::Problem& problem = fromSeeds->input.problem;
  if (seen || !filter->AddMediumPaths || problem.drift.empty()) return true;
  std::vector<Path> found = image::mediumPaths(problem, paths, threads, monitorOf(filter, 0.99, 0.995));
  if (found.size() < paths.size()) return false;
  seen = std::move(found);
  return true;
}

void vtkIsochroneImageTravelTime::Internals::forget() {
  fromSeeds.reset();
  fromTargets.reset();
  gradient = {};
  derivatives = {};
  both.reset();
  tips.reset();
  each.reset();
  separate = false;
}

/// Solves, extracts the paths and fills the outputs. Returns false after an abort. Collective.
bool vtkIsochroneImageTravelTime::Internals::run(const Inputs& in, PartExchange& ranks,
                                                 const Execution& execution,
                                                 vtkSmartPointer<vtkPolyData>& paths, Tables& tables) {
  const ImageFrame frame = in.frame();
  const Placed placed = place(in, frame);
  if (!solve(in, frame, placed, ranks, execution.threads)) return false;
  if (!differentiate(placed.tips)) return false;
  if (!examine(execution.threads) || !followTips(placed.tips, ranks, execution.threads)) return false;
  if (!tabulate(placed)) return false;
  tables.travelTimes = filter->ComputeTravelTimeTable
                           ? tableOf(each->found.table, placed.seedGroups, placed.tipGroups)
                           : vtkSmartPointer<vtkTable>::New();
  const double latest = ranks.max(latestOf(fromSeeds->result.travelTime));
  const Extent owned =
      requestedExtent(execution.request, execution.outputs, TravelTimePort, extentOf(in.image.whole));
  if (in.axes) {
    vtkNew<vtkImageData> made;
    attach(in, frame, placed, latest, owned, made);
    if (requestedPiece(execution.request, execution.outputs).count > 1)
      empty(owned) ? made->Initialize() : crop(made, owned);
    if (made->GetNumberOfPoints() > 0)
      showOnGrid(made, *in.axes, extentOf(in.image.whole), in.given,
                 execution.output<vtkDataSet>(TravelTimePort));
  } else {
    attach(in, frame, placed, latest, owned, execution.output<vtkImageData>(TravelTimePort));
  }
  paths = lines(frame, placed);
  if (filter->ComputeJacobian) tables.jacobian = derivatives.table(*fromSeeds, placed.seeds);
  return true;
}

bool vtkIsochroneImageTravelTime::Execute(Execution& execution) {
  Internals& my = *this->Internal;
  const Internals::Inputs in = my.gather(execution);
  vtkSmartPointer<vtkPolyData> paths;
  Internals::Tables tables;
  const auto run = [&](PartExchange& ranks) { return my.run(in, ranks, execution, paths, tables); };
  if (!runTogether(execution.ranks, in.image.part.has_value(), run)) return false;
  if (!in.axes) execution.keepPiece(TravelTimePort, extentOf(in.image.whole));
  if (in.image.part)
    execution.output<vtkPolyData>(PathsPort)->ShallowCopy(paths);
  else
    execution.showOnce(paths, PathsPort);
  execution.showOnce(tables.travelTimes, this->TravelTimeTablePort);
  if (tables.jacobian) execution.showOnce(tables.jacobian, JacobianPort);
  if (in.step != noStep) stampStep(execution.outputs, in.step);
  return true;
}

void vtkIsochroneImageTravelTime::Forget() { this->Internal->forget(); }

void vtkIsochroneImageTravelTime::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SpeedType: " << this->SpeedType << '\n';
  os << indent << "ConstantSpeed: " << this->ConstantSpeed << '\n';
  os << indent << "Epsilon: " << this->Epsilon << '\n';
  os << indent << "Delta: " << this->Delta << '\n';
  os << indent << "Tilt: " << this->Tilt << '\n';
  os << indent << "Azimuth: " << this->Azimuth << '\n';
  os << indent << "ShearRatio: " << this->ShearRatio << '\n';
  os << indent << "AddMediumPaths: " << this->AddMediumPaths << '\n';
  os << indent << "AverageCellData: " << this->AverageCellData << '\n';
  os << indent << "Coordinates: " << this->Coordinates << '\n';
  os << indent << "Periodic: " << this->PeriodicX << ' ' << this->PeriodicY << ' ' << this->PeriodicZ << '\n';
  os << indent << "UnwrapPaths: " << this->UnwrapPaths << '\n';
  os << indent << "SourceFactoring: " << this->SourceFactoring << '\n';
  os << indent << "Order: " << this->Order << '\n';
  os << indent << "ComputeSensitivity: " << this->ComputeSensitivity << '\n';
  os << indent << "ComputeJacobian: " << this->ComputeJacobian << '\n';
  os << indent << "StoppingTime: " << this->StoppingTime << '\n';
}
