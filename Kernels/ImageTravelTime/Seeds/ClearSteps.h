// ClearSteps.h - steps from a point that touch no barrier.
#pragma once

#include "Execution/RoundPool.h"
#include "Grid/Selling.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <cstdint>
#include <vector>

namespace isochrone::image {

class ClearSteps {
public:
  /// Refers to the problem.
  ClearSteps(const Problem& problem, execution::RoundPool& pool);

  /// Returns the point a number of offsets away; -1 outside the image and where a barrier lies between.
  std::int64_t seen(std::int64_t point, const GridIndex& at, const grid::Offset& offset, int steps) const;

private:
  const Problem& problem;
  std::vector<std::int32_t> distances; ///< Manhattan distance to the nearest barrier; empty: none
};

} // namespace isochrone::image
