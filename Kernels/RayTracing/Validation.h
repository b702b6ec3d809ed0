// Validation.h - refuses bad problems with messages that a user can act on.
#pragma once

#include "RayTracing/RayTracing.h"

#include <cstddef>
#include <string>

namespace isochrone::rays {

/// @throws Error on bad grids, templates, sources and slowness
void validate(const Problem& problem, const Options& options);

/// What messages call the problem: "the travel times of 300 x 200 x 1 points from 3 sources".
std::string nameOf(const Problem& problem, const Options& options);

/// Memory of the fields.
std::size_t resultBytes(const Problem& problem, const Options& options);

} // namespace isochrone::rays
