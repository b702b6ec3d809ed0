// PeriodicPaths.h - paths that leave an image with periodic axes, cut at its borders.
#pragma once

#include <array>

class vtkPolyData;

namespace isochrone::filters {

class ImageFrame;

/// Divides the polylines where they cross a border of the image, half a step beyond its outer points, and
/// moves each piece into the image. Each piece has the cell data of its line; values at the border are
/// interpolated.
/// @param periodic  along the axes of the frame
/// @param cells     the cells repeat instead of the points: the borders are at the outer points
void cutAtBorders(vtkPolyData* lines, const ImageFrame& frame, const std::array<bool, 3>& periodic,
                  bool cells = false);

} // namespace isochrone::filters
