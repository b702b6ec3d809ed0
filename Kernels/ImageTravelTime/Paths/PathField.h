// PathField.h - the travel time and the flow of the fastest paths between the grid points.
//
// Nothing is interpolated across a barrier: at a position only those corners of its grid cell count that it
// sees, and of these only the reached ones.
#pragma once

#include "Grid/Symmetric3.h"
#include "ImageTravelTime/Seeds/LineOfSight.h"

#include <array>
#include <cmath>
#include <optional>
#include <span>

namespace isochrone::image {

/// A grid point beside a position, with its share in trilinear interpolation.
struct Corner {
  std::array<std::int64_t, 3> at;
  std::int64_t point;
  double share;
  double value; ///< travel time, +infinity where unreached
};

GridCoordinates coordinates(const Corner& corner);

/// Does q lie in the closed cell around a point? Then all of the way between them does.
bool inCellOf(const GridCoordinates& point, const GridCoordinates& q);

/// A few grid points.
struct Corners {
  int count = 0;
  std::array<Corner, 18> corner;

  const Corner* begin() const { return corner.data(); }
  const Corner* end() const { return corner.data() + count; }
};

class PathField {
public:
  PathField(const Problem& problem, std::span<const float> travelTime);

  const Problem& input() const { return problem; }
  /// Steps of a path on a way in world units: half the smallest spacing each, but at least a sixteenth of a
  /// grid step, so that they are no more than 16 to a cell however much the spacings differ.
  double steps(const Position& way) const;
  bool isReached(std::int64_t point) const { return std::isfinite(u[point]); }

  /// The corners of its grid cell that a position between the points of the grid sees. None is a barrier.
  Corners around(const GridCoordinates& q) const;
  Corner corner(const std::array<std::int64_t, 3>& at) const;

  /// Travel time between the corners; +infinity where none is reached.
  static double value(const Corners& corners);

  /// A step down the flow from q, which sees `corners`; nothing where it would touch a barrier or not
  /// descend.
  std::optional<GridCoordinates> descend(const GridCoordinates& q, const Corners& corners) const;

  /// Does a fall of the travel time go with the time that the straight way from a to b takes?
  bool falls(double by, const GridCoordinates& a, const GridCoordinates& b) const;

  /// The grid points across the faces of the cell of a point, and with tensors those of its stencil.
  Corners neighbours(const Corner& from) const;
  /// The one to which the travel time falls most steeply; nothing where none is lower.
  std::optional<Corner> steepest(const Corner& from) const;

  /// Distance between two positions, world units.
  double distance(const GridCoordinates& a, const GridCoordinates& b) const;
  /// The time that the straight way from a to b takes.
  double timeBetween(const GridCoordinates& a, const GridCoordinates& b) const;

  GridCoordinates coordinates(const Position& at) const;
  Position position(const GridCoordinates& q) const;
  /// Without its height where the image is a plane.
  Position inImage(Position at) const;
  /// The nearest position between the points of the grid: at the border cells reach half a step beyond.
  GridCoordinates clamped(GridCoordinates q) const;

private:
  /// Time per length in a direction (of length 1), from the interpolated slowness or metric.
  double pace(const GridCoordinates& q, const Position& direction) const;
  /// Length of a way in an image that has the smallest spacing on all axes.
  double inEqualSteps(const Position& way) const;
  /// M grad u, of which only the direction matters: paths follow it backwards.
  Position flow(const Corners& corners) const;
  grid::Symmetric3 metric(const Corners& corners) const;

  const Problem& problem;
  std::span<const float> u;
  std::array<std::int64_t, 3> sizes;
  std::array<double, 3> spacing;
  double length;  ///< half the smallest spacing, world units
  Position share; ///< smallest spacing / spacing
};

} // namespace isochrone::image
