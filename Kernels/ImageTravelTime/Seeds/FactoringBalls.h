// FactoringBalls.h - the seed of each tile for source factoring.
#pragma once

#include "Grid/Symmetric3.h"
#include "Grid/ThomsenMedium.h"
#include "ImageTravelTime/Scheme/SolverUnits.h"
#include "ImageTravelTime/Scheme/TileData.h"
#include "ImageTravelTime/Scheme/Tiling.h"
#include "ImageTravelTime/Seeds/SolverInput.h"

#include <array>
#include <vector>

namespace isochrone::image {

/// A point seed with the ball around it that contains no barrier and in which the speed, in every direction,
/// differs by less than a factor of two from the speed at the seed.
struct SeedBall {
  Position at;
  double startValue, slowness, radius; ///< world units; slowness not set with tensors
  grid::Symmetric3 metric;             ///< with tensors, at the seed
  grid::Vector3 oneForm;               ///< with a drift, at the seed
  ThomsenMedium medium;                ///< if tilted, that of the point nearest to the seed
  std::int32_t seed;                   ///< number of the seed
};

/// Factor by which the solvers shrink a ball, so that points on its surface, often the one that ends it, lie
/// outside despite rounding.
inline constexpr double withoutSurface = 1 - 1e-5;

/// Returns one ball per usable point seed, in order. Balls lie at least `apart` from each other, world units.
/// Collective.
std::vector<SeedBall> seedBalls(const SolverInput& input, double apart);

/// Returns whether a ball contains no point.
inline bool isEmpty(const SeedBall& ball) { return ball.radius == 0; }

std::vector<double> radiiOf(const std::vector<SeedBall>& balls);

/// Returns the ball of the seed whose front would arrive first at uniform speed, among the balls within
/// `reach` of the position, world units; null if there are none.
const SeedBall* earliestBall(const std::vector<SeedBall>& balls, const Position& at, double reach);

/// Returns whether the speed is so rough that multiplicative factoring may depend on the order of updates:
/// neighbours differ by more than a tenth on average.
bool isRough(const Problem& problem, execution::RoundPool& pool);

/// The seed of every tile for source factoring, in the solver's units: the one whose front would arrive first
/// at uniform speed. With additive factoring, only seeds whose ball meets the tile are candidates.
struct SeedsOfTiles {
  /// Collective.
  SeedsOfTiles(const SolverInput& input, const SolverUnits& units, const Tiling& tiling);

  TileFactoring kind = TileFactoring::Off;
  std::vector<SeedOfTile> ofTile; ///< per tile; empty without factoring
  std::vector<double> radii;      ///< Result::ballRadius

  /// Returns whether nodes of the tile may be factored. The slowness of a tile without a seed is 0.
  bool has(int tile) const { return !ofTile.empty() && ofTile[tile].slowness > 0; }
};

} // namespace isochrone::image
