// LocalMinima.h - out of points that have no lower neighbour.
//
// Where it is fast the travel time may rise by less than float can tell from the time before: then whole
// regions have one value. And on rough speeds factored and second order times are not quite monotone: a point
// may come to lie below the ones that its time came from.
#pragma once

#include "ImageTravelTime/Paths/PathField.h"

#include <functional>
#include <vector>

namespace isochrone::image {

/// The way from neighbour to neighbour, over the lowest rim and then by the fewest steps, from a point to one
/// that is lower or where a path may end; nothing where there is none.
std::vector<Corner> leaveHollow(const PathField& field, const Corner& from,
                                const std::function<bool(const Corner&)>& mayEnd);

} // namespace isochrone::image
