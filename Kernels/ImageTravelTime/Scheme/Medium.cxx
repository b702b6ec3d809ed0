#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

double slownessAt(const Problem& p, std::int64_t point) {
  const double v = p.speed.empty() ? p.constantSpeed : double(p.speed[point]);
  return p.speedType == SpeedType::Slowness ? v : 1 / v;
}

double timeAlong(const Problem& p, std::int64_t point, const Position& v) {
  if (hasTensors(p)) return std::sqrt(grid::square(metricAt(p, point), v));
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * slownessAt(p, point);
}

} // namespace isochrone::image
