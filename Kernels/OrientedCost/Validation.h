// Validation.h - requirements on a problem.
#pragma once

#include "OrientedCost/OrientedCost.h"

namespace isochrone::oriented {

/// Checks all of a problem but its arrays and its part.
/// @throws Error that names the value and the remedy
void validateSettings(const Problem& problem);

/// Checks a problem and the memory that it needs.
/// @throws Error that names the value, the place and the remedy
void validate(const Problem& problem);

} // namespace isochrone::oriented
