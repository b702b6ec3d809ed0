// OrientedCostReference.h - responses to tubes by summation over all surrounding points: simple, slow, and
// without code of the solver.
#pragma once

#include "OrientedCost/OrientedCost.h"

#include <cstdint>

namespace isochrone::reference {

/// Returns the maximum response over the widths at point (i, j) along heading k, at least 0, in the unit of
/// intensity: the formula of an anisotropic Gaussian's second derivative times the reflected image.
double tubeStrength(const oriented::Problem& problem, std::int64_t i, std::int64_t j, int k);

} // namespace isochrone::reference
