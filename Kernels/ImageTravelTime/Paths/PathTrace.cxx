#include "ImageTravelTime/Paths/PathTrace.h"

#include "ImageTravelTime/Paths/LocalMinima.h"
#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isochrone::image {

namespace {

/// Maximum number of steps of a straight end at the seed.
constexpr double straightReach = 16, straightReachWithTensors = 64;

/// Returns the earliest corner, the nearest one if several are: a seed region has one value.
const Corner& earliest(const Corners& corners) {
  return *std::ranges::min_element(corners, {}, [](const Corner& c) { return std::pair(c.value, -c.share); });
}

/// Returns the seed whose front starts at the earliest corner, if it is in sight of q and the travel time
/// falls enough along the straight line. Within one cell nothing blocks the line.
std::optional<PathSeeds::Seed> seedInSight(const PathField& field, const PathSeeds& seeds,
                                           const GridCoordinates& q, const Corners& corners) {
  const Corner& corner = earliest(corners);
  auto seed = seeds.heldBy(corner.point);
  if (!seed) return {};
  const GridCoordinates end = field.coordinates(field.inImage(seed->at));
  if (!inCellOf(gridCoordinates(field.input().grid.indices(seed->cell)), q) &&
      !isClear(field.input(), q, end))
    return {};
  const bool onPoint = q == gridCoordinates(corner.at);
  if (!onPoint && !field.falls(PathField::value(corners) - seed->startValue, q, end)) return {};
  return seed;
}

/// Returns grid points from q to a lower point, or to one with the seed in sight.
std::vector<Corner> alongPoints(const PathField& field, const PathSeeds& seeds, const GridCoordinates& q,
                                const Corners& corners) {
  const Corner& here = earliest(corners);
  if (q != gridCoordinates(here.at)) return {here};
  if (const auto next = field.steepest(here)) return {*next};
  return leaveMinimum(field, here, [&](const Corner& c) {
    const GridCoordinates at = gridCoordinates(c.at);
    return seedInSight(field, seeds, at, field.around(at)).has_value();
  });
}

/// Replaces the end of the path by a straight line where that is faster. Near a seed, where the front is
/// strongly curved, the differences give inaccurate directions.
void straightenEnd(const PathField& field, std::vector<PathSample>& samples) {
  const GridCoordinates end = samples.back().at;
  std::size_t straight = samples.size() - 2;
  double time = 0; // from sample n to the end
  for (std::size_t n = samples.size() - 1; n-- > 0;) {
    if (field.stepsBetween(samples[n].at, end) >
        (hasTensors(field.input()) ? straightReachWithTensors : straightReach))
      break;
    // In a periodic image the path may come from beyond the margin.
    if (field.input().part.periodic && field.clamped(samples[n].at) != samples[n].at) break;
    time += samples[n + 1].time;
    if (!isClear(field.input(), samples[n].at, end)) continue;
    if (const double direct = field.timeBetween(samples[n].at, end); direct < time)
      time = samples.back().time = direct, straight = n;
  }
  samples.erase(samples.begin() + std::ptrdiff_t(straight) + 1, samples.end() - 1);
}

} // namespace

GridIndex nearestTo(const GridCoordinates& q) {
  return {std::llround(q[0]), std::llround(q[1]), std::llround(q[2])};
}

PathTrace startAt(const PathField& field, const GridCoordinates& tip) {
  PathTrace trace;
  const GridCoordinates q = field.clamped(tip);
  const double value = PathField::value(field.around(q)), outside = tip != q ? field.timeBetween(tip, q) : 0;
  if (tip != q) trace.samples.push_back({tip, value + outside, 0});
  trace.samples.push_back({q, value, outside});
  return trace;
}

void traceDown(const PathField& field, const PathSeeds& seeds, PathTrace& trace) {
  const auto add = [&](const GridCoordinates& q, double value) {
    trace.samples.push_back({q, value, field.timeBetween(trace.samples.back().at, q)});
  };
  GridCoordinates q = trace.samples.back().at;
  do {
    const Corners corners = field.around(q);
    trace.seed = seedInSight(field, seeds, q, corners);
    if (trace.seed) {
      add(field.coordinates(field.inImage(trace.seed->at)), trace.seed->startValue);
      straightenEnd(field, trace.samples);
      return;
    }
    if (const auto next = field.descend(q, corners)) {
      add(*next, PathField::value(field.around(*next)));
    } else {
      const std::vector<Corner> route = alongPoints(field, seeds, q, corners);
      if (route.empty()) {
        trace.samples.clear();
        return;
      }
      for (const Corner& c : route) add(gridCoordinates(c.at), c.value);
    }
    q = trace.samples.back().at;
  } while (field.input().part.owns(nearestTo(q)));
}

} // namespace isochrone::image
