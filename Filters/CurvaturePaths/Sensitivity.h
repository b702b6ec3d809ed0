// Sensitivity.h - derivatives of the travel times of tips, as arrays.
#pragma once

#include "CurvaturePaths/Problem.h"

#include <string>
#include <vector>

class vtkImageData;

namespace isochrone::filters {

/// The weights of the tips, 1 for those without.
/// @throws Error if one is not finite
std::vector<double> weightsOf(const States& tips);

/// What to say about Sensitivities::lostWeight; empty if there is none.
std::string lostWeight(const curvature::Sensitivities& sensitivities);

/// Adds the arrays to `plane`, summed over headings, with Objective and, per seed, StartValueSensitivity in
/// its field data, and, if there are any there, to the points of `stateSpace`.
/// @param origin  that the times of the tips count from
void attachSensitivities(const curvature::Sensitivities& sensitivities, const TimeOrigin& origin,
                         vtkImageData* plane, vtkImageData* stateSpace);

} // namespace isochrone::filters
