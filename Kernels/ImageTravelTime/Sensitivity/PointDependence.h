// PointDependence.h - the partial derivatives of the update of a point, in double.
//
// The discrete time of a point is its start value, or the minimum v with sum over the axes of weight *
// max(0, v - value)^2 = slowness^2, where value is the time of a neighbour, near a seed with a remainder
// that is proportional to the slowness at the seed (Scheme/FactoredUpdate.h). So dv / d(time of a neighbour)
// is its share weight * (v - value) / sum of these, and the shares add up to 1.
#pragma once

#include "ImageTravelTime/Sensitivity/BallsOfTiles.h"
#include "ImageTravelTime/Sensitivity/TileOrder.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace isochrone::image {

/// What gives a point its time.
enum class TimeFrom : std::uint8_t {
  Update,    ///< the neighbours, by the equation
  Bound,     ///< one later neighbour: the equation would be exceeded as soon as this neighbour counts
  SeedBound, ///< half the time of the straight line from the seed, the lower limit beyond the seed's plane
  Start,     ///< a start value
  Nothing    ///< no neighbour is earlier, since single precision does not resolve the step
};

struct PointDependence {
  TimeFrom from = TimeFrom::Nothing;
  Sides sides = 0;
  /// Of the neighbour on each axis; of each of two, if both are equally early.
  std::array<double, 3> share{};
  double value = 0;           ///< the time, world units, since the earliest start
  double perSlowness = 0;     ///< derivative with respect to the slowness of the point, world length
  double perSeedSlowness = 0; ///< and with respect to the slowness at the seed of the ball
};

/// Differentiates the updates of a solved problem.
class DependenceScheme {
public:
  /// @param travelTime  of the solve with the same problem and options; both must outlive this
  DependenceScheme(const SolverInput& input, std::span<const float> travelTime);

  PointDependence at(std::int64_t point) const;

  /// Returns the start of a point; null: it has none.
  const SeedPoint* startOf(std::int64_t point) const;

  const std::vector<SeedBall>& balls() const { return ballsOfTiles.all(); }
  const BallsOfTiles& ballsOf() const { return ballsOfTiles; }
  const std::vector<SeedPoint>& startPoints() const { return starts; } ///< by point

private:
  /// In the solver's units.
  struct Side : DifferentiatedSide<Doubles> {
    int axis, up;
  };
  struct Candidates;
  struct Root;

  const Problem& problem;
  std::span<const float> travelTime;
  SolverUnits units;
  double earliest;
  BallsOfTiles ballsOfTiles;
  double inverseTime;            ///< 1 / units.time, a power of two
  std::vector<SeedPoint> starts; ///< by point
  GridIndex sizes, strides;

  double slowness(std::int64_t point) const { return slownessAt(problem, point) * units.length / units.time; }
  double timeOf(std::int64_t point) const {
    return (double(travelTime[std::size_t(point)]) - earliest) * inverseTime;
  }
  Candidates candidatesAt(std::int64_t point, unsigned laterSides = 0) const;
  Side sideAt(const Candidates& candidates, int axis, int up, double time) const;
  Root solve(std::span<const Side> sides, double slowness) const;
  /// Returns by how much the time that the start value and the earlier sides give a point is later than its
  /// time.
  double excessOf(std::int64_t point, const Root& root) const;
  /// Returns whether the solution is the bound of a later side, or within rounding of it.
  bool exceeds(const Candidates& candidates, const Root& root, const Side& side) const;
  /// Returns the later side with the time of the point from which the point has it; null: none.
  const Side* equalSide(std::int64_t point, const Candidates& candidates, const Root& root) const;
  PointDependence dependenceFrom(std::int64_t point, const Candidates& candidates) const;
  void applyBounds(std::int64_t point, const Candidates& candidates, const Root& root,
                   PointDependence& result) const;
};

} // namespace isochrone::image
