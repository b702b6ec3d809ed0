// Gathers the input of a solve, and the settings.
#include "Common/Execution.h"
#include "Common/FilterInputs.h"
#include "Common/Pieces.h"
#include "Common/Ranks.h"
#include "CurvaturePaths/Internals.h"

auto vtkIsochroneCurvaturePaths::Internals::gather(const Execution& execution) -> Inputs {
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
