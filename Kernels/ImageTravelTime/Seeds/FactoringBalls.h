// FactoringBalls.h - the seed of each tile for source factoring.
#pragma once

#include "Grid/Symmetric3.h"
#include "ImageTravelTime/Scheme/SolverUnits.h"
#include "ImageTravelTime/Scheme/TileSeed.h"
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
  std::int32_t seed;                   ///< number of the seed
};

/// Factor by which the solvers shrink a ball, so that points on its surface, often the one that ends it, lie
/// outside despite rounding.
inline constexpr double withoutSurface = 1 - 1e-5;

/// Returns one ball per usable point seed, in order. Balls lie at least `apart` from each
/// other, world units.
std::vector<SeedBall> seedBalls(const SolverInput& input, double apart);

/// Returns whether the speed is so rough that multiplicative factoring may depend on the order of updates:
/// neighbours differ by more than a tenth on average.
bool isRough(const Problem& problem, int threads);

/// The seed of every tile, in the solver's units.
class SeedsOfTiles {
public:
  /// @param shape  number of nodes per tile on each axis
  SeedsOfTiles(const SolverInput& input, const SolverUnits& units, const std::array<int, 3>& shape);

  TileFactoring kind() const;
  /// Returns the radii of the balls if factoring is additive, otherwise nothing.
  std::vector<double> radii() const;

  /// Returns whether nodes of the tile may be factored.
  bool has(int tile) const { return !ball.empty() && ball[tile] >= 0; }
  SeedOfTile of(int tile) const;

private:
  int chooseBall(int tile, const std::vector<int>& candidates) const;

  Position firstNode(int tile) const; ///< world units

  std::array<int, 3> tiles{}; ///< on each axis
  std::array<int, 3> nodes{}; ///< per tile, on each axis
  Position steps{};           ///< of the grid
  Position tileSteps{};       ///< from a tile to the next, world units
  Position tileSize{};        ///< from the first node to the last, world units
  SolverUnits units;
  SourceFactoring factoring;
  std::vector<SeedBall> balls;
  std::vector<std::int32_t> ball; ///< per tile, -1 for none; empty without factoring
  double earliest;
};

} // namespace isochrone::image
