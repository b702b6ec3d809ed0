// Axes.h - the axes of an image by index, and its points and slowness values along them.
#pragma once

#include "RayTracing/RayTracing.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace isochrone::rays {

/// Returns the number of axes with more than one point.
inline int dimensionsOf(const Grid& g) { return (g.nx > 1) + (g.ny > 1) + (g.nz > 1); }

/// Returns the axes with more than one point, then the others.
inline std::array<int, 3> axisOrder(const Grid& g) {
  std::array<int, 3> order{0, 1, 2};
  std::stable_partition(order.begin(), order.end(), [&](int axis) { return g.sizes()[axis] > 1; });
  return order;
}
template <class T>
std::array<T, 3> inOrder(const std::array<T, 3>& v, const std::array<int, 3>& order) {
  return {v[order[0]], v[order[1]], v[order[2]]};
}
inline Grid inOrder(const Grid& g, const std::array<int, 3>& order) {
  const GridIndex n = inOrder(g.sizes(), order);
  const Position h = inOrder(g.spacing(), order);
  return {n[0], n[1], n[2], h[0], h[1], h[2]};
}
inline grid::Box inOrder(const grid::Box& box, const std::array<int, 3>& order) {
  return {inOrder(box.low, order), inOrder(box.high, order)};
}

/// Returns the grid of the slowness values: the points, or the cells. An axis with one point has one layer of
/// cells.
inline Grid elementsOf(const Grid& points, WeightRule rule) {
  if (rule != WeightRule::Cells) return points;
  const auto cells = [](std::int64_t n) { return n > 1 ? n - 1 : 1; };
  return {cells(points.nx), cells(points.ny), cells(points.nz)};
}

/// Returns the index of the place at an offset from another one, -1 outside the grid.
inline std::int64_t indexAt(const Grid& g, const GridIndex& from, const Offset& offset) {
  GridIndex at;
  for (int a = 0; a < 3; ++a) {
    at[a] = from[a] + offset[a];
    if (at[a] < 0 || at[a] >= g.sizes()[a]) return -1;
  }
  return g.index(at);
}

} // namespace isochrone::rays
