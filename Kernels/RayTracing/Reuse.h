// Reuse.h - public interface: the check of what path probabilities, which need a finished solve, need
// besides.
#pragma once

#include "RayTracing/RayTracing.h"

#include <span>

namespace isochrone::rays {

/// Does nothing if pathProbability takes these receivers and this temperature.
/// @throws Error otherwise, as pathProbability does
void requireRandomPaths(std::span<const Position> receivers, double temperature);

} // namespace isochrone::rays
