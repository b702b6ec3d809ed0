#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

namespace {

/// Returns whether the tensor at a point is a barrier: it contains a NaN, or zeros only.
bool isTensorBarrier(const Problem& p, std::int64_t point) {
  const int components = componentsOf(p);
  bool zero = true, number = true;
  for (int c = 0; c < components; ++c) {
    const float v = p.speed[point * components + c];
    zero &= v == 0;
    number &= !std::isnan(v);
  }
  return zero || !number;
}

} // namespace

bool isBarrier(const Problem& p, std::int64_t point) {
  if (!p.barriers.empty() && p.barriers[point]) return true;
  if (p.speed.empty()) return false;
  if (hasTensors(p)) return isTensorBarrier(p, point);
  const float v = p.speed[point];
  return !(v > 0) || (p.speedType == SpeedType::Slowness && std::isinf(v));
}

double slownessAt(const Problem& p, std::int64_t point) {
  const double v = p.speed.empty() ? p.constantSpeed : double(p.speed[point]);
  return p.speedType == SpeedType::Slowness ? v : 1 / v;
}

grid::Symmetric3 tensorOf(std::span<const float> t) {
  if (t.size() == 6) return {t[0], t[1], t[2], t[3], t[4], t[5]};
  return {t[0], t[1], std::max(t[0], t[1]), t[2], 0, 0}; // paths stay in the plane
}

grid::Symmetric3 tensorAt(const Problem& p, std::int64_t point) {
  const std::size_t components = std::size_t(componentsOf(p));
  return tensorOf(p.speed.subspan(std::size_t(point) * components, components));
}

grid::Symmetric3 metricAt(const Problem& p, std::int64_t point) {
  grid::Symmetric3 metric = tensorAt(p, point);
  if (p.speedType == SpeedType::SquaredVelocityTensor) metric = grid::inverse(metric);
  if (p.grid.nx == 1) metric[3] = metric[5] = 0;
  if (p.grid.ny == 1) metric[3] = metric[4] = 0;
  return metric;
}

double timeAlong(const Problem& p, std::int64_t point, const Position& v) {
  if (hasTensors(p)) return std::sqrt(grid::square(metricAt(p, point), v));
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * slownessAt(p, point);
}

} // namespace isochrone::image
