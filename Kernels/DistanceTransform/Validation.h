// Validation.h - what a distance transform asks of its input.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

#include <cstddef>
#include <string>

namespace isochrone::distance {

/// @throws Error (what, value, where, remedy)
void validate(const Problem& problem, const Options& options);

/// Bytes of the arrays of the result.
std::size_t resultBytes(const Problem& problem, const Options& options);

/// "the distances of 300 x 200 x 1 points", for messages.
std::string nameOf(const Problem& problem);

} // namespace isochrone::distance
