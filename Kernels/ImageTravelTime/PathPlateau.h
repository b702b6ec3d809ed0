// PathPlateau.h - across points of equal travel time.
//
// Where it is fast the travel time may rise by less than float can tell from the time before: then whole
// regions have one value, and no neighbour is lower.
#pragma once

#include "ImageTravelTime/PathField.h"

#include <functional>
#include <vector>

namespace isochrone::image {

/// The fewest steps from neighbour to neighbour, none of them up, from a point to one that is lower or where
/// a path may end; nothing where there are none.
std::vector<Corner> crossPlateau(const PathField& field, const Corner& from,
                                 const std::function<bool(const Corner&)>& mayEnd);

} // namespace isochrone::image
