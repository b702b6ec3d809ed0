// Gathers the input of a solve, and the settings.
#include "Common/Execution.h"
#include "Common/FilterInputs.h"
#include "Common/Ranks.h"
#include "Error.h"
#include "MeshTravelTime/Internals.h"

#include <vtkUnstructuredGrid.h>

#include <algorithm>

MeshSettings vtkIsochroneMeshTravelTime::Internals::settings() const {
  MeshSettings s;
  s.speedType = static_cast<mesh::SpeedType>(filter->SpeedType);
  s.constantSpeed = filter->ConstantSpeed;
  s.speedArray = choiceOf(filter->GetInputArrayInformation(SpeedArray));
  s.fibreArray = choiceOf(filter->GetInputArrayInformation(FibreArray));
  s.sheetArray = choiceOf(filter->GetInputArrayInformation(SheetArray));
  s.tensorArray = choiceOf(filter->GetInputArrayInformation(TensorArray));
  std::copy_n(s.speedType == mesh::SpeedType::Conductivities ? filter->Conductivities
                                                             : filter->ConductionVelocities,
              3, s.velocities.begin());
  s.velocityScale = filter->VelocityScale;
  return s;
}

auto vtkIsochroneMeshTravelTime::Internals::gather(const Execution& execution) const -> Inputs {
  const Ranks& ranks = execution.ranks;
  Inputs in;
  const ArrayChoice onsetArray = choiceOf(filter->GetInputArrayInformation(OnsetTimeArray));
  const bool onsetsAlone = filter->SeedType == OnsetTimes;
  ranks.rethrowOnAll([&] {
    in.part = meshOf(execution.input(InputPort), filter->Tetrahedralize);
    in.medium = makeMeshProblem(in.part.mesh, settings());
    if (onsetsAlone && !onsetArray.chosen())
      throw Error("the seeds are onset times, but no array is chosen: choose the Onset Time Array");
    if (onsetArray.chosen()) in.onsets = onsetTimes(in.part.mesh, onsetArray);
    if (!onsetsAlone)
      in.seeds = choosePoints(PointsFrom(filter->SeedType), {filter->SeedCoordinates, {}},
                              execution.input(SeedsPort), "seeds");
    in.tips = choosePoints(PointsFrom(filter->TipType), {filter->TipCoordinates, {}},
                           execution.input(TipsPort), "tips");
  });
  ranks.shareNode(double(in.part.mesh->GetNumberOfCells()));
  if (in.seeds) in.seeds = ranks.gatherPoints(in.seeds);
  in.tips = in.tips ? ranks.gatherPoints(in.tips) : vtkSmartPointer<vtkPolyData>::New();
  // The centre is the default seed, unless there are onset times.
  if (onsetArray.chosen() && !in.seeds) in.seeds = vtkSmartPointer<vtkPolyData>::New();
  in.allSeeds = in.seeds;
  in.step = filter->ChooseSeedOfStep(execution, in.seeds);
  const auto key = keyOf(in.medium.problem);
  const std::vector<std::vector<std::uint64_t>> keys = ranks.gather<std::uint64_t>(key);
  in.everywhere = in.part.mesh->GetNumberOfCells() > 0 &&
                  std::all_of(keys.begin(), keys.end(), [&](const auto& other) { return other == keys[0]; });
  if (filter->Accuracy == int(mesh::Accuracy::Exact) && !in.everywhere && ranks.count() > 1)
    gatherWhole(ranks, in);
  return in;
}

/// Replaces the medium by that of the whole mesh, for a solver that cannot divide it. Such a solver takes no
/// arrays of speeds. Collective.
void vtkIsochroneMeshTravelTime::Internals::gatherWhole(const Ranks& ranks, Inputs& in) const {
  const double speedType = ranks.allMax({double(in.medium.problem.speedType)})[0];
  in.whole = gatherMesh(ranks, in.part.mesh, in.medium.problem, in.onsets);
  ranks.shareNode(0);
  MeshSettings medium;
  medium.constantSpeed = filter->ConstantSpeed;
  ranks.rethrowOnAll([&] { in.medium = makeMeshProblem(in.whole->mesh, medium); });
  in.medium.problem.speedType =
      static_cast<mesh::SpeedType>(int(speedType)); // another than Constant is refused
  in.onsets = in.whole->onsets;
  for (std::int64_t* count : {&in.part.leftOut, &in.part.notDivided})
    *count = std::int64_t(ranks.sum(double(*count)));
  in.everywhere = true;
}

auto vtkIsochroneMeshTravelTime::Internals::place(const Ranks& ranks, const Inputs& in, int threads) const
    -> Placed {
  Placed placed;
  const mesh::Problem& part = in.medium.problem;
  placed.bounds = boundsOf(ranks, part);
  placed.chosenSeeds = in.seeds;
  ranks.rethrowOnAll([&] {
    if (part.cellCount() == 0 && placed.bounds.box[0] > placed.bounds.box[3])
      throw Error(in.part.isSurface ? "the surface has no polygons or strips"
                                    : "the mesh has no tetrahedra or triangles");
    placed.seedPoints = placesOf(in.seeds ? in.seeds : pointAt(placed.bounds.centre()));
    if (in.onsets.empty() && part.cellCount() > 0) requirePlaces(placed.seedPoints, "seeds");
    requireLabels(placed.seedPoints, "seeds");
    placed.allSeedPoints = in.allSeeds != in.seeds ? placesOf(in.allSeeds) : placed.seedPoints;
    requireLabels(placed.allSeedPoints, "seeds");
    placed.tipPoints = placesOf(in.tips);
    if (filter->GroupByLabel) requireLabels(placed.tipPoints, "tips");
    requireFinitePlaces(placed.allSeedPoints);
  });
  placed.seedPlaces = placesIn(ranks, part, placed.bounds, placed.seedPoints, threads);
  placed.allSeedPlaces = in.allSeeds != in.seeds && filter->ComputeTravelTimeTable
                             ? placesIn(ranks, part, placed.bounds, placed.allSeedPoints, threads)
                             : placed.seedPlaces;
  placed.seedGroups = groupsOf(placed.allSeedPoints, filter->GroupByLabel);
  placed.tipGroups = groupsOf(placed.tipPoints, filter->GroupByLabel);
  placed.tipPlaces = placesIn(ranks, part, placed.bounds, placed.tipPoints, threads);
  placed.seeds = seedsOf(ranks, placed.seedPoints, placed.seedPlaces, in.onsets);
  if (placed.seeds.seeds.empty())
    throw Error("no point has an onset time, a number that is not negative: choose another Onset Time Array, "
                "or seeds");
  return placed;
}
