#include "ImageTravelTime/Seeds/LineOfSight.h"

#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

namespace {

/// Half a cell, widened by the rounding of positions.
constexpr double half = 0.5 + 1e-9;

/// Returns whether the segment touches the cell around a point: whether its parts between the two faces of
/// each axis have a common point.
bool touches(const GridCoordinates& a, const GridCoordinates& b, const GridIndex& cell) {
  double enter = 0, leave = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double from = a[axis] - double(cell[axis]), along = b[axis] - a[axis];
    if (along == 0) {
      if (std::abs(from) > half) return false;
      continue;
    }
    const double low = (-half - from) / along, high = (half - from) / along;
    enter = std::max(enter, std::min(low, high));
    leave = std::min(leave, std::max(low, high));
  }
  return enter <= leave;
}

} // namespace

bool isClear(const Problem& p, const GridCoordinates& a, const GridCoordinates& b) {
  if (p.speed.empty() && p.barriers.empty() && p.drift.empty() && !isTilted(p)) return true;
  const GridIndex sizes = p.grid.sizes();
  GridIndex first, last, cell;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = std::min(a[axis], b[axis]), high = std::max(a[axis], b[axis]);
    first[axis] = std::max<std::int64_t>(0, std::int64_t(std::ceil(low - half)));
    last[axis] = std::min<std::int64_t>(sizes[axis] - 1, std::int64_t(std::floor(high + half)));
  }
  for (cell[2] = first[2]; cell[2] <= last[2]; ++cell[2])
    for (cell[1] = first[1]; cell[1] <= last[1]; ++cell[1])
      for (cell[0] = first[0]; cell[0] <= last[0]; ++cell[0])
        if (isBarrier(p, p.grid.index(cell)) && touches(a, b, cell)) return false;
  return true;
}

} // namespace isochrone::image
