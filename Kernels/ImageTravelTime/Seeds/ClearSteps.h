// ClearSteps.h - steps from a point that touch no barrier.
#pragma once

#include "Execution/RoundPool.h"
#include "Execution/Team.h"
#include "Grid/Selling.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

/// What is known of the barriers, in the memory of a host or a device.
struct BarrierDistances {
  GridIndex sizes;
  const std::int32_t* distances; ///< per point, Manhattan distance to the nearest barrier; null: no barriers

  TEAM_FN bool isBarrier(std::int64_t point) const { return distances && distances[point] == 0; }
  TEAM_FN std::int64_t index(const GridIndex& at) const {
    return at[0] + sizes[0] * (at[1] + sizes[1] * at[2]);
  }

  /// Returns the point a number of offsets away; -1 outside the image and where a barrier lies between.
  /// @param point    no barrier
  /// @param isClear  isClear(from, to) is called if barriers near the line decide
  template <class IsClear>
  TEAM_FN std::int64_t seen(std::int64_t point, const GridIndex& at, const grid::Offset& offset, int steps,
                            const IsClear& isClear) const {
    GridIndex to{};
    std::int64_t length = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t step = steps * offset[a];
      to[a] = at[a] + step;
      if (to[a] < 0 || to[a] >= sizes[a]) return -1;
      length += step < 0 ? -step : step;
    }
    const std::int64_t there = index(to);
    if (!distances || distances[point] > length) return there;
    return isBarrier(there) || (length > 1 && !isClear(at, to)) ? -1 : there;
  }
};

class ClearSteps {
public:
  /// Refers to the problem.
  ClearSteps(const Problem& problem, execution::RoundPool& pool);

  /// Returns the point a number of offsets away; -1 outside the image and where a barrier lies between.
  std::int64_t seen(std::int64_t point, const GridIndex& at, const grid::Offset& offset, int steps) const {
    return barriers().seen(point, at, offset, steps,
                           [&](const GridIndex& from, const GridIndex& to) { return isClear(from, to); });
  }
  bool isClear(const GridIndex& from, const GridIndex& to) const;

  BarrierDistances barriers() const {
    return {problem.grid.sizes(), distances.empty() ? nullptr : distances.data()};
  }
  std::span<const std::int32_t> distancesToBarriers() const { return distances; }

private:
  const Problem& problem;
  std::vector<std::int32_t> distances; ///< as in BarrierDistances; empty: none
};

} // namespace isochrone::image
