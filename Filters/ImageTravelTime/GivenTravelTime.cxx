#include "ImageTravelTime/GivenTravelTime.h"

#include "Common/Fields.h"
#include "Common/SeedsAndTips.h"
#include "Common/TimeOrigin.h"
#include "Common/TravelTimeSeeds.h"
#include "Error.h"

#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace isochrone::filters {

namespace {

constexpr const char *slownessName = "Slowness", *radiusName = "BallRadius";

} // namespace

vtkSmartPointer<vtkPolyData> seedsOfGiven(vtkDataSet* input, const ArrayChoice& travelTime) {
  auto out = vtkSmartPointer<vtkPolyData>::New();
  if (input->GetNumberOfPoints() == 0) return out;
  const std::vector<TravelTimeSeed> seeds = seedsOf(travelTime.name, input);
  const auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataTypeToDouble();
  for (const TravelTimeSeed& seed : seeds) points->InsertNextPoint(seed.at.data());
  out->SetPoints(points);
  const auto add = [&](const char* name, auto member) {
    const auto array = named<vtkDoubleArray>(name);
    for (const TravelTimeSeed& seed : seeds) array->InsertNextValue(double(seed.*member));
    out->GetPointData()->AddArray(array);
  };
  add(arrays::startValue, &TravelTimeSeed::startValue);
  add(arrays::label, &TravelTimeSeed::label);
  add(slownessName, &TravelTimeSeed::slowness);
  add(radiusName, &TravelTimeSeed::radius);
  return out;
}

Values<float> givenTimes(vtkImageData* image, const ArrayChoice& travelTime, const TimeOrigin& origin) {
  vtkDataArray* const array = pointArray(image, travelTime, "given travel time");
  Values<float> times(std::size_t(array->GetNumberOfTuples()));
  for (std::size_t p = 0; p < times.size(); ++p) {
    const double time = array->GetTuple1(vtkIdType(p));
    times[p] = std::isnan(time) ? std::numeric_limits<float>::infinity() : float(origin.since(time));
  }
  return times;
}

std::vector<double> givenBalls(const Places& seeds) {
  vtkPointData* const stored = seeds.points->GetPointData();
  std::vector<double> balls;
  for (std::size_t s = 0; s < seeds.size(); ++s)
    for (const char* name : {slownessName, radiusName})
      balls.push_back(stored->GetArray(name)->GetTuple1(vtkIdType(s)));
  return balls;
}

std::vector<image::FactoringBall> takeBalls(const Places& seeds, ImageTravelTimeRun& run) {
  run.givenBalls = givenBalls(seeds);
  std::vector<image::FactoringBall> balls = image::factoringBalls(run.input.problem, run.result);
  for (std::size_t s = 0; s < balls.size(); ++s) {
    const double slowness = run.givenBalls[2 * s], here = balls[s].slowness;
    const bool isUsed = run.result.seeds[s].status == image::Placement::Status::Inside;
    if (isUsed && (std::isnan(here) != std::isnan(slowness) || std::abs(here - slowness) > 1e-6 * slowness))
      fail("the slowness at seed ", s, " was ", text(slowness),
           " when the given travel time was computed, and is ", text(here),
           " now: give the speed of that solve, or set Given Travel Time to None to solve again");
    if (!isUsed) balls[s].slowness = slowness; // of a seed outside a part of the image
    balls[s].radius = run.givenBalls[2 * s + 1];
  }
  if (std::ranges::any_of(balls, [](const image::FactoringBall& b) { return b.radius > 0; }))
    for (std::size_t s = 0; s < balls.size(); ++s)
      if (run.result.seeds[s].status == image::Placement::Status::Inside)
        run.result.ballRadius.push_back(balls[s].radius);
  return balls;
}

} // namespace isochrone::filters
