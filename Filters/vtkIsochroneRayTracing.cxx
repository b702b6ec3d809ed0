#include "vtkIsochroneRayTracing.h"

#include "Common/FilterInputs.h"
#include "Common/FilterMonitor.h"
#include "Common/PeriodicPaths.h"
#include "Common/Pieces.h"
#include "Common/PropertyLists.h"
#include "Common/Ranks.h"
#include "Common/TimeSteps.h"
#include "Common/TravelTimeSeeds.h"
#include "Error.h"
#include "RayTracing/Internals.h"

#include <vtkDataObject.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPolyData.h>
#include <vtkTable.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

vtkStandardNewMacro(vtkIsochroneRayTracing);

/// Returns the number of a source, or the label of several.
static std::string nameOf(const PointGroups& sources, std::size_t group) {
  const std::vector<std::size_t>& points = sources.points[group];
  return points.size() == 1 ? std::to_string(points[0]) : "label " + std::to_string(sources.labels[group]);
}

vtkIsochroneRayTracing::vtkIsochroneRayTracing() : Internal(std::make_unique<Internals>()) {
  this->Internal->filter = this;
  this->SetNumberOfInputPorts(3);
  this->SetNumberOfOutputPorts(3);
  this->AddIsochronesPort("TravelTime");
  this->SetNumberOfOutputPorts(TravelTimeTablePort + 1);
}

vtkIsochroneRayTracing::~vtkIsochroneRayTracing() = default;

void vtkIsochroneRayTracing::SetNumberOfSourceCoordinates(int number) {
  resize(this, this->SourceCoordinates, number, 0.0);
}
void vtkIsochroneRayTracing::SetSourceCoordinate(int index, double value) {
  assign(this, this->SourceCoordinates, index, value);
}

int vtkIsochroneRayTracing::FillOutputPortInformation(int port, vtkInformation* info) {
  if (port != RayMatrixPort && port != TravelTimeTablePort)
    return this->Superclass::FillOutputPortInformation(port, info);
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkTable");
  return 1;
}

int vtkIsochroneRayTracing::RequestInformation(vtkInformation*, vtkInformationVector** inputs,
                                               vtkInformationVector* outputs) {
  vtkNew<vtkImageData> frame;
  const bool known = announced(inputs[InputPort]->GetInformationObject(0), frame);
  announce(outputs->GetInformationObject(TravelTimePort), known ? frame.Get() : nullptr);
  if (this->SourceRuns != Internals::TimeSteps) return 1;

  // The number of time steps is known only after the sources have been updated.
  const Ranks ranks;
  int count = 1; // the centre
  try {
    vtkSmartPointer<vtkPolyData> sources;
    ranks.rethrowOnAll([&] {
      sources = choosePoints(PointsFrom(this->SourceType), {this->SourceCoordinates, {}},
                             updatedInput(this, SourcesPort), "sources");
    });
    if (sources) count = int(groupsOf(placesOf(ranks.gatherPoints(sources)), this->GroupByLabel).size());
  } catch (const Error&) {
    count = 0; // Execute reports the error
  }
  announceSteps(outputs, count);
  return 1;
}

int vtkIsochroneRayTracing::RequestUpdateExtent(vtkInformation* request, vtkInformationVector** inputs,
                                                vtkInformationVector* outputs) {
  if (this->SourceRuns == Internals::TimeSteps) dropTime(inputs, this->GetNumberOfInputPorts());
  this->Superclass::RequestUpdateExtent(request, inputs, outputs); // requests the whole of every input
  if (const auto plan = planPart(this, request, inputs, outputs, this->Internal->needs()))
    requestPart(plan->extents, inputs[InputPort]->GetInformationObject(0));
  return 1;
}

/// Solves one problem.
/// @param begin, end  range of the filter's progress
/// @return nothing after an abort
std::optional<RayRun> vtkIsochroneRayTracing::Internals::run(RayProblem input, const rays::Options& options,
                                                             PartExchange& ranks, double begin, double end) {
  rays::Result result = rays::solveRayTracing(input.problem, options, monitorOf(filter, begin, end));
  if (result.aborted) return {};
  ++filter->SolveCount;
  filter->SetRanOn(result.ranOn);
  const auto points = double(grid::ownPoints(input.problem.grid, input.problem.part).points());
  filter->RelaxationsPerPoint = ranks.sum(result.relaxationsPerPoint * points) / ranks.sum(points);
  filter->Exchanges = result.exchanges;
  filter->BytesTold = ranks.sum(double(result.bytesTold));
  RayRun made{std::move(input), options, std::move(result)};
  for (const std::string& warning : {roundingRisk(made), unevenDirections(made)})
    if (std::ranges::find(filter->Warnings, warning) == filter->Warnings.end()) // of another run
      filter->Warnings.push_back(warning);
  return made;
}

