// Sensitivity.h - derivatives of the travel times of tips, as arrays.
#pragma once

#include "CurvaturePaths/Problem.h"

class vtkImageData;

namespace isochrone::filters {

/// Adds the arrays, summed over headings, to `plane`, with Objective and StartValueSensitivity (per seed) in
/// its field data. Adds them per state to `stateSpace` unless it is empty.
/// @param origin  the travel times of the tips are relative to it
void attachSensitivities(const curvature::Sensitivities& sensitivities, const TimeOrigin& origin,
                         vtkImageData* plane, vtkImageData* stateSpace);

} // namespace isochrone::filters
