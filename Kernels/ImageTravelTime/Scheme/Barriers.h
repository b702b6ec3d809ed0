// Barriers.h - the impassable points of an image.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

namespace isochrone::image {

/// Returns whether a point is impassable.
bool isBarrier(const Problem& problem, std::int64_t point);

} // namespace isochrone::image