/// Solves the first and second legs unless they are known. Returns false after an abort.
bool vtkIsochroneRayTracing::Internals::solve(const Inputs& in, const Placed& placed, PartExchange& ranks,
                                              int threads) {
  const ImageFrame frame(in.image.image);
  const rays::Options request = options(frame, placed, threads);
  const int fields = (reflects() ? 2 : 1) * (request.separateSources ? int(placed.sourceGroups.size()) : 1);
  if (!direct) requireMemory(frame, settings(), TimeOrigin(placed.sources.startValues), request, fields);
  RayProblem input = makeRayProblem(in.image, settings(), request, placed.sources, ranks);
  RayReflector reflector; // validated before the long computation
  if (reflects()) reflector = reflectorOf(in.image.image, settings(), request, ranks);
  const double half = reflects() ? 0.5 : filter->ComputePathProbability ? 0.1 : 0.9;
  const bool known =
      direct && answers(direct->options, request) && same(direct->input.problem, input.problem);
  if (ranks.any(!known)) {
    forget(); // frees its memory before the solve
    const auto neighbours = rays::makeForwardStar(input.problem.grid, request.neighbours, request.radius);
    filter->NumberOfNeighbours = int(neighbours.offsets.size());
    filter->AngularErrorBound = 100 * neighbours.worstAngularError;
    direct = run(std::move(input), request, ranks, 0, half);
    if (!direct) return false;
    filter->Warnings.push_back(solvedWhole(direct->input.problem.grid.points(),
                                           bytesOf(frame, settings(), direct->input.origin, request, fields),
                                           in.image.whyWhole));
  } else {
    direct->input.origin = input.origin;
    direct->input.problem.part = input.problem.part; // with the exchange of this execution
  }
  if (reflects()) return reflect(reflector, placed.sourceGroups, ranks, half, 0.9);
  if (!reflected.empty()) receivers.reset();
  reflected.clear();
  return true;
}

/// Solves the second legs. Returns false after an abort.
bool vtkIsochroneRayTracing::Internals::reflect(const RayReflector& reflector, const PointGroups& sources,
                                                PartExchange& ranks, double begin, double end) {
  rays::Options request = direct->options;
  request.separateSources = request.predecessors = request.sourceIds = false;
  const std::vector<rays::Field>& fields = direct->result.fields;
  const double share = (end - begin) / double(fields.size());
  for (std::size_t f = 0; f < fields.size(); ++f) {
    RayProblem leg = secondLeg(direct->input, reflector, fields[f]);
    const bool known = f < reflected.size() && same(reflected[f].input.problem, leg.problem);
    if (!ranks.any(!known)) {
      reflected[f].input.problem.part = leg.problem.part;
      continue;
    }
    reflected.resize(f); // the remaining legs start at another interface, too
    receivers.reset();
    auto solved =
        run(std::move(leg), request, ranks, begin + double(f) * share, begin + double(f + 1) * share);
    if (!solved) return false;
    if (!ranks.any(reachesAnything(*solved)))
      filter->Warnings.push_back("no wave reaches the interface" +
                                 (fields.size() > 1 ? " from source " + nameOf(sources, f) : std::string()));
    reflected.push_back(std::move(*solved));
  }
  return true;
}

/// Traces the rays unless they are known. Returns false after an abort.
bool vtkIsochroneRayTracing::Internals::trace(const Places& places, PartExchange& ranks) {
  const RayLegs legs{*direct, reflected, ranks};
  if (ranks.any(!receivers || !sameBytes<rays::Position>(*receivers, places.positions))) {
    receivers.reset();
    arrivals.clear();
    const Monitor monitor = monitorOf(filter, 0.9, 0.95);
    const std::vector<std::size_t> all = fieldsOf(*direct);
    const double share = 1 / double(all.size());
    for (std::size_t f = 0; f < all.size(); ++f) {
      arrivals.push_back(legs.arrivals(f, places.positions, monitor.part(double(f) * share, share)));
      if (arrivals[f].toReceivers.size() < places.size()) return false;
    }
    ++filter->ExtractionCount;
    receivers = places.positions;
    filter->Warnings.push_back(missingRays(paths(all), places));
  }
  const Monitor monitor = monitorOf(filter, 0.95, 0.99);
  const double share = 1 / double(arrivals.size());
  for (std::size_t f = 0; filter->ComputeRayMatrix && f < arrivals.size(); ++f) {
    if (ranks.any(arrivals[f].matrices.empty()))
      arrivals[f].matrices = legs.matrices(f, arrivals[f], monitor.part(double(f) * share, share));
    if (arrivals[f].matrices.empty()) return false;
  }
  return true;
}

