// Medium.h - the medium of a problem at a point: barrier, slowness or tensor.
#pragma once

#include "Grid/Symmetric3.h"
#include "ImageTravelTime/ImageTravelTime.h"

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

/// Returns whether a point is impassable.
bool isBarrier(const Problem& problem, std::int64_t point);

/// Returns the time per world length at a point that is not a barrier; for problems without tensors.
double slownessAt(const Problem& problem, std::int64_t point);

/// Returns the tensor as given, in the plane extended to 3x3.
/// Returns a tensor from its three or six components, as in Problem::speed.
grid::Symmetric3 tensorOf(std::span<const float> components);
grid::Symmetric3 tensorAt(const Problem& problem, std::int64_t point);

/// Returns the metric in world units. An axis with one point is not coupled to the others, since paths do not
/// run along it.
grid::Symmetric3 metricAt(const Problem& problem, std::int64_t point);

/// Returns the time along a vector in world units, with the speed or tensor of a point that is not a barrier.
double timeAlong(const Problem& problem, std::int64_t point, const Position& vector);

} // namespace isochrone::image
