// Sensitivity.h - derivatives of the travel times of tips, with respect to what the user set.
#pragma once

#include "CurvaturePaths/Problem.h"

#include <string>
#include <vector>

class vtkImageData;

namespace isochrone::filters {

/// Derivatives of the sum of weight * travel time of the tips.
struct CurvatureSensitivities : curvature::Sensitivities {
  Values<double> rightTurningRadius; ///< if radii were asked for and there is one for turns to the right
};

/// The weights of the tips, 1 for those without.
/// @throws Error if one is not finite
std::vector<double> weightsOf(const States& tips);

/// From derivatives with respect to the fields of the problem that was solved to those of the problem asked
/// for: the cost per time and the radii of a vehicle, and the radii of turns to either side.
CurvatureSensitivities asAsked(curvature::Sensitivities&& ofSolved, const CurvatureProblem& asked,
                               const curvature::Problem& solved);

/// What to say about Sensitivities::lostWeight; empty if there is none.
std::string lostWeight(const CurvatureSensitivities& sensitivities);

/// Adds the arrays to `plane`, summed over headings, with Objective and, per seed, StartValueSensitivity in
/// its field data, and, if there are any there, to the points of `stateSpace`.
/// @param origin  that the times of the tips count from
void attachSensitivities(const CurvatureSensitivities& sensitivities, const TimeOrigin& origin,
                         vtkImageData* plane, vtkImageData* stateSpace);

} // namespace isochrone::filters
