// Gathers the input of a solve, and the settings.
#include "Common/Execution.h"
#include "Common/FilterInputs.h"
#include "Common/Ranks.h"
#include "ImageTravelTime/GivenTravelTime.h"
#include "ImageTravelTime/Internals.h"

#include <utility>

/// The margin is 2 without paths: a seed may lie between the points of two ranks, and the gradient of an
/// output point depends on its neighbours.
PartNeeds vtkIsochroneImageTravelTime::Internals::needs() const {
  const bool hasTips = filter->GetNumberOfInputConnections(TipsPort) > 0 || !filter->TipCoordinates.empty();
  const bool hasPaths = hasTips || filter->GetNumberOfInputConnections(TargetsPort) > 0;
  PartNeeds needs{hasPaths ? image::pathMargin : 2, {}};
  const auto type = static_cast<image::SpeedType>(filter->SpeedType);
  if (type == image::SpeedType::MetricTensor || type == image::SpeedType::SquaredVelocityTensor)
    needs.whyWhole = "tensors cannot be solved in parts";
  else if (type == image::SpeedType::TiltedTransverse)
    needs.whyWhole = "tilted media cannot be solved in parts";
  else if (filter->Coordinates != 0)
    needs.whyWhole = "spherical coordinates cannot be solved in parts";
  else if (filter->PeriodicX || filter->PeriodicY || filter->PeriodicZ)
    needs.whyWhole = "periodic axes cannot be solved in parts";
  else if (settings().driftArray.chosen())
    needs.whyWhole = "a drift cannot be solved in parts";
  else if (filter->Order == 2)
    needs.whyWhole = "the second order cannot be solved in parts";
  else if (filter->SourceFactoring == int(image::SourceFactoring::Multiplicative))
    needs.whyWhole = "multiplicative source factoring cannot be solved in parts: choose Additive or Off";
  else if (differentiates())
    needs.whyWhole = "derivatives cannot be computed in parts";
  else if (filter->Backend == int(isochrone::Backend::Cuda))
    needs.whyWhole = "CUDA devices do not solve in parts: choose the Host backend";
  else if (isSeparate() || filter->ComputeTravelTimeTable)
    needs.whyWhole = "runs of separate seeds cannot be solved in parts";
  return needs;
}

auto vtkIsochroneImageTravelTime::Internals::gather(const Execution& execution) -> Inputs {
  const Ranks& ranks = execution.ranks;
  Inputs in;
  vtkImageData* image = nullptr;
  IndexedGrid grid;
  std::optional<PartPlan> planned;
  ranks.rethrowOnAll([&] {
    in.given = requireGrid(execution.input(InputPort), "input");
    if (filter->Coordinates != 0 || isRectilinear(in.given))
      grid = indexed(in.given, filter->Coordinates != 0);
    else
      image = vtkImageData::SafeDownCast(in.given);
    planned = planPart(filter, execution.request, execution.inputs, execution.outputs, needs());
    if (!seedIsExtended())
      in.seeds = givenArray().chosen()
                     ? seedsOfGiven(in.given, givenArray())
                     : choosePoints(PointsFrom(filter->SeedType), {filter->SeedCoordinates, {}},
                                    execution.input(SeedsPort), "seeds");
    in.tips = choosePoints(PointsFrom(filter->TipType), {filter->TipCoordinates, {}},
                           execution.input(TipsPort), "tips");
    if (auto* targets = execution.input(TargetsPort)) in.targets = pointsOf(targets, "targets");
  });
  if (!isGridOnAll(ranks, !image)) {
    in.image = partOfImage(ranks, image, planned, needs());
  } else {
    grid = gathered(ranks, grid);
    in.image.image = in.image.whole = grid.image;
    in.axes = std::move(grid.axes);
    if (ranks.count() > 1) in.image.whyWhole = "rectilinear and spherical grids cannot be solved in parts";
  }
  if (in.seeds) in.seeds = ranks.gatherPoints(in.seeds);
  in.tips = in.tips ? ranks.gatherPoints(in.tips) : vtkSmartPointer<vtkPolyData>::New();
  if (in.targets) in.targets = ranks.gatherPoints(in.targets);
  in.allSeeds = in.seeds;
  in.step = filter->ChooseSeedOfStep(execution, in.seeds);
  return in;
}

ImageTravelTimeSettings vtkIsochroneImageTravelTime::Internals::settings() const {
  ImageTravelTimeSettings s;
  s.speedType = static_cast<image::SpeedType>(filter->SpeedType);
  s.constantSpeed = filter->ConstantSpeed;
  s.speedArray = choiceOf(filter->GetInputArrayInformation(SpeedArray));
  s.barrierArray = choiceOf(filter->GetInputArrayInformation(BarrierArray));
  s.seedRegionArray = choiceOf(filter->GetInputArrayInformation(SeedRegionArray));
  s.periodic = {filter->PeriodicX, filter->PeriodicY, filter->PeriodicZ};
  s.driftArray = choiceOf(filter->GetInputArrayInformation(DriftArray));
  const auto parameter = [&](int array, double constant) {
    return TiltedParameter{choiceOf(filter->GetInputArrayInformation(array)), constant};
  };
  s.tilted = {parameter(EpsilonArray, filter->Epsilon), parameter(DeltaArray, filter->Delta),
              parameter(TiltArray, filter->Tilt), parameter(AzimuthArray, filter->Azimuth),
              parameter(ShearRatioArray, filter->ShearRatio)};
  s.averageCellData = filter->AverageCellData;
  s.barriersWithinRange = filter->BarrierMode == 1;
  s.barrierRange = {filter->BarrierRange[0], filter->BarrierRange[1]};
  s.seedsFromRegion = filter->SeedType == Region;
  s.seedsFromLevelSet = filter->SeedType == LevelSet;
  s.seedIsoValue = filter->SeedIsoValue;
  s.seedRegionRange = {filter->SeedRegionRange[0], filter->SeedRegionRange[1]};
  return s;
}

auto vtkIsochroneImageTravelTime::Internals::place(const Inputs& in, const ImageFrame& frame) const
    -> Placed {
  Placed placed;
  if (seedIsExtended()) {
    placed.seeds = placed.allSeeds = placeOfRegion();
  } else {
    const auto centre = [&] { return in.axes ? frame.centre() : ImageFrame(in.image.whole).centre(); };
    placed.seeds = placesOf(in.seeds ? in.seeds : pointAt(centre()), frame);
    requirePlaces(placed.seeds, "seeds");
    placed.allSeeds = in.allSeeds && in.allSeeds != in.seeds ? placesOf(in.allSeeds, frame) : placed.seeds;
    requirePlaces(placed.allSeeds, "seeds");
  }
  placed.tips = placesOf(in.tips, frame);
  if (filter->GroupByLabel) requireLabels(placed.tips, "tips");
  placed.seedGroups = groupsOf(placed.allSeeds, filter->GroupByLabel);
  placed.tipGroups = groupsOf(placed.tips, filter->GroupByLabel);
  if (in.targets) {
    placed.targets = placesOf(in.targets, frame);
    requirePlaces(*placed.targets, "targets");
  }
  return placed;
}
