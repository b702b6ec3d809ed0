// CurvatureTurning.h - a vehicle that turns more tightly to one side, as a turning radius and a curvature
// shift.
#pragma once

namespace isochrone::filters {

struct CurvatureProblem;

/// Takes the turning radius of the problem for turns to the left and `right` for those to the right (spec,
/// section 12); what curvature shift there is, is added. `right` 0: both are the same.
/// @throws Error if `right` is negative or not finite
void steer(CurvatureProblem& problem, double right);

} // namespace isochrone::filters
