// UpstreamNeighbours.h - the neighbours from which the differences of the second order are taken.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Scheme/Limits.h"

#include <cmath>
#include <cstdint>

namespace isochrone::image {

/// The one or two other points in a difference along an axis.
struct UpstreamNeighbour {
  int sign = 0;           ///< +1: they lie on the lower side of the axis; 0: neither neighbour is earlier
  std::int64_t near = -1; ///< the earlier neighbour
  std::int64_t far = -1;  ///< the point behind it, if it is not later than the neighbour
};

class UpstreamNeighbours {
public:
  /// @param firstOrder  times: +infinity where unreached, -infinity where the value is given
  /// They are in the memory of a device if this is used there.
  UpstreamNeighbours(const Grid& grid, const float* firstOrder) : times(firstOrder) {
    for (int a = 0; a < 3; ++a) size[a] = grid.sizes()[a], stride[a] = grid.strides()[a];
  }

  /// Returns the upstream points of a point on an axis.
  /// @param at  index of the point on the axis
  TEAM_FN UpstreamNeighbour operator()(std::int64_t point, int axis, std::int64_t at) const;

private:
  const float* times;
  std::int64_t size[3], stride[3];
};

TEAM_FN UpstreamNeighbour UpstreamNeighbours::operator()(std::int64_t point, int axis,
                                                         std::int64_t at) const {
  // If both sides are equally early, up to the rounding of the times, takes the side whose farther point is
  // earlier or exists at all, not the side that is first in the array.
  constexpr float alike = 4e-7f;
  UpstreamNeighbour up;
  float earliest = times[point], earliestFar = infinite;
  for (int sign = 1; sign >= -1; sign -= 2) {
    const std::int64_t one = at - sign, two = at - 2 * sign;
    if (one < 0 || one >= size[axis]) continue;
    const std::int64_t near = point - sign * stride[axis], far = near - sign * stride[axis];
    if (!(times[near] < times[point] - alike * std::abs(times[point]))) continue;
    const bool second = two >= 0 && two < size[axis] && times[far] <= times[near];
    const float farTime = second ? times[far] : infinite;
    if (up.near >= 0) {
      const float apart = std::abs(times[near] - earliest);
      const float own = std::abs(times[near]), other = std::abs(earliest);
      const bool same = apart <= alike * (own < other ? other : own);
      if (same ? farTime >= earliestFar : times[near] >= earliest) continue;
    }
    earliest = times[near], earliestFar = farTime;
    up = {sign, near, second ? far : -1};
  }
  return up;
}

} // namespace isochrone::image
