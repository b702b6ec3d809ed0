// Dependences.h - the partial derivatives of the updates of all points, tile by tile.
#pragma once

#include "ImageTravelTime/Sensitivity/PointDependence.h"
#include "ImageTravelTime/Sensitivity/TileShares.h"
#include "Values.h"

#include <array>

namespace isochrone::image {

/// The derivatives of the points of a tile are computed when the first of them is needed.
class Dependences {
public:
  const TileOrder order;

  /// @param travelTime  of the solve with the same problem and options; all must outlive this
  Dependences(const SolverInput& input, const DependenceScheme& scheme, std::span<const float> travelTime);

  /// Returns the memory of the derivatives.
  static std::size_t bytesNeeded(const Problem& problem, bool hasBalls);

  /// Computes the derivatives of a tile. Different threads may compute different tiles.
  void evaluate(int tile);
  bool isEvaluated(int tile) const { return evaluated[std::size_t(tile)]; }

  /// Returns the latest time in an evaluated tile and beside it, in the solver's units, and how much later it
  /// is than the earliest one.
  float latest(int tile) const { return latestTimes[std::size_t(tile)]; }
  float span(int tile) const { return timeSpans[std::size_t(tile)]; }

  // Of a point of an evaluated tile, by its number.
  TimeFrom from(std::int64_t number) const { return TimeFrom(state[std::size_t(number)] >> directions); }
  Sides sides(std::int64_t number) const { return state[std::size_t(number)] & ((1u << directions) - 1); }
  double share(std::int64_t number, Direction d) const {
    return shares[std::size_t(d >> 1)][std::size_t(number)];
  }
  /// Returns the derivative with respect to the slowness of the point, world length.
  double perSlowness(std::int64_t number) const { return perSlownesses[std::size_t(number)]; }
  /// Returns the derivative with respect to the slowness at the seed of the tile's ball.
  double perSeedSlowness(std::int64_t number) const { return perSeedSlownesses[std::size_t(number)]; }
  /// Returns the derivative with respect to the start value of the seed of the tile's ball, apart from those
  /// that the points it uses have.
  double perStartValue(std::int64_t number) const;
  /// Returns the time that the equation gives a point minus its rounded time, world units.
  float rounding(std::int64_t number) const { return roundings[std::size_t(number)]; }

  int ballOf(int tile) const { return scheme.ballsOf().ballOf(tile); } ///< -1: none

private:
  const SolverInput& input;
  const DependenceScheme& scheme;
  std::span<const float> travelTime;
  SolverUnits units;
  FindTileShares findShares;
  std::vector<std::uint8_t> evaluated;              ///< per tile
  std::vector<float> latestTimes, timeSpans;        ///< per tile
  std::vector<std::pair<int, std::int64_t>> starts; ///< tiles and points with a start value
  // Per number; undefined in other tiles.
  Values<std::uint16_t> state; ///< sides, and TimeFrom
  std::array<Values<double>, directions / 2> shares;
  Values<double> perSlownesses, perSeedSlownesses;
  Values<float> roundings;

  void load(int tile, TileShares& values) const;
  void findTimes(int tile, const TileShares& values);
  void set(std::int64_t number, const PointDependence& dependence);
};

} // namespace isochrone::image
