// CellContour.h - the pieces of the surface in one cell.
#pragma once

#include "Surface/Surface.h"

#include <vector>

namespace isochrone::surface {

/// A box of the axes along which the image has more than one point. Corner c lies at the upper end of active
/// axis a if bit a of c is set.
struct ContourCell {
  std::array<int, 3> axes{}; ///< the active axes
  int dimensions = 0;        ///< number of active axes
  Position low{}, high{};
  std::array<double, 8> value{}; ///< at the corners; the surface is where it changes sign; 0 counts as
                                 ///< positive
};

/// Appends the pieces of a cell: a point between the ends of each edge whose values differ in sign, by linear
/// interpolation; on each face segments between these points, which separate the corners as the bilinear
/// interpolation of the face does (asymptotic decider, Nielson and Hamann 1991); in a cube the polygons that
/// the segments form, divided into triangles by their shortest diagonals.
void appendPieces(const ContourCell& cell, std::vector<Piece>& pieces);

} // namespace isochrone::surface
