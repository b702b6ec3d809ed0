// RoundingRisk.h - whether times are so long that adding an edge may change nothing.
#pragma once

#include "RayTracing/RayTracing.h"

#include <span>

namespace isochrone::rays {

/// Could the shortest edge be lost, all but its first two binary digits, when added to the latest time?
bool hasRoundingRisk(const Problem& problem, const Options& options, int threads,
                     std::span<const Field> fields);

} // namespace isochrone::rays
