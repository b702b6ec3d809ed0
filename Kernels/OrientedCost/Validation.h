// Validation.h - what is asked of a problem.
#pragma once

#include "OrientedCost/OrientedCost.h"

namespace isochrone::oriented {

/// @throws Error that names the value, the place and the remedy
void validate(const Problem& problem);

} // namespace isochrone::oriented