/// Computes the probabilities of paths, if requested. Returns false after an abort.
bool vtkIsochroneRayTracing::Internals::weighPaths(const Places& places) {
  return !filter->ComputePathProbability ||
         probabilities.update(*direct, places.positions, filter->Temperature, monitorOf(filter, 0.1, 0.9));
}

/// Makes the requested table of all pairs of sources and receivers. Returns false after an abort. Collective.
bool vtkIsochroneRayTracing::Internals::tabulate(const Inputs& in, const Placed& placed, PartExchange& ranks,
                                                 int threads, vtkSmartPointer<vtkTable>& table) {
  table = vtkSmartPointer<vtkTable>::New();
  if (!filter->ComputeTravelTimeTable) return true;
  const rays::Options request = options(ImageFrame(in.image.image), placed, threads);
  std::optional<RayReflector> reflector;
  if (reflects()) reflector = reflectorOf(in.image.image, settings(), request, ranks);
  if (request.separateSources) {
    const bool symmetric = placed.sourceGroups.points == placed.receiverGroups.points &&
                           isSymmetric(placed.sources, placed.receivers, reflector);
    table = tableOf(entriesOf(*direct, arrivals, placed.receiverGroups, symmetric, ranks),
                    placed.sourceGroups, placed.receiverGroups);
    return true;
  }
  RaySourceRequest wanted{{placed.sourceGroups, placed.receiverGroups, false, false},
                          direct->input,
                          request,
                          std::move(reflector),
                          placed.sources,
                          placed.receivers};
  wanted.options.predecessors = wanted.options.sourceIds = false;
  if (!each || !answers(*each, wanted)) {
    each.reset();
    each = runEachSource(std::move(wanted), monitorOf(filter, 0.99, 0.999));
    if (!each) return false;
    filter->SolveCount += each->solves;
    ++filter->ExtractionCount;
    if (std::ranges::find(filter->Warnings, each->warning) == filter->Warnings.end())
      filter->Warnings.push_back(each->warning);
  }
  table = tableOf(each->table, placed.sourceGroups, placed.receiverGroups);
  return true;
}

/// Returns the fields that the outputs show: all fields, or the field of the requested time step.
std::vector<std::size_t> vtkIsochroneRayTracing::Internals::shownFields(vtkInformation* request,
                                                                        vtkInformationVector* outputs) const {
  const std::size_t count = direct->result.fields.size();
  if (filter->SourceRuns == TimeSteps) return {std::size_t(requestedStep(request, outputs, int(count)))};
  return fieldsOf(*direct);
}

void vtkIsochroneRayTracing::Internals::attach(const Inputs& in, const Placed& placed,
                                               const std::vector<std::size_t>& shown, PartExchange& ranks,
                                               vtkImageData* image) const {
  image->ShallowCopy(in.image.image);
  removeSeedsOf("TravelTime", image);
  attachLegs(*direct, reflected, shown, filter->SourceRuns == Separate, filter->ComputePredecessor, ranks,
             image);
  if (filter->ComputeSourceId && filter->SourceRuns == Together)
    attachSourceIds(direct->result.fields[shown[0]], placed.sources, image);
  if (filter->ComputePathProbability) probabilities.attach(shown, filter->SourceRuns == Separate, image);
  attachReached(filter->BlankUnreached, image);
}

vtkSmartPointer<vtkTable>
vtkIsochroneRayTracing::Internals::matrix(const Placed& placed, const std::vector<std::size_t>& shown) const {
  if (!filter->ComputeRayMatrix) return vtkSmartPointer<vtkTable>::New();
  std::vector<const Arrivals*> some(shown.size());
  std::transform(shown.begin(), shown.end(), some.begin(), [&](std::size_t f) { return &arrivals[f]; });
  return matrixToTable(some, placed.sources);
}

