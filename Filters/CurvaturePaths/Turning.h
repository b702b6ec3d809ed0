// Turning.h - a vehicle that turns more tightly to one side.
#pragma once

namespace isochrone::filters {

struct CurvatureProblem;

/// Takes the turning radius of the problem for turns to the left and `right` for those to the right; what
/// curvature shift there is, is added. `right` 0: both are the same. A vehicle in a drift gets its radii
/// here.
/// @throws Error if `right` is negative or not finite
void steer(CurvatureProblem& problem, double right);

} // namespace isochrone::filters
