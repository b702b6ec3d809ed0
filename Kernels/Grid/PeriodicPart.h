// PeriodicPart.h - an image with periodic axes as a part of an endless image, whose neighbours are copies of
// itself.
//
// A part receives from its neighbours what it sends to them. So everything that works on a divided image
// works on a periodic one. The period of an axis is its number of points times the spacing: behind the last
// point follows the first.
#pragma once

#include "Grid/GridPart.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace isochrone::grid {

/// Positions farther than this number of steps from the first point of a periodic image are nowhere: beyond,
/// rounding hides their place in the image.
inline constexpr double farthestSteps = 1 << 30;

class PeriodicPart {
public:
  /// Axes with one point are not periodic, since nothing moves along them.
  /// @param margin  number of points; an image with fewer ones is repeated until it has as many
  PeriodicPart(const ImageGrid& image, const std::array<bool, 3>& periodic, std::int64_t margin)
      : PeriodicPart(image, periodic, GridIndex{margin, margin, margin}) {}
  /// @param margin  on each axis
  PeriodicPart(const ImageGrid& image, const std::array<bool, 3>& periodic, const GridIndex& margin)
      : PeriodicPart(image, periodic, margin, margin) {}
  /// @param before  the margin before the first point, not less than that behind the last point
  PeriodicPart(const ImageGrid& image, const std::array<bool, 3>& periodic, const GridIndex& before,
               const GridIndex& behind);

  const ImageGrid& grid() const { return extended; } ///< own points and margin
  const GridPart& part() const { return gridPart; }
  /// Returns the index in the grid of the first point of the image.
  const GridIndex& first() const { return gridPart.own.low; }

  /// Returns the values of the points of the grid from those of the image.
  template <class T>
  std::vector<T> extend(std::span<const T> values, int components = 1) const {
    std::vector<T> all;
    if (values.empty()) return all;
    all.reserve(std::size_t(extended.points() * components));
    forEachPoint({{0, 0, 0}, {1, extended.ny, extended.nz}}, [&](const GridIndex& row) {
      GridIndex from = inImage(row);
      for (std::int64_t x = 0, count; x < extended.nx; x += count, from[0] = 0) {
        count = std::min(image.nx - from[0], extended.nx - x);
        const T* const begin = values.data() + image.index(from) * components;
        all.insert(all.end(), begin, begin + count * components);
      }
    });
    return all;
  }

  /// Replaces values of the grid by those of the image.
  template <class Vector>
  void crop(Vector& values, int components = 1) const {
    if (values.empty()) return;
    auto to = values.begin();
    Box box{first(), first()};
    for (int a = 0; a < 3; ++a) box.high[a] += image.sizes()[a];
    forEachPoint(box, [&](const GridIndex& p) {
      to = std::copy_n(values.begin() + extended.index(p) * components, components, to);
    });
    values.resize(std::size_t(image.points() * components));
    values.shrink_to_fit();
  }

  /// Returns the positions in the grid of a position in the image, the one among the first points of the
  /// image first. Positions are relative to the first point of the grid; not a number beyond farthestSteps.
  std::vector<Position> copies(const Position& at) const;
  /// Returns the point of the image that a point of the grid repeats.
  GridIndex inImage(const GridIndex& p) const;

private:
  ImageGrid image, extended;
  std::array<bool, 3> periodic;
  GridPart gridPart;
};

} // namespace isochrone::grid
