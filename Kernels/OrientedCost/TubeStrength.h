// TubeStrength.h - the strength of a tube per point and heading.
#pragma once

#include "OrientedCost/OrientedCost.h"
#include "OrientedCost/Work.h"

namespace isochrone::oriented {

/// Returns the number of responses per point. Opposite headings share a response if the number of headings is
/// even, since a tube looks the same in both directions.
int responses(const Problem& problem);

/// Returns the number of points beside the own ones that tubeStrength may read.
Margin marginOfFilters(const Problem& problem);

/// Returns the work memory of tubeStrength, bytes, without the strengths.
double strengthBytes(const Problem& problem);

/// Computes the strongest response over the widths: at least 0, and 0 outside.
/// @param intensity  of the given points, from -1 to 1 inside
/// @param outside    of the given points; nonzero: outside; empty: all are inside
/// @param strength   of the own points and responses, x fastest, then y, then heading
void tubeStrength(const Problem& problem, std::span<const float> intensity,
                  std::span<const std::uint8_t> outside, float* strength, Work& work, double share);

} // namespace isochrone::oriented
