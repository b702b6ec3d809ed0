// Validation.h - what a distance transform asks of its input.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

namespace isochrone::distance {

/// @throws Error (what, value, where, remedy)
void validate(const Problem& problem, const Options& options);

} // namespace isochrone::distance
