// SurfaceReference.h - the distance to a surface, one piece after another.
#pragma once

#include "Surface/Surface.h"

namespace isochrone::reference {

/// Returns the distance from a position to a piece, by the corner, edge or face whose Voronoi region contains
/// the position (Ericson: Real-Time Collision Detection, 2005, 5.1.5), in long double.
double distanceTo(const surface::Piece& piece, const Position& position);

/// Returns the distance to the nearest piece; +infinity without pieces.
double distanceTo(std::span<const surface::Piece> pieces, const Position& position);

} // namespace isochrone::reference
