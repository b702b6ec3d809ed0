// TiltedValidation.h - requirements on a tilted transversely isotropic medium.
#pragma once

#include "ImageTravelTime/Scheme/Medium.h"

namespace isochrone::image {

/// @throws Error on arrays of other lengths, and on options that are not possible in a tilted medium
void requireThomsenOptions(const Problem& problem, const Options& options);

/// Returns by how much more anisotropic the tangents of a tilted medium are than its elliptic metric, as the
/// ratio of the largest to the smallest b / a; 1 in other media.
double tangentRatio(const Problem& problem, std::int64_t point);

} // namespace isochrone::image
