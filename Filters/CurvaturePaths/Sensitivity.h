// Sensitivity.h - derivatives of the travel times of tips, as arrays.
#pragma once

#include "CurvaturePaths/Problem.h"

#include <string>
#include <vector>

class vtkImageData;

namespace isochrone::filters {

/// Returns the weights of the tips; the default is 1.
/// @throws Error if a weight is not finite
std::vector<double> weightsOf(const States& tips);

/// Returns a warning about Sensitivities::lostWeight; empty if it is 0.
std::string lostWeight(const curvature::Sensitivities& sensitivities);

/// Adds the arrays, summed over headings, to `plane`, with Objective and StartValueSensitivity (per seed) in
/// its field data. Adds them per state to `stateSpace` unless it is empty.
/// @param origin  the travel times of the tips are relative to it
void attachSensitivities(const curvature::Sensitivities& sensitivities, const TimeOrigin& origin,
                         vtkImageData* plane, vtkImageData* stateSpace);

} // namespace isochrone::filters
