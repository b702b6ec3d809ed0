#include "ImageTravelTime/Outputs.h"

#include "Common/Fields.h"
#include "Common/ImageFrame.h"
#include "Common/Pieces.h"
#include "Common/SeedsAndTips.h"
#include "Common/TimeOrigin.h"
#include "Common/TravelTimeSeeds.h"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>

namespace isochrone::filters {

using Status = image::Placement::Status;

void addCropped(vtkImageData* image, const std::function<void(vtkImageData*)>& attach, vtkImageData* out) {
  vtkNew<vtkImageData> fields;
  fields->CopyStructure(image);
  attach(fields);
  crop(fields, extentOf(out), true);
  for (int a = 0; a < fields->GetPointData()->GetNumberOfArrays(); ++a)
    out->GetPointData()->AddArray(fields->GetPointData()->GetArray(a));
  for (int a = 0; a < fields->GetCellData()->GetNumberOfArrays(); ++a)
    out->GetCellData()->AddArray(fields->GetCellData()->GetArray(a));
}

void attachTravelTime(const image::Result& result, const TimeOrigin& origin, double latest,
                      vtkImageData* out) {
  out->GetPointData()->AddArray(origin.array("TravelTime", result.travelTime, latest));
}

void attachSeedIds(const image::Result& result, const Places& seeds, vtkImageData* out) {
  out->GetPointData()->AddArray(seedIdArray(result.travelTime, result.seed, seeds.labels));
}

void attachReached(const image::Result& result, vtkImageData* out) {
  out->GetPointData()->AddArray(reachedArray(result.travelTime));
}

void attachGradient(std::span<const float> gradient, const ImageFrame& frame, vtkImageData* out) {
  const auto points = std::int64_t(gradient.size() / 3);
  auto array = named<vtkFloatArray>("Gradient", points, 3);
  float* world = array->GetPointer(0);
  for (std::int64_t p = 0; p < points; ++p)
    for (int c = 0; c < 3; ++c) {
      double sum = 0;
      for (int a = 0; a < 3; ++a) sum += gradient[3 * p + a] * frame.direction(a)[c];
      world[3 * p + c] = float(sum);
    }
  out->GetPointData()->AddArray(array);
}

void attachUpdateCounts(const image::Result& result, vtkImageData* out) {
  auto updates = named<vtkIntArray>("Updates", vtkIdType(result.updates.size()));
  std::copy(result.updates.begin(), result.updates.end(), updates->GetPointer(0));
  out->GetPointData()->AddArray(updates);
}

void attachTwoWay(const image::Result& result, const image::TwoWay& twoWay, const TimeOrigin& fromSeeds,
                  const TimeOrigin& fromTargets, vtkImageData* out) {
  vtkPointData* data = out->GetPointData();
  data->AddArray(fromTargets.array("TimeFromTargets", result.travelTime));
  data->AddArray((fromSeeds + fromTargets).array("TwoWayTime", twoWay.time));
  auto connectivity = named<vtkFloatArray>("Connectivity", vtkIdType(twoWay.connectivity.size()));
  std::copy(twoWay.connectivity.begin(), twoWay.connectivity.end(), connectivity->GetPointer(0));
  data->AddArray(connectivity);
}

void attachPlacements(const char* name, const std::vector<image::Placement>& placements, vtkImageData* out) {
  std::vector<std::string> words(placements.size());
  std::transform(placements.begin(), placements.end(), words.begin(), [](const image::Placement& placement) {
    return placement.status == Status::Inside    ? "Inside"
           : placement.status == Status::Outside ? "Outside"
                                                 : "InBarrier";
  });
  addStatus(name, words, out);
}

void attachBallRadii(const image::Result& result, vtkImageData* out) {
  if (result.ballRadius.empty()) return;
  auto radii = named<vtkDoubleArray>("BallRadius");
  auto radius = result.ballRadius.begin(); // of the next usable seed
  for (const image::Placement& seed : result.seeds)
    radii->InsertNextValue(seed.status == Status::Inside ? *radius++ : 0);
  out->GetFieldData()->AddArray(radii);
}

void attachSeeds(const char* array, std::span<const image::FactoringBall> balls, const Places& seeds,
                 vtkImageData* out) {
  std::vector<TravelTimeSeed> all;
  for (std::size_t s = 0; s < seeds.size(); ++s) {
    TravelTimeSeed seed{{}, seeds.startValues[s], balls[s].slowness, balls[s].radius, seeds.labels[s]};
    seeds.points->GetPoint(vtkIdType(s), seed.at.data());
    all.push_back(seed);
  }
  attachSeedsOf(array, all, out);
}

std::string unusedSeeds(const std::vector<image::Placement>& placements, const Places& seeds,
                        const std::string& role) {
  const Faults unused = faultsOf(seeds, role, [&](std::size_t s) {
    return placements[s].status == Status::Inside    ? ""
           : placements[s].status == Status::Outside ? "lies outside the image"
                                                     : "lies in a barrier";
  });
  if (unused.count == 0) return {};
  return std::to_string(unused.count) + " of " + std::to_string(placements.size()) + " " + role +
         "s are not used: " + unused.list;
}

} // namespace isochrone::filters
