// Turning.h - different turning radii to the left and to the right.
#pragma once

namespace isochrone::filters {

struct CurvatureProblem;

/// Sets the turning radius of right turns to `right`; the turning radius of the problem then applies to left
/// turns. The resulting curvature shift is added to the existing one. With `right` 0 both radii are equal. A
/// vehicle in a drift gets its radii here.
/// @throws Error if `right` is negative or not finite
void steer(CurvatureProblem& problem, double right);

} // namespace isochrone::filters
