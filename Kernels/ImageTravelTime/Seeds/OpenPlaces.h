// OpenPlaces.h - the points of a spherical grid that are one place.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <vector>

namespace isochrone::image {

/// Returns grid::OrthogonalGrid::places without barriers, those with two points or more; none on an image.
std::vector<std::vector<GridIndex>> openPlaces(const Problem& problem);

} // namespace isochrone::image
