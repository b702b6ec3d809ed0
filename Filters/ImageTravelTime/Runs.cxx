#include "ImageTravelTime/Runs.h"

#include "Common/ArrayBridge.h"

#include <vector>

namespace isochrone::filters {

std::optional<BothWays> meet(const ImageTravelTimeRun& fromSeeds, const ImageTravelTimeRun& fromTargets,
                             int threads, const Monitor& monitor) {
  const double origin = (fromSeeds.input.origin + fromTargets.input.origin).time();
  const image::Problem& problem = fromSeeds.input.problem;
  BothWays both{
      image::combine(problem, fromSeeds.result.travelTime, fromTargets.result.travelTime, threads, origin),
      {}};
  if (!both.twoWay.meeting) return both;
  const std::vector<image::Position> at{*both.twoWay.meeting};
  const auto follow = [&](const ImageTravelTimeRun& field) {
    return image::extractPaths(field.input.problem, field.result.travelTime, at, threads, monitor);
  };
  const std::vector<Path> fromSeed = follow(fromSeeds), fromTarget = follow(fromTargets);
  if (fromSeed.empty() || fromTarget.empty()) return {};
  both.path = image::join(fromSeed[0], fromTarget[0]);
  both.seed = fromSeed[0].seed;
  both.target = fromTarget[0].seed;
  return both;
}

bool answers(const image::Options& a, const image::Options& b) {
  return a.backend == b.backend && a.factoring == b.factoring && a.order == b.order &&
         a.stoppingTime == b.stoppingTime && a.seedIds == b.seedIds && (a.updateCounts || !b.updateCounts) &&
         sameBytes<image::Position>(a.stopAt, b.stopAt);
}

} // namespace isochrone::filters
