// Medium.h - the medium of a problem at a point: barrier, slowness or tensor.
#pragma once

#include "Grid/Symmetric3.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

/// Extremes of the speed over the points that are not barriers: world lengths per time; with tensors grid
/// steps per time, up to a factor of two.
struct SpeedRange {
  double slowest = 1, fastest = 1;
};

inline bool hasTensors(const Problem& p) {
  return p.speedType == SpeedType::MetricTensor || p.speedType == SpeedType::SquaredVelocityTensor;
}

/// Returns the number of values per point in `Problem::speed`.
inline int componentsOf(const Problem& p) { return !hasTensors(p) ? 1 : p.grid.nz == 1 ? 3 : 6; }

/// Returns whether the tensor at a point is a barrier: it contains a NaN, or zeros only.
inline bool isTensorBarrier(const Problem& p, std::int64_t point) {
  const int components = componentsOf(p);
  bool zero = true, number = true;
  for (int c = 0; c < components; ++c) {
    const float v = p.speed[point * components + c];
    zero &= v == 0;
    number &= !std::isnan(v);
  }
  return zero || !number;
}

/// Returns whether a point is impassable.
inline bool isBarrier(const Problem& p, std::int64_t point) {
  if (!p.barriers.empty() && p.barriers[point]) return true;
  if (p.speed.empty()) return false;
  if (hasTensors(p)) return isTensorBarrier(p, point);
  const float v = p.speed[point];
  return !(v > 0) || (p.speedType == SpeedType::Slowness && std::isinf(v));
}

/// Returns the time per world length at a point that is not a barrier; for problems without tensors.
double slownessAt(const Problem& problem, std::int64_t point);

/// Returns a tensor from its three or six components, as in Problem::speed; in the plane extended to 3x3.
inline grid::Symmetric3 tensorOf(std::span<const float> t) {
  if (t.size() == 6) return {t[0], t[1], t[2], t[3], t[4], t[5]};
  return {t[0], t[1], std::max(t[0], t[1]), t[2], 0, 0}; // paths stay in the plane
}
inline grid::Symmetric3 tensorAt(const Problem& p, std::int64_t point) {
  const auto components = std::size_t(componentsOf(p));
  return tensorOf(p.speed.subspan(std::size_t(point) * components, components));
}

/// Returns the metric in world units. An axis with one point is not coupled to the others, since paths do not
/// run along it.
inline grid::Symmetric3 metricAt(const Problem& p, std::int64_t point) {
  grid::Symmetric3 metric = tensorAt(p, point);
  if (p.speedType == SpeedType::SquaredVelocityTensor) metric = grid::inverse(metric);
  if (p.grid.nx == 1) metric[3] = metric[5] = 0;
  if (p.grid.ny == 1) metric[3] = metric[4] = 0;
  return metric;
}

/// Returns the time along a vector in world units, with the speed or tensor of a point that is not a barrier.
double timeAlong(const Problem& problem, std::int64_t point, const Position& vector);

} // namespace isochrone::image
