// TubeStrength.h - how much each point looks like a tube along each heading.
#pragma once

#include "OrientedCost/OrientedCost.h"
#include "OrientedCost/Work.h"

namespace isochrone::oriented {

/// A tube has no front and back: opposite headings share a response, where the number of headings is even.
int responses(const Problem& problem);

/// Bytes of memory while it works, besides the strengths.
double strengthBytes(const Problem& problem);

/// The strongest response over the widths, at least 0, and 0 outside.
/// @param intensity  of the points inside, from -1 to 1
/// @param outside    nx*ny, nonzero: outside; empty: no point is
/// @param strength   nx*ny*responses, x fastest, then y, then heading
void tubeStrength(const Problem& problem, std::span<const float> intensity,
                  std::span<const std::uint8_t> outside, float* strength, Work& work, double share);

} // namespace isochrone::oriented
