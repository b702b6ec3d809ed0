// OrientedCostReference.h - responses to tubes by summing over all points around: slow, plain, and without a
// line of the solver's.
#pragma once

#include "OrientedCost/OrientedCost.h"

#include <cstdint>

namespace isochrone::reference {

/// Strongest response over the widths at point (i, j) along heading k, at least 0, in the unit of intensity:
/// an anisotropic Gaussian's second derivative, as a formula, times the mirrored image.
double tubeStrength(const oriented::Problem& problem, std::int64_t i, std::int64_t j, int k);

} // namespace isochrone::reference
