// Runs of the seeds one by one, and the table of travel times.
#include "Common/Fields.h"
#include "Common/FilterMonitor.h"
#include "Common/PathsToPolyData.h"
#include "CurvaturePaths/Drift.h"
#include "CurvaturePaths/Internals.h"
#include "CurvaturePaths/Outputs.h"

#include <vtkImageData.h>
#include <vtkInformationVector.h>
#include <vtkPointData.h>

#include <utility>

/// Runs each group of seeds unless the runs are known. Returns false after an abort.
bool vtkIsochroneCurvaturePaths::Internals::runSeeds(CurvatureProblem input, const Places& allSeeds,
                                                     const States& tips, int threads, double begin,
                                                     double end) {
  curvature::Options options{static_cast<isochrone::Backend>(filter->Backend), threads, {}, startCache};
  if (filter->StopAtTips) options.stopAt = tips.states;
  const bool byLabel = filter->GroupByLabel;
  CurvatureSeedRequest request{{groupsOf(allSeeds, byLabel), groupsOf(tips, byLabel), isSeparate(),
                                isSeparate() && filter->CheckResidual},
                               std::move(input),
                               std::move(options),
                               tips.states};
  if (isSeparate()) solved.reset(); // frees its memory
  if (each && answers(*each, request)) return true;
  each.reset(); // likewise
  each = runEachSeed(std::move(request), monitorOf(filter, begin, end));
  if (!each) return false;
  filter->SolveCount += int(each->request.seedGroups.size());
  ++filter->ExtractionCount;
  if (!isSeparate()) return true;
  filter->SetRanOn(each->ranOn);
  filter->Rounds = each->rounds;
  filter->UpdatesPerPoint = each->updatesPerPoint;
  filter->Residual = each->residual;
  filter->Warnings.push_back(longStarts(each->request.input));
  filter->Warnings.push_back(each->request.input.warning);
  warnOfPaths(each->found.paths, tips);
  return true;
}

/// Fills the image output with the times of each seed and their minimum.
void vtkIsochroneCurvaturePaths::Internals::attachSeparate(const Inputs& in, const ImagePlane& plane,
                                                           const States& seeds,
                                                           vtkInformationVector* outputs) const {
  vtkImageData* out = vtkImageData::GetData(outputs, TravelTimePort);
  out->ShallowCopy(in.image);
  const CurvatureProblem& input = each->request.input;
  const curvature::PlanarResult first = firstArrivals(*each);
  attachTravelTime(first, input.origin, latestOf(first.travelTime), each->seeds, seeds, out);
  if (input.vehicle) attachVehicleHeading(input, first.heading, out);
  for (std::size_t s = 0; s < each->planes.size(); ++s)
    out->GetPointData()->AddArray(
        timesOfRun(s, each->planes[s].travelTime, each->originOf(s), std::int64_t(plane.nx()) * plane.ny()));
  if (filter->BlankUnreached) blankUnreached(first.travelTime, out);
}
