// RoundingRisk.h - whether times are so large that adding an edge may not change them.
#pragma once

#include "RayTracing/RayTracing.h"

#include <span>

namespace isochrone::rays {

/// Returns whether at most two binary digits of the shortest edge may remain when it is added to the latest
/// time.
bool hasRoundingRisk(const Problem& problem, const Options& options, int threads,
                     std::span<const Field> fields);

} // namespace isochrone::rays
