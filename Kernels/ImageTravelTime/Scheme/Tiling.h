// Tiling.h - the tiles that cover an image.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <array>
#include <cstdint>
#include <span>

namespace isochrone::image {

/// Returns the number of tiles on each axis.
/// @param shape  number of points per tile on each axis
std::array<int, 3> tilesOf(const Grid& grid, const std::array<int, 3>& shape);

/// Fills result.updatesPerPoint, and result.updates if the options request it. All points of a tile have the
/// same number of updates.
/// @param perTile  number of sweeps or passes per tile, x fastest
/// @param shape    number of points per tile on each axis
void countUpdates(const Grid& grid, std::span<const std::int32_t> perTile, const std::array<int, 3>& shape,
                  const Options& options, Result& result);

} // namespace isochrone::image
