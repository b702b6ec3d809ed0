// Gathers the input of a solve, and the settings.
#include "Common/FilterInputs.h"
#include "Common/Ranks.h"
#include "RayTracing/Internals.h"

#include <algorithm>
#include <iterator>
#include <utility>

/// The margin is the reach of the edges.
PartNeeds vtkIsochroneRayTracing::Internals::needs() const {
  constexpr int least = 2, balanced = 7;
  const auto star = static_cast<rays::StarKind>(filter->Template);
  PartNeeds needs{balanced, {}};
  if (star == rays::StarKind::Coprime || star == rays::StarKind::Full)
    needs.margin = std::max(least, *std::max_element(std::begin(filter->Radius), std::end(filter->Radius)));
  if (filter->PeriodicX || filter->PeriodicY || filter->PeriodicZ)
    needs.whyWhole = "periodic axes cannot be solved in parts";
  else if (filter->ComputePathProbability)
    needs.whyWhole = "path probabilities cannot be computed in parts";
  else if (filter->Method == int(rays::Method::PlainRelaxation))
    needs.whyWhole = "plain relaxation cannot be done in parts: choose Ordered Tiles";
  else if (filter->Backend == int(isochrone::Backend::Cuda))
    needs.whyWhole = "CUDA devices do not solve in parts: choose the Host backend";
  else if (filter->ComputeTravelTimeTable && filter->SourceRuns == Together)
    needs.whyWhole = "for the travel time table, sources that run together cannot be solved in parts: choose "
                     "Source Runs Separate";
  return needs;
}

auto vtkIsochroneRayTracing::Internals::gather(const Execution& execution) const -> Inputs {
  const Ranks& ranks = execution.ranks;
  Inputs in;
  vtkImageData* image = nullptr;
  std::optional<PartPlan> planned;
  ranks.rethrowOnAll([&] {
    image = requireImage(execution.input(InputPort), "input", "one image");
    planned = planPart(filter, execution.request, execution.inputs, execution.outputs, needs());
    in.sources = choosePoints(PointsFrom(filter->SourceType), {filter->SourceCoordinates, {}},
                              execution.input(SourcesPort), "sources");
    in.receivers = choosePoints(PointsFrom(filter->TipType), {filter->TipCoordinates, {}},
                                execution.input(ReceiversPort), "receivers");
  });
  in.image = partOfImage(ranks, image, planned, needs());
  if (in.sources) in.sources = ranks.gatherPoints(in.sources);
  in.receivers = in.receivers ? ranks.gatherPoints(in.receivers) : vtkSmartPointer<vtkPolyData>::New();
  return in;
}

auto vtkIsochroneRayTracing::Internals::place(const Inputs& in) const -> Placed {
  const ImageFrame frame(in.image.whole);
  Placed placed;
  placed.sources = placesOf(in.sources ? in.sources : pointAt(frame.centre()), frame);
  requirePlaces(placed.sources, "sources");
  placed.receivers = placesOf(in.receivers, frame);
  if (filter->GroupByLabel) requireLabels(placed.receivers, "receivers");
  placed.sourceGroups = groupsOf(placed.sources, filter->GroupByLabel);
  placed.receiverGroups = groupsOf(placed.receivers, filter->GroupByLabel);
  return placed;
}

rays::Options vtkIsochroneRayTracing::Internals::options(const ImageFrame& frame, const Placed& placed,
                                                         int threads) const {
  rays::Options options;
  options.backend = static_cast<isochrone::Backend>(filter->Backend);
  options.threads = threads;
  options.neighbours = static_cast<rays::StarKind>(filter->Template);
  const bool usesRadius =
      options.neighbours == rays::StarKind::Coprime || options.neighbours == rays::StarKind::Full;
  for (int a = 0; a < 3; ++a) // neutralise unused components, so that they do not cause a new solve
    options.radius[a] = usesRadius && frame.size(a) > 1 ? filter->Radius[frame.imageAxis(a)] : 1;
  options.rule = static_cast<rays::WeightRule>(filter->WeightRule);
  options.method = static_cast<rays::Method>(filter->Method);
  options.doublePrecision = filter->DoublePrecision;
  options.separateSources = filter->SourceRuns != Together;
  if (options.separateSources && placed.sourceGroups.size() < placed.sources.size()) {
    options.fieldOfSource.resize(placed.sources.size());
    for (std::size_t f = 0; f < placed.sourceGroups.size(); ++f)
      for (const std::size_t source : placed.sourceGroups.points[f])
        options.fieldOfSource[source] = std::int32_t(f);
  }
  options.predecessors = filter->ComputePredecessor;
  options.sourceIds = filter->ComputeSourceId && filter->SourceRuns == Together;
  return options;
}

RaySettings vtkIsochroneRayTracing::Internals::settings() const {
  RaySettings s;
  s.slowness = filter->VelocityType == 1;
  s.constantVelocity = filter->ConstantVelocity;
  s.velocityArray = choiceOf(filter->GetInputArrayInformation(VelocityArray));
  s.secondVelocityArray = choiceOf(filter->GetInputArrayInformation(SecondVelocityArray));
  s.tilted = filter->VelocityType == 2;
  const auto parameter = [&](int array, double constant) {
    return TiltedParameter{choiceOf(filter->GetInputArrayInformation(array)), constant};
  };
  s.tilt = {parameter(EpsilonArray, filter->Epsilon), parameter(DeltaArray, filter->Delta),
            parameter(TiltArray, filter->Tilt), parameter(AzimuthArray, filter->Azimuth),
            parameter(ShearRatioArray, filter->ShearRatio)};
  s.barrierArray = choiceOf(filter->GetInputArrayInformation(BarrierArray));
  s.interfaceArray = choiceOf(filter->GetInputArrayInformation(InterfaceArray));
  s.periodic = {filter->PeriodicX, filter->PeriodicY, filter->PeriodicZ};
  s.barriersWithinRange = filter->BarrierMode == 1;
  s.barrierRange = {filter->BarrierRange[0], filter->BarrierRange[1]};
  s.interface = static_cast<RaySettings::Interface>(filter->Interface);
  s.interfaceLabel = filter->InterfaceLabel;
  s.stayInLabel = filter->StayInLabel;
  s.pathProbability = filter->ComputePathProbability;
  return s;
}
