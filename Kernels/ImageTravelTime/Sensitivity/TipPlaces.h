// TipPlaces.h - the points whose times are those of tips.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <cmath>
#include <span>
#include <vector>

namespace isochrone::image {

/// The weight of a point in the objective.
struct PointMass {
  std::int64_t point;
  double mass;
};

/// Returns the placement of a tip, with point = -1 if it contributes nothing: outside the grid, in a barrier
/// or unreached.
inline Placement placeTip(const Problem& problem, std::span<const float> travelTime, const Position& tip) {
  Placement at = place(problem, tip);
  if (at.status != Placement::Status::Inside || !std::isfinite(travelTime[std::size_t(at.point)]))
    at.point = -1;
  return at;
}

} // namespace isochrone::image
