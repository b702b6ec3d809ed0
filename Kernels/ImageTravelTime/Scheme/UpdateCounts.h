// UpdateCounts.h - how often each point was computed.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <array>
#include <cstdint>
#include <span>

namespace isochrone::image {

/// Fills result.updatesPerPoint, and result.updates if the options ask for it: all points of a tile are
/// computed equally often.
/// @param perTile  x fastest
/// @param shape    points of a tile on each axis
void countUpdates(const Grid& grid, std::span<const std::int32_t> perTile, const std::array<int, 3>& shape,
                  const Options& options, Result& result);

} // namespace isochrone::image
