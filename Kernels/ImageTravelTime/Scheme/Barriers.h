// Barriers.h - the points of an image that no front passes.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

namespace isochrone::image {

/// Whether nothing passes through a point.
bool isBarrier(const Problem& problem, std::int64_t point);

} // namespace isochrone::image
