// Medium.h - the medium of a problem at a point: barrier, slowness or tensor, and drift.
#pragma once

#include "Grid/Symmetric3.h"
#include "Grid/ThomsenMedium.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Scheme/RandersMetric.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

/// Extremes of the speed over the points that are not barriers: world lengths per time; with tensors grid
/// steps per time, up to a factor of two.
struct SpeedRange {
  double slowest = 1, fastest = 1;
  double drift = 0; ///< maximum drift, as a share of the speed in its direction

  /// Returns the unit of time of the solvers for tensors, a power of two.
  double timeUnit() const { return std::exp2(std::round(-std::log2(fastest))); }
};

/// Returns whether the values in `Problem::speed` are tensors.
inline bool hasTensorSpeeds(const Problem& p) {
  return p.speedType == SpeedType::MetricTensor || p.speedType == SpeedType::SquaredVelocityTensor;
}
inline bool hasDrift(const Problem& p) { return !p.drift.empty(); }
inline bool isTilted(const Problem& p) { return p.speedType == SpeedType::TiltedTransverse; }

/// Returns whether the solvers for tensors apply: with a drift also if the speed is isotropic.
inline bool hasTensors(const Problem& p) { return hasTensorSpeeds(p) || hasDrift(p) || isTilted(p); }

/// Returns whether a problem has tensors and options that take a refinement.
inline bool refinesTensors(const Problem& problem, const Options& options) {
  return hasTensors(problem) && (options.order == 2 || options.factoring == SourceFactoring::Multiplicative);
}

/// Returns the number of values per point in `Problem::speed`.
inline int componentsOf(const Problem& p) { return !hasTensorSpeeds(p) ? 1 : p.grid.nz == 1 ? 3 : 6; }

/// Returns the number of values per point in `Problem::drift`.
inline int driftComponents(const Problem& p) { return p.grid.nz == 1 ? 2 : 3; }

/// Returns the problem without a drift that is zero everywhere: isotropic speeds then need no tensors.
Problem withoutZeroDrift(const Problem& problem);

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

/// Returns whether the drift of a point is not a number.
inline bool isDriftBarrier(const Problem& p, std::int64_t point) {
  const int components = driftComponents(p);
  bool number = true;
  for (int c = 0; c < components; ++c) number &= !std::isnan(p.drift[point * components + c]);
  return !number;
}

/// Returns whether a parameter of a tilted medium is not a number at a point.
bool isThomsenBarrier(const Problem& problem, std::int64_t point);

/// Returns whether a point is impassable.
inline bool isBarrier(const Problem& p, std::int64_t point) {
  if (!p.barriers.empty() && p.barriers[point]) return true;
  if (hasDrift(p) && isDriftBarrier(p, point)) return true;
  if (isTilted(p) && isThomsenBarrier(p, point)) return true;
  if (p.speed.empty()) return false;
  if (hasTensorSpeeds(p)) return isTensorBarrier(p, point);
  const float v = p.speed[point];
  return !(v > 0) || (p.speedType == SpeedType::Slowness && std::isinf(v));
}

/// Returns the time per world length at a point that is not a barrier; for isotropic speeds.
double slownessAt(const Problem& problem, std::int64_t point);

/// Returns a tensor from its three or six components, as in Problem::speed; in the plane extended to 3x3.
TEAM_FN grid::Symmetric3 tensorOf(const float* t, int components) {
  if (components == 6) return {t[0], t[1], t[2], t[3], t[4], t[5]};
  return {t[0], t[1], std::max(t[0], t[1]), t[2], 0, 0}; // paths stay in the plane
}
inline grid::Symmetric3 tensorAt(const Problem& p, std::int64_t point) {
  const int components = componentsOf(p);
  return tensorOf(&p.speed[std::size_t(point * components)], components);
}

/// Returns the metric of a tensor, of which it may be the inverse. An axis with one point is not coupled to
/// the others, since paths do not run along it.
TEAM_FN grid::Symmetric3 metricOf(const grid::Symmetric3& tensor, bool isInverse, const GridIndex& sizes) {
  grid::Symmetric3 metric = isInverse ? grid::inverse(tensor) : tensor;
  if (sizes[0] == 1) metric[3] = metric[5] = 0;
  if (sizes[1] == 1) metric[3] = metric[4] = 0;
  return metric;
}

/// Returns the tilted medium of a point that is not a barrier; see Thomsen::at.
ThomsenMedium thomsenAt(const Problem& problem, std::int64_t point);

/// Returns the metric of the speed relative to the medium, in world units; of a tilted medium the elliptic
/// one.
inline grid::Symmetric3 speedMetricAt(const Problem& p, std::int64_t point) {
  if (isTilted(p)) return ellipticMetric(thomsenAt(p, point));
  if (!hasTensorSpeeds(p)) {
    const double slowness = slownessAt(p, point), square = slowness * slowness;
    return {square, square, square, 0, 0, 0};
  }
  return metricOf(tensorAt(p, point), p.speedType == SpeedType::SquaredVelocityTensor, p.grid.sizes());
}

/// Returns the drift of a point, reversed if the problem is. It is 0 along an axis with one point.
inline grid::Vector3 driftAt(const Problem& p, std::int64_t point) {
  const int components = driftComponents(p);
  const GridIndex sizes = p.grid.sizes();
  grid::Vector3 drift{};
  for (int c = 0; c < components; ++c)
    if (sizes[c] > 1) drift[c] = (p.towardsSeeds ? -1. : 1.) * p.drift[point * components + c];
  return drift;
}

/// Returns the metric and the one-form of a point, in world units; without a drift the one-form is 0.
inline RandersMetric randersAt(const Problem& p, std::int64_t point) {
  if (!hasDrift(p)) return {speedMetricAt(p, point), {}};
  return randersMetric(speedMetricAt(p, point), driftAt(p, point));
}
inline grid::Vector3 oneFormAt(const Problem& p, std::int64_t point) {
  return hasDrift(p) ? randersAt(p, point).oneForm : grid::Vector3{};
}
inline grid::Symmetric3 metricAt(const Problem& p, std::int64_t point) {
  return hasDrift(p) ? randersAt(p, point).metric : speedMetricAt(p, point);
}

/// Returns whether two points have the same values of speed, drift and tilted medium.
bool sameMedium(const Problem& problem, std::int64_t first, std::int64_t second);

/// Returns the time along a vector in world units, from its start to its end, with the medium of a point that
/// is not a barrier.
double timeAlong(const Problem& problem, std::int64_t point, const Position& vector);

/// Returns the time along the straight line from a position in grid steps to a point of an orthogonal grid.
inline double timeFrom(const Problem& p, const Position& steps, std::int64_t point) {
  const auto [i, j, k] = p.grid.indices(point);
  return p.orthogonal->distance(steps, {double(i), double(j), double(k)}) * slownessAt(p, point);
}

} // namespace isochrone::image
