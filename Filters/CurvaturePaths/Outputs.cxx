#include "CurvaturePaths/Outputs.h"

#include "Common/Fields.h"
#include "Common/TimeOrigin.h"
#include "Common/TravelTimeSeeds.h"
#include "CurvaturePaths/States.h"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace isochrone::filters {

namespace {

using Status = curvature::Placement::Status;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

const char* nameOf(Status status) {
  return status == Status::Inside ? "Inside" : status == Status::InWall ? "InWall" : "Outside";
}

} // namespace

void attachTravelTime(const curvature::PlanarResult& plane, const TimeOrigin& origin, double latest,
                      const std::vector<curvature::Placement>& placements, const States& seeds,
                      vtkImageData* out) {
  removeSeedsOf("TravelTime", out);
  auto heading = named<vtkFloatArray>("Heading", vtkIdType(plane.heading.size()));
  for (std::size_t p = 0; p < plane.heading.size(); ++p) {
    const bool here = std::isfinite(plane.travelTime[p]);
    heading->SetValue(vtkIdType(p), here ? float(plane.heading[p] * 180 / std::numbers::pi) : nan);
  }
  vtkPointData* data = out->GetPointData();
  data->AddArray(origin.array("TravelTime", plane.travelTime, latest));
  data->AddArray(heading);
  data->AddArray(seedIdArray(plane.travelTime, plane.seed, seeds.labels));
  data->AddArray(reachedArray(plane.travelTime));
  data->SetActiveScalars("TravelTime");

  std::vector<std::string> words;
  auto moved = named<vtkDoubleArray>("SeedMoved"); // world units
  for (const curvature::Placement& placement : placements) {
    words.push_back(nameOf(placement.status));
    moved->InsertNextValue(placement.moved);
  }
  addStatus("SeedStatus", words, out);
  out->GetFieldData()->AddArray(moved);
}

std::string unusedSeeds(const std::vector<curvature::Placement>& placements, const States& seeds) {
  const Faults unused = faultsOf(seeds, "seed", [&](std::size_t s) {
    return placements[s].status == Status::Inside   ? ""
           : placements[s].status == Status::InWall ? "lies in a wall"
                                                    : "lies outside the image";
  });
  if (unused.count == 0) return {};
  return std::to_string(unused.count) + " of " + std::to_string(placements.size()) +
         " seeds are not used: " + unused.list;
}

} // namespace isochrone::filters
