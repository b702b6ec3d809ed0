// LocalMinima.h - the escape from points without a lower neighbour.
//
// In fast regions the travel time may rise by less than float resolves, so that whole regions have one value.
// On rough speeds, factored and second order times are not quite monotone: a point may lie below the points
// that its time came from.
#pragma once

#include "ImageTravelTime/Paths/PathField.h"

#include <functional>
#include <vector>

namespace isochrone::image {

/// Returns the path from neighbour to neighbour, over the lowest rim and then by the fewest steps, from a
/// point to a lower point or to one where a path may end. Empty if none exists.
std::vector<Corner> leaveMinimum(const PathField& field, const Corner& from,
                                 const std::function<bool(const Corner&)>& mayEnd);

} // namespace isochrone::image
