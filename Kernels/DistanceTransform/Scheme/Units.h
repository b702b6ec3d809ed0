// Units.h - the units and number types in which a problem is solved.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

#include <cstdint>
#include <vector>

namespace isochrone::distance {

struct MeasuredAxis {
  std::int64_t points = 1;
  bool periodic = false;
  double weight = 1;               ///< squared length of a step; 1 where steps differ
  int reach = 0;                   ///< more steps than this exceed the maximum distance
  std::vector<double> coordinates; ///< of the points, from the first one, where steps differ; else empty
};

/// Squared distances are computed in units of unit^2. If all axes have the same spacing, this is the unit,
/// and they are integers: of 32 bits if the largest possible one fits, else stored in double, which holds
/// them exactly.
struct Measure {
  MeasuredAxis axes[3]; ///< the axes with more than one point, in the order of the grid, then the others
  int dimensions = 1;   ///< number of axes with more than one point; 1 for a single point
  bool integers = true, integers32 = false;
  double unit = 1;  ///< world length of a distance of 1
  double limit = 0; ///< squared distances above it exceed the maximum distance; +infinity: no limit
};

Measure measure(const Problem& problem, double maximumDistance);

} // namespace isochrone::distance
