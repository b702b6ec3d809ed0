// PathField.h - the travel time and the flow of the fastest paths between the grid points.
//
// Nothing is interpolated across a barrier: a position uses only the corners of its grid cell that it sees,
// and among these only the reached ones.
#pragma once

#include "ImageTravelTime/Paths/OrthogonalUpwind.h"
#include "ImageTravelTime/Scheme/RandersMetric.h"
#include "ImageTravelTime/Seeds/LineOfSight.h"

#include <array>
#include <cmath>
#include <optional>
#include <span>

namespace isochrone::image {

/// A grid point beside a position, with its share in trilinear interpolation.
struct Corner {
  GridIndex at;
  std::int64_t point;
  double share;
  double value; ///< travel time, +infinity where unreached
};

/// Returns whether q lies in the closed cell around a point. The straight line between them then does, too.
bool inCellOf(const GridCoordinates& point, const GridCoordinates& q);

/// A short list of grid points.
struct Corners {
  int count = 0;
  std::array<Corner, 18> corner;

  const Corner* begin() const { return corner.data(); }
  const Corner* end() const { return corner.data() + count; }
};

class PathField {
public:
  /// @param travelTime  empty: only for places and times of lines
  PathField(const Problem& problem, std::span<const float> travelTime);

  const Problem& input() const { return problem; }
  const OrthogonalUpwind& upwind() const { return *sources; } ///< of an orthogonal grid
  /// Returns the number of path steps along a vector in world units, or between two positions. A step is half
  /// the smallest spacing, but at least a sixteenth of a grid step, so that a cell has at most 16 steps
  /// however much the spacings differ.
  double steps(const Position& offset) const;
  double stepsBetween(const GridCoordinates& a, const GridCoordinates& b) const;
  /// Returns the number of pieces, of at most one step, that a straight line is divided into. Rounding does
  /// not decide between one and two for a single step.
  std::int64_t pieces(const Position& offset) const;
  std::int64_t piecesBetween(const GridCoordinates& a, const GridCoordinates& b) const;
  /// Returns the position at a share of the straight line from a to b.
  GridCoordinates between(const GridCoordinates& a, const GridCoordinates& b, double share) const;
  bool isReached(std::int64_t point) const { return std::isfinite(u[point]); }

  /// Returns the corners of its grid cell that a position between the points of the grid sees. None is a
  /// barrier.
  Corners around(const GridCoordinates& q) const;
  Corner corner(const GridIndex& at) const;

  /// Returns the travel time between the corners; +infinity if none is reached.
  static double value(const Corners& corners);

  /// Returns the end of a step down the flow from q, which sees `corners`; nothing if the step would touch a
  /// barrier or not descend.
  std::optional<GridCoordinates> descend(const GridCoordinates& q, const Corners& corners) const;

  /// Returns whether a fall of the travel time is large enough for the time of the straight line from b to a.
  bool falls(double by, const GridCoordinates& a, const GridCoordinates& b) const;

  /// Returns the grid points across the faces of the cell of a point, and with tensors the points of its
  /// stencil.
  Corners neighbours(const Corner& from) const;
  /// Returns the neighbour to which the travel time falls most steeply; nothing if none is lower.
  std::optional<Corner> steepest(const Corner& from) const;

  /// Returns the distance between two positions, world units.
  double distance(const GridCoordinates& a, const GridCoordinates& b) const;
  /// Returns the time of the straight line to a from b, which lies nearer to the seed.
  double timeBetween(const GridCoordinates& a, const GridCoordinates& b) const;

  GridCoordinates coordinates(const Position& at) const;
  Position position(const GridCoordinates& q) const;
  /// Returns the position, without its height if the image is a plane.
  Position inImage(Position at) const;
  /// Returns the nearest position between the points of the grid: cells at the border reach half a step
  /// beyond.
  GridCoordinates clamped(GridCoordinates q) const;

private:
  /// Returns the length of a path step on an orthogonal grid: half the smallest local step, but at least a
  /// sixteenth of the largest one.
  double stepAt(const GridCoordinates& q) const;
  std::optional<GridCoordinates> descendInSpace(const GridCoordinates& q, const Corners& corners) const;
  /// Returns the time per length in a direction (of length 1), from the interpolated slowness or metric and
  /// one-form.
  double pace(const GridCoordinates& q, const Position& direction) const;
  /// Returns the length of a vector if all axes had the smallest spacing.
  double inEqualSteps(const Position& offset) const;
  /// Returns the direction of M^-1 (grad u - w), of any length; paths follow it backwards.
  Position flow(const Corners& corners) const;
  RandersMetric metric(const Corners& corners) const;
  /// Returns a multiple of the mean metric of the tangents of a tilted medium in the direction of a gradient.
  grid::Symmetric3 tangentMetric(const Corners& corners, const Position& gradient) const;

  const Problem& problem;
  std::span<const float> u;
  std::optional<OrthogonalUpwind> sources; ///< of an orthogonal grid
  GridIndex sizes;
  std::array<double, 3> spacing;
  double length;  ///< half the smallest spacing, world units
  Position share; ///< smallest spacing / spacing
};

} // namespace isochrone::image
