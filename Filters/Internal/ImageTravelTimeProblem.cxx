#include "ImageTravelTimeProblem.h"

#include "Backend.h"
#include "Error.h"
#include "ImageFrame.h"
#include "SeedsAndTips.h"

#include <vtkDataArray.h>
#include <vtkImageData.h>

#include <algorithm>
#include <limits>
#include <sstream>

namespace isochrone::filters {

namespace {

std::vector<image::Seed> seedsAt(const Places& places) {
  std::vector<image::Seed> seeds;
  for (std::size_t s = 0; s < places.size(); ++s)
    seeds.push_back({places.positions[s], places.startValues[s]});
  return seeds;
}

/// 0 (the number of the only seed) within the range, else -1.
std::vector<std::int32_t> regionOf(vtkDataArray* array, const std::array<double, 2>& range) {
  const std::vector<std::uint8_t> inside = within(array, range[0], range[1]);
  std::vector<std::int32_t> region(inside.size());
  std::transform(inside.begin(), inside.end(), region.begin(), [](std::uint8_t in) { return in ? 0 : -1; });
  return region;
}

} // namespace

ImageTravelTimeProblem makeProblem(vtkImageData* data, const ImageFrame& frame,
                                   const ImageTravelTimeSettings& settings, const Places& seeds) {
  auto medium = std::make_shared<Medium>();
  if (settings.speedArray.chosen()) medium->speed = toFloats(pointArray(data, settings.speedArray, "speed"));
  if (settings.barrierArray.chosen()) {
    vtkDataArray* array = pointArray(data, settings.barrierArray, "barrier");
    medium->barriers = settings.barriersWithinRange
                           ? within(array, settings.barrierRange[0], settings.barrierRange[1])
                           : nonzero(array);
  }
  addBlankedPoints(data, medium->barriers);
  if (settings.seedsFromRegion) {
    if (!settings.seedRegionArray.chosen())
      throw Error("the seed is a region, but no array says where: choose the Seed Region Array");
    medium->seedRegions =
        regionOf(pointArray(data, settings.seedRegionArray, "seed region"), settings.seedRegionRange);
  }

  ImageTravelTimeProblem out;
  out.problem.grid = {frame.size(0),    frame.size(1),    frame.size(2),
                      frame.spacing(0), frame.spacing(1), frame.spacing(2)};
  out.problem.pointName = [frame](std::int64_t i, std::int64_t j, std::int64_t k) {
    return frame.pointName(i, j, k);
  };
  out.problem.speedType = settings.speedType;
  out.problem.constantSpeed = settings.constantSpeed;
  out.problem.speed = medium->speed;
  out.problem.barriers = medium->barriers;
  out.problem.seeds = seedsAt(seeds);
  if (settings.seedsFromRegion) out.problem.seeds[0].isRegion = true;
  out.problem.seedRegions = medium->seedRegions;
  out.medium = std::move(medium);
  return out;
}

ImageTravelTimeProblem withSeeds(const ImageTravelTimeProblem& problem, const Places& seeds) {
  ImageTravelTimeProblem out = problem;
  out.problem.seeds = seedsAt(seeds);
  out.problem.seedRegions = {};
  return out;
}

void requireMemory(const image::Grid& grid, bool twoWay) {
  constexpr double solver = 18, output = 9; // bytes a point: work, times, seeds; TravelTime, SeedId, Reached
  constexpr double sum = 8, twoWayOutput = 12; // TimeFromTargets, TwoWayTime, Connectivity
  const double bytes = solver + output + (twoWay ? sum + twoWayOutput : 0);
  std::ostringstream what;
  what << "the travel times of " << grid.nx << " x " << grid.ny << " x " << grid.nz << " points";
  requireHostMemory(std::size_t(std::min(bytes * double(grid.nx) * double(grid.ny) * double(grid.nz), 9e18)),
                    what.str());
}

Places placeOfRegion() {
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  Places place;
  place.positions = {{nowhere, nowhere, nowhere}};
  place.startValues = {0};
  place.labels = {0};
  return place;
}

bool same(const image::Problem& a, const image::Problem& b) {
  const auto shape = [](const image::Grid& g) {
    return std::array<double, 6>{double(g.nx), double(g.ny), double(g.nz), g.hx, g.hy, g.hz};
  };
  const auto sameSeed = [](const image::Seed& s, const image::Seed& t) {
    return sameBytes<double>(s.at, t.at) && s.startValue == t.startValue;
  };
  return shape(a.grid) == shape(b.grid) && a.speedType == b.speedType && a.constantSpeed == b.constantSpeed &&
         sameBytes(a.speed, b.speed) && sameBytes(a.barriers, b.barriers) &&
         sameBytes(a.seedRegions, b.seedRegions) &&
         std::equal(a.seeds.begin(), a.seeds.end(), b.seeds.begin(), b.seeds.end(), sameSeed);
}

} // namespace isochrone::filters
