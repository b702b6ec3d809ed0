// FineCell.h - a cell divided into halves, with cubic interpolation.
#pragma once

#include "Surface/CellContour.h"
#include "Surface/Surface.h"

namespace isochrone::surface {

/// Returns the value at a point less the iso value, or the opposite if the inside is below.
inline double valueAt(const LevelSet& s, std::int64_t point) {
  const double v = s.floats.empty() ? s.doubles[std::size_t(point)] : double(s.floats[std::size_t(point)]);
  const double d = s.insideBelow ? s.isoValue - v : v - s.isoValue;
  constexpr double largest = std::numeric_limits<double>::max();
  return d > largest ? largest : d < -largest ? -largest : d;
}

/// The values at the corners of a cell and halfway between them: Catmull-Rom splines along each axis in turn,
/// limited to the range of the corners of the edge, face or cell in which the point lies, so that edges whose
/// ends have the same sign are not crossed. Linear where one of the four values does not exist, and with
/// linear extrapolation by one point beyond the image.
class FineCell {
public:
  FineCell(const LevelSet& levelSet, const GridIndex& low);

  /// Returns one of the halves: the upper one on active axis a if bit a of `part` is set.
  ContourCell part(const ContourCell& cell, int part) const;

private:
  std::array<double, 27> value{}; ///< x fastest, three along each axis
};

} // namespace isochrone::surface
