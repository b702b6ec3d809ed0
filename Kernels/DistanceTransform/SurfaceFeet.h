// SurfaceFeet.h - the segments from tips to a surface.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

namespace isochrone::distance {

/// nearestSites of a problem with a surface.
std::vector<Segment> nearestFeet(const Problem& problem, const Options& options,
                                 std::span<const Position> tips);

} // namespace isochrone::distance
