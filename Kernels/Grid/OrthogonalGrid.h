// OrthogonalGrid.h - grids of points along orthogonal axes: rectilinear ones, with any increasing coordinates
// on each axis, and spherical ones, with radius, colatitude and longitude.
//
// A position is given in grid steps: 1.25 on an axis lies a quarter of the way from index 1 to index 2 in the
// axis's coordinate. `steps` and `position` convert. Lengths are those of space: along a meridian r dtheta,
// along a parallel r sin(theta) dphi.
#pragma once

#include "Grid/ImageGrid.h"
#include "Grid/Vector3.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace isochrone::grid {

/// Meaning of the coordinate of an axis.
enum class AxisRole : std::uint8_t {
  Length,     ///< of a rectilinear grid
  Radius,     ///< 0 or more
  Colatitude, ///< degrees from the north pole, 0 to 180
  Longitude   ///< degrees, in a range of at most 360
};

class OrthogonalGrid {
public:
  using Coordinates = std::array<std::vector<double>, 3>;
  using Roles = std::array<AxisRole, 3>;
  static constexpr Roles cartesian{AxisRole::Length, AxisRole::Length, AxisRole::Length};
  static constexpr Roles spherical{AxisRole::Radius, AxisRole::Colatitude, AxisRole::Longitude};

  /// @param coordinates  of the indices of each axis, strictly increasing
  /// @param roles        all Length, or the three others in any order
  /// @throws Error, with axis, index and value, on coordinates that are empty, not finite, not increasing or
  /// out of range
  explicit OrthogonalGrid(Coordinates coordinates, const Roles& roles = cartesian);

  /// Returns the grid with axis `axes[a]` in place of axis a.
  OrthogonalGrid along(const std::array<int, 3>& axes) const;

  bool isSpherical() const { return role[0] != AxisRole::Length; }
  AxisRole roleOf(int axis) const { return role[std::size_t(axis)]; }
  int axisOf(AxisRole wanted) const;
  std::int64_t size(int axis) const { return std::int64_t(at[std::size_t(axis)].size()); }
  ImageGrid points() const { return {size(0), size(1), size(2)}; } ///< with spacings of 1

  /// Returns whether the axis of longitudes covers the full circle: its gap to 360 degrees is not longer than
  /// its longest step.
  bool goesAround() const { return around; }
  /// Returns whether its last index is a copy of the first one.
  bool hasCopy() const { return copy; }
  /// Returns the grid with a copy of the first longitude at the end if it goes around without one.
  OrthogonalGrid closed() const;

  /// Returns the coordinate at an index or between two, in radians for angles. Linear beyond the ends; a
  /// closed axis of longitudes goes on. Not a number, and infinities, stay what they are, but a closed axis
  /// has no infinities.
  double coordinate(int axis, double step) const;
  /// Returns a position, in the coordinates of the axes (degrees), in grid steps and back. A longitude may be
  /// given in any turn.
  Position steps(const Position& position) const;
  Position position(const Position& steps) const;

  /// Returns the grid steps of a position with its longitude in the turn in which it is given.
  Position stepsInTurn(const Position& position) const;
  /// Returns the number of grid steps of the full circle.
  double circle() const;
  /// Returns a position in grid steps in the first turn of a grid that goes around; NaN from a million turns.
  Position inFirstTurn(Position steps) const;

  /// Returns the place in space of a position in grid steps. z is the axis of the poles.
  Vector3 embedded(const Position& steps) const;
  /// Returns the position in grid steps of a place in space, on the grid's surface if it is one.
  Position stepsOf(const Vector3& place) const;
  /// Returns the unit vectors of the axes in space.
  std::array<Vector3, 3> frame(const Position& steps) const;
  double distance(const Position& a, const Position& b) const {
    return length(difference(embedded(a), embedded(b)));
  }

  /// Returns the length from a point to the next one on the upper side of an axis, which exists.
  double stepAbove(const GridIndex& point, int axis) const;
  /// Returns the factor from a coordinate's difference to a length at a point.
  double factor(const GridIndex& point, int axis) const;

  /// The extremes of the lengths between neighbours, without those of length 0 at the poles.
  struct StepRange {
    double minimum, largest;
  };
  StepRange stepRange() const;
  /// Returns the mean length between neighbours on the axis where it is shortest.
  double typicalStep() const;

  /// Returns the points that are one place: those of a pole with one radius, those of the centre, and those
  /// of the first longitude and its copy. Each list has two points or more; none shares a point with another.
  std::vector<std::vector<GridIndex>> places() const;
  /// Returns the first of the points that are the same place.
  GridIndex first(const GridIndex& point) const;

  /// Returns the points that are the same place as a point, with the point.
  std::vector<GridIndex> samePlace(const GridIndex& point) const;
  /// Returns the neighbour on the lower (-1) or upper (1) side of an axis, across the first meridian if the
  /// grid is closed; nothing beyond the border.
  std::optional<GridIndex> neighbour(const GridIndex& point, int axis, int side) const;

  bool isCentre(const GridIndex& point) const; ///< at radius 0
  bool isPole(const GridIndex& point) const;   ///< on the axis of the poles, also at the centre

  bool operator==(const OrthogonalGrid&) const = default;

private:
  Coordinates at; ///< radians for angles
  Roles role;
  bool around = false, copy = false;

  static double length(const Vector3& v);
  double valueOf(AxisRole wanted, const Position& steps) const;
  double stepAt(int axis, double value) const;
};

} // namespace isochrone::grid
