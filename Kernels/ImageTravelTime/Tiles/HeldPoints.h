// HeldPoints.h - the points that a device holds: those of an image, or of an image with periodic axes its own
// points and those of the margin in their tiles, whose values no tile lowers.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Scheme/Limits.h"
#include "ImageTravelTime/Scheme/Tiling.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

class HeldPoints {
public:
  HeldPoints(const Problem& problem, const Tiling& tiling)
      : grid(problem.grid), part(problem.part), box(tiling.covered) {}

  bool areAll() const { return !part.isDivided(); }
  GridIndex sizes() const { return {box.size(0), box.size(1), box.size(2)}; }
  std::int64_t count() const { return box.points(); }
  bool contain(const GridIndex& point) const { return box.contains(point); }
  /// Returns the number on the device of a point of the grid.
  std::int64_t node(const GridIndex& p) const {
    return p[0] - box.low[0] + box.size(0) * (p[1] - box.low[1] + box.size(1) * (p[2] - box.low[2]));
  }
  std::int64_t node(std::int64_t point) const { return areAll() ? point : node(grid.indices(point)); }

  /// Returns the values of the held points from those of the grid; 0 beside the grid.
  std::vector<float> of(std::span<const float> values) const {
    std::vector<float> held(std::size_t(count()), 0.f);
    forEachRow({{0, 0, 0}, grid.sizes()}, [&](std::int64_t first, std::int64_t node, std::int64_t n) {
      std::copy_n(values.begin() + first, n, held.begin() + node);
    });
    return held;
  }
  /// Returns, per held point, whether no tile lowers its value: barriers and points of the margin.
  std::vector<std::uint8_t> fixed(const Problem& problem) const {
    std::vector<std::uint8_t> fixed(std::size_t(count()), 1);
    forEachRow(part.own, [&](std::int64_t first, std::int64_t node, std::int64_t n) {
      if (problem.barriers.empty())
        std::fill_n(fixed.begin() + node, n, std::uint8_t(0));
      else
        std::copy_n(problem.barriers.begin() + first, n, fixed.begin() + node);
    });
    return fixed;
  }
  /// Returns the times of the grid from those of the held points.
  Values<float> extended(Values<float> held) const {
    if (areAll()) return held;
    Values<float> times(std::size_t(grid.points()), infinite);
    forEachRow(part.own, [&](std::int64_t first, std::int64_t node, std::int64_t n) {
      std::copy_n(held.begin() + node, n, times.begin() + first);
    });
    grid::fillMargin<float>(grid, part, times);
    return times;
  }

private:
  /// Calls row(first point of the grid, its node, number of points) for the rows of the held points in a box.
  template <class Row>
  void forEachRow(const grid::Box& in, Row&& row) const {
    const grid::Box held = grid::common(box, in);
    grid::Box starts = held;
    starts.high[0] = starts.low[0] + 1;
    grid::forEachPoint(starts, [&](const GridIndex& p) { row(grid.index(p), node(p), held.size(0)); });
  }

  const Grid& grid;
  const grid::GridPart& part;
  grid::Box box;
};

} // namespace isochrone::image
