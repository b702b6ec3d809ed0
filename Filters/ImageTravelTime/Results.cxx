// Fills the image and the paths of the output.
#include "Common/Fields.h"
#include "Common/PathsToPolyData.h"
#include "Common/PeriodicPaths.h"
#include "Common/Pieces.h"
#include "Common/TravelTimeSeeds.h"
#include "ImageTravelTime/GivenTravelTime.h"
#include "ImageTravelTime/Internals.h"
#include "ImageTravelTime/Outputs.h"

#include <vtkCellData.h>
#include <vtkPointData.h>

#include <array>

void vtkIsochroneImageTravelTime::Internals::attach(const Inputs& in, const ImageFrame& frame,
                                                    const Placed& placed, double latest, const Extent& owned,
                                                    vtkImageData* out) const {
  vtkImageData* image = in.image.image;
  out->ShallowCopy(image);
  if (in.image.part && !empty(owned)) crop(out, owned);
  const auto add = [&](auto attach) { addCropped(image, attach, out); };
  const image::Result& result = fromSeeds->result;
  add([&](vtkImageData* fields) { attachTravelTime(result, fromSeeds->input.origin, latest, fields); });
  add([&](vtkImageData* fields) { attachSeedIds(result, placed.seeds, fields); });
  add([&](vtkImageData* fields) { attachReached(result, fields); });
  out->GetPointData()->SetActiveScalars("TravelTime");
  if (!seedIsExtended()) {
    attachPlacements("SeedStatus", result.seeds, out);
    attachBallRadii(result, out);
    attachSeeds("TravelTime", balls, placed.seeds, out);
  } else {
    removeSeedsOf("TravelTime", out);
  }
  for (std::size_t s = 0; isSeparate() && s < each->results.size(); ++s)
    add([&](vtkImageData* fields) {
      fields->GetPointData()->AddArray(timesOfRun(s, each->results[s].travelTime, each->originOf(s),
                                                  fromSeeds->input.problem.grid.points()));
    });
  if (filter->ComputeGradient) add([&](vtkImageData* fields) { attachGradient(gradient, frame, fields); });
  if (filter->ComputeSensitivity) {
    vtkDataArray* const tensors = tensorArray(image, settings());
    add([&](vtkImageData* fields) { derivatives.attachSensitivity(*fromSeeds, frame, tensors, fields); });
    derivatives.attachObjective(*fromSeeds, out);
  }
  if (filter->ComputeUpdateCounts) add([&](vtkImageData* fields) { attachUpdateCounts(result, fields); });
  if (both) {
    add([&](vtkImageData* fields) {
      attachTwoWay(fromTargets->result, both->twoWay, fromSeeds->input.origin, fromTargets->input.origin,
                   fields);
    });
    attachPlacements("TargetStatus", fromTargets->result.seeds, out);
    if (fromTargets->input.problem.drift.empty()) // else they are times towards the targets
      attachSeeds("TimeFromTargets", targetBalls, *placed.targets, out);
    else
      removeSeedsOf("TimeFromTargets", out);
  }
  if (filter->BlankUnreached)
    add([&](vtkImageData* fields) { // adds to the marks of the input
      fields->GetPointData()->AddArray(image->GetPointGhostArray());
      fields->GetCellData()->AddArray(image->GetCellGhostArray());
      blankUnreached(result.travelTime, fields);
    });
}

vtkSmartPointer<vtkPolyData> vtkIsochroneImageTravelTime::Internals::lines(const ImageFrame& frame,
                                                                           const Placed& placed) const {
  const TimeOrigin& origin = fromSeeds->input.origin; // path times are relative to it
  Connection connection;
  if (both && both->path.size() > 0)
    connection = {both->path, placed.seeds.labels[both->seed], placed.targets->labels[both->target]};
  origin.addTo(connection.path);
  const bool inMedium = filter->AddMediumPaths && seen;
  std::vector<Path> all = paths;
  if (inMedium) all.insert(all.end(), seen->begin(), seen->end());
  if (!isSeparate()) origin.addTo(all);
  auto out =
      pathsToPolyData(all, PathKind::Plain, &frame, placed.seeds, placed.tips, both ? &connection : nullptr);
  if (inMedium) markMediumPaths(paths, out);
  std::array<bool, 3> periodic = fromSeeds->input.problem.periodic;
  if (const auto& grid = frame.orthogonal(); grid && grid->goesAround())
    periodic[std::size_t(grid->axisOf(grid::AxisRole::Longitude))] = true;
  if (!filter->UnwrapPaths) cutAtBorders(out, frame, periodic);
  return out;
}