void vtkIsochroneRayTracing::Internals::forget() {
  direct.reset();
  reflected.clear();
  receivers.reset();
  arrivals.clear();
  probabilities.forget();
  each.reset();
}

/// Solves, traces the rays and fills the outputs. Returns false after an abort. Collective.
bool vtkIsochroneRayTracing::Internals::run(const Inputs& in, PartExchange& ranks,
                                            const Execution& execution) {
  const Placed placed = place(in);
  if (filter->ComputePathProbability) {
    if (reflects())
      fail("path probabilities are those of direct waves: set Interface to None, or switch off Compute Path "
           "Probability");
    rays::requireRandomPaths(placed.receivers.positions, filter->Temperature); // before the long computation
  }
  vtkSmartPointer<vtkTable> table;
  if (!solve(in, placed, ranks, execution.threads) || !weighPaths(placed.receivers) ||
      !trace(placed.receivers, ranks) || !tabulate(in, placed, ranks, execution.threads, table))
    return false;
  const std::vector<std::size_t> shown = shownFields(execution.request, execution.outputs);
  attach(in, placed, shown, ranks, execution.output<vtkImageData>(TravelTimePort));
  const std::vector<Path> drawn = paths(shown);
  const auto lines = raysToPolyData(drawn, ImageFrame(in.image.whole), placed.sources, placed.receivers);
  if (filter->ComputePathProbability)
    probabilities.attachExpectedTimes(shown, drawn, direct->input.origin, lines);
  const std::array<bool, 3>& periodic = direct->input.problem.periodic;
  if ((periodic[0] || periodic[1] || periodic[2]) && !filter->UnwrapPaths)
    cutAtBorders(lines, ImageFrame(in.image.whole), periodic,
                 direct->options.rule == rays::WeightRule::Cells);
  const auto show = [&](vtkDataObject* data, int port) {
    if (in.image.part)
      vtkDataObject::GetData(execution.outputs, port)->ShallowCopy(data);
    else
      execution.showOnce(data, port);
  };
  show(lines, RaysPort);
  show(matrix(placed, shown), RayMatrixPort);
  execution.showOnce(table, TravelTimeTablePort);
  if (filter->SourceRuns == TimeSteps) stampStep(execution.outputs, int(shown[0]));
  return true;
}

bool vtkIsochroneRayTracing::Execute(Execution& execution) {
  Internals& my = *this->Internal;
  const Internals::Inputs in = my.gather(execution);
  const auto run = [&](PartExchange& ranks) { return my.run(in, ranks, execution); };
  if (!runTogether(execution.ranks, in.image.part.has_value(), run)) return false;
  execution.keepPiece(TravelTimePort, extentOf(in.image.whole));
  return true;
}

void vtkIsochroneRayTracing::Forget() { this->Internal->forget(); }

void vtkIsochroneRayTracing::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SourceCoordinates: " << this->SourceCoordinates.size() << '\n';
  os << indent << "VelocityType: " << this->VelocityType << '\n';
  os << indent << "Epsilon: " << this->Epsilon << '\n';
  os << indent << "Delta: " << this->Delta << '\n';
  os << indent << "Tilt: " << this->Tilt << '\n';
  os << indent << "Azimuth: " << this->Azimuth << '\n';
  os << indent << "ShearRatio: " << this->ShearRatio << '\n';
  os << indent << "Radius: " << this->Radius[0] << ", " << this->Radius[1] << ", " << this->Radius[2] << '\n';
  os << indent << "Template: " << this->Template << '\n';
  os << indent << "WeightRule: " << this->WeightRule << '\n';
  os << indent << "Method: " << this->Method << '\n';
  os << indent << "SourceRuns: " << this->SourceRuns << '\n';
  os << indent << "GroupByLabel: " << this->GroupByLabel << '\n';
  os << indent << "ComputeTravelTimeTable: " << this->ComputeTravelTimeTable << '\n';
  os << indent << "Interface: " << this->Interface << '\n';
  os << indent << "ComputePathProbability: " << this->ComputePathProbability << '\n';
  os << indent << "Temperature: " << this->Temperature << '\n';
  os << indent << "Periodic: " << this->PeriodicX << ' ' << this->PeriodicY << ' ' << this->PeriodicZ << '\n';
  os << indent << "UnwrapPaths: " << this->UnwrapPaths << '\n';
}
