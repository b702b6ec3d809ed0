// Tiling.h - an image with periodic axes as the middle one of three copies along each of them. No point is
// farther from its nearest site than half a period, so the copies beyond these do not matter.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

#include <cstdint>

namespace isochrone::distance {

/// Number of copies along a periodic axis.
inline constexpr std::int64_t copiesAlong = 3;

/// Axes of one point are not periodic, since nothing moves along them.
inline bool isPeriodic(const Problem& p, int axis) { return p.periodic[axis] && p.grid.sizes()[axis] > 1; }
inline bool isPeriodic(const Problem& p) { return isPeriodic(p, 0) || isPeriodic(p, 1) || isPeriodic(p, 2); }

class Tiling {
public:
  explicit Tiling(const Problem& p) : size(p.grid.sizes()) {
    GridIndex all = size;
    for (int a = 0; a < 3; ++a)
      if (isPeriodic(p, a)) first[a] = -1, last[a] = 1, all[a] *= copiesAlong;
    tiles = {all[0], all[1], all[2]};
  }

  /// Returns the number of a point of a copy among the points of all copies.
  std::int64_t number(GridIndex point, const GridIndex& copy) const {
    for (int a = 0; a < 3; ++a) point[a] += (copy[a] - first[a]) * size[a];
    return tiles.index(point);
  }
  /// Returns the point with a number, relative to point (0, 0, 0) of the image itself.
  GridIndex point(std::int64_t number) const {
    GridIndex at = tiles.indices(number);
    for (int a = 0; a < 3; ++a) at[a] += first[a] * size[a];
    return at;
  }
  /// Returns the point of the image that a point of a copy repeats.
  GridIndex inImage(GridIndex at) const {
    for (int a = 0; a < 3; ++a) at[a] = (at[a] % size[a] + size[a]) % size[a];
    return at;
  }
  /// Calls f(copy), with -1, 0 or 1 on each periodic axis, in the order of the numbers of their points.
  template <class F>
  void forEachCopy(F&& f) const {
    GridIndex copy;
    for (copy[2] = first[2]; copy[2] <= last[2]; ++copy[2])
      for (copy[1] = first[1]; copy[1] <= last[1]; ++copy[1])
        for (copy[0] = first[0]; copy[0] <= last[0]; ++copy[0]) f(copy);
  }

private:
  const GridIndex size;
  GridIndex first{}, last{}; ///< copies
  Grid tiles;
};

} // namespace isochrone::distance
