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

/// Returns whether a segment that is straight in grid steps is clear.
bool isClearInSteps(const Problem& p, const GridCoordinates& a, const GridCoordinates& b) {
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

/// Returns whether the straight line in space between two positions of an orthogonal grid is clear. Where the
/// grid is curved, it is divided into short pieces that are straight in grid steps.
bool isClearInSpace(const Problem& p, const GridCoordinates& a, const GridCoordinates& b) {
  const grid::OrthogonalGrid& g = *p.orthogonal;
  const int longitudes = g.axisOf(grid::AxisRole::Longitude);
  const auto phi = std::size_t(g.isSpherical() ? longitudes : 0);
  const double round = g.hasCopy() ? double(g.size(longitudes) - 1) : 0; // steps of the full circle
  double apart = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double difference = std::abs(a[axis] - b[axis]);
    if (axis == phi && round > 0) difference = std::min(difference, round - difference);
    apart = std::max(apart, difference);
  }
  const auto pieces = std::int64_t(std::ceil(2 * apart));
  const grid::Vector3 from = g.embedded(a), to = g.embedded(b);
  GridCoordinates last = a;
  for (std::int64_t n = 1; n <= pieces; ++n) {
    const double share = double(n) / double(pieces);
    GridCoordinates next = b;
    if (n < pieces)
      next = g.stepsOf({from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]),
                        from[2] + share * (to[2] - from[2])});
    GridCoordinates near = next; // in the turn of the last one
    if (round > 0) near[phi] -= round * std::round((near[phi] - last[phi]) / round);
    // Across a pole the meridian jumps; the place of the pole lies between.
    if (g.isSpherical() && std::abs(near[phi] - last[phi]) > 1) last = near;
    if (!isClearInSteps(p, last, near)) return false;
    if (round > 0) { // the part beyond the first meridian, among the points
      for (const double turn : {-round, round}) {
        GridCoordinates u = last, v = near;
        u[phi] += turn, v[phi] += turn;
        if (std::max(u[phi], v[phi]) >= -0.5 && std::min(u[phi], v[phi]) <= round + 0.5 &&
            !isClearInSteps(p, u, v))
          return false;
      }
    }
    last = next;
  }
  return pieces > 0 || isClearInSteps(p, a, b);
}

} // namespace

bool isClear(const Problem& p, const GridCoordinates& a, const GridCoordinates& b) {
  if (p.speed.empty() && p.barriers.empty() && p.drift.empty() && !isTilted(p)) return true;
  return p.orthogonal ? isClearInSpace(p, a, b) : isClearInSteps(p, a, b);
}

} // namespace isochrone::image
