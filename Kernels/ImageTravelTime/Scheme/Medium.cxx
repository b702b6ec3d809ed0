#include "ImageTravelTime/Scheme/Medium.h"

#include "ImageTravelTime/Scheme/Limits.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

double slownessAt(const Problem& p, std::int64_t point) {
  const double v = p.speed.empty() ? p.constantSpeed : double(p.speed[point]);
  return slownessOf(v, p.speedType == SpeedType::Slowness);
}

Problem withoutZeroDrift(const Problem& problem) {
  Problem p = problem;
  if (std::ranges::all_of(p.drift, [](float v) { return v == 0; })) p.drift = {};
  return p;
}

bool isThomsenBarrier(const Problem& p, std::int64_t point) { return p.thomsen.isBarrier(p.grid, point); }

ThomsenMedium thomsenAt(const Problem& p, std::int64_t point) {
  return p.thomsen.at(p.grid, point, 1 / slownessAt(p, point));
}

bool sameMedium(const Problem& p, std::int64_t first, std::int64_t second) {
  const auto same = [&](std::span<const float> values, int components) {
    const float* const v = values.data();
    return values.empty() ||
           std::equal(v + first * components, v + (first + 1) * components, v + second * components);
  };
  return same(p.speed, componentsOf(p)) && same(p.drift, driftComponents(p)) &&
         p.thomsen.areSame(p.grid, first, second);
}

double timeAlong(const Problem& p, std::int64_t point, const Position& v) {
  if (isTilted(p)) return rayAlong(thomsenAt(p, point), v).time;
  if (hasTensors(p)) return randersAt(p, point).time(v);
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * slownessAt(p, point);
}

} // namespace isochrone::image
