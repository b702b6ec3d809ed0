// Validation.h - rejects bad problems with messages that a user can act on.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

#include <cstddef>
#include <string>

namespace isochrone::distance {

/// Checks a problem.
/// @throws Error on the first fault (what, value, where, remedy)
void validate(const Problem& problem, const Options& options);

/// Returns the number of bytes of the result arrays.
std::size_t resultBytes(const Problem& problem, const Options& options);

/// Returns "the distances of 300 x 200 x 1 points", for messages.
std::string nameOf(const Problem& problem);

} // namespace isochrone::distance
