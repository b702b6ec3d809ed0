// ClosedProblem.h - the problem of a spherical grid that goes around, with a copy of its first meridian at
// the end. Points that are one place are kept equal (Host/OrthogonalTiles.h), so the front crosses the
// meridian.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

/// Returns whether a problem needs a copy of its first meridian, or its seeds lie in other turns.
inline bool isOpenCircle(const Problem& p) {
  if (!p.orthogonal || !p.orthogonal->goesAround()) return false;
  const auto isElsewhere = [&](const Seed& seed) {
    const auto axis = std::size_t(p.orthogonal->axisOf(grid::AxisRole::Longitude));
    const double in = p.orthogonal->inFirstTurn(seed.at)[axis], at = seed.at[axis];
    return !seed.isRegion && in != at && !(std::isnan(in) && std::isnan(at));
  };
  return !p.orthogonal->hasCopy() || std::ranges::any_of(p.seeds, isElsewhere);
}

class ClosedProblem {
public:
  /// @throws Error if an array has not the length of the grid, and on insufficient memory
  explicit ClosedProblem(const Problem& problem);
  ClosedProblem(const ClosedProblem&) = delete;

  const Problem& problem() const { return inner; }
  /// Returns the values of the points with the copies, from those of the grid.
  template <class T>
  std::vector<T> extend(std::span<const T> values) const {
    std::vector<T> all;
    if (values.empty()) return all;
    all.reserve(std::size_t(inner.grid.points()));
    for (std::int64_t n = 0; n < inner.grid.points(); ++n) all.push_back(values[std::size_t(inGrid(n))]);
    return all;
  }
  /// Removes the copies.
  template <class Vector>
  void crop(Vector& values, int components = 1) const {
    if (values.empty()) return;
    auto to = values.begin();
    for (std::int64_t n = 0; n < inner.grid.points(); ++n)
      if (inner.grid.indices(n)[std::size_t(axis)] < given[std::size_t(axis)])
        to = std::copy_n(values.begin() + n * components, components, to);
    values.resize(std::size_t(given[0] * given[1] * given[2] * components));
  }
  /// Returns the point of the grid of a point or copy.
  std::int64_t inGrid(std::int64_t point) const;

private:
  GridIndex given; ///< sizes
  int axis;        ///< of longitudes
  grid::OrthogonalGrid closed;
  std::vector<float> speed;
  std::vector<std::uint8_t> barriers;
  std::vector<std::int32_t> regions;
  Problem inner;
};

} // namespace isochrone::image
