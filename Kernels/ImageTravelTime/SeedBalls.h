// SeedBalls.h - which seed the nodes of a tile see, for source factoring.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/TileGrid.h"

#include <vector>

namespace isochrone::image {

/// A point seed with the ball around it in which the speed differs by less than a factor of two from that at
/// the seed and there is no barrier.
struct SeedBall {
  Position at;
  double startValue, slowness, radius; ///< world units
};

/// One per usable point seed of the problem, in order. Balls lie at least `apart` from each other.
std::vector<SeedBall> seedBalls(const Problem& problem, const std::vector<Placement>& placements,
                                double apart);

/// Whether the speed is so rough that multiplicative factoring may depend on the order of updates: neighbours
/// differ by more than a tenth on average.
bool isRough(const Problem& problem, int threads);

/// The seed of every tile, in the units of the sweeps.
class SeedsOfTiles {
public:
  SeedsOfTiles(const TileGrid& tiles, std::vector<SeedBall> balls, SourceFactoring factoring,
               double earliest);

  /// Whether a node of the tile may be factored.
  bool has(int tile) const { return !ball.empty() && ball[tile] >= 0; }
  SeedOfTile of(int tile) const;

private:
  int chooseBall(int tile, SourceFactoring factoring) const;

  const TileGrid& tiles;
  std::vector<SeedBall> balls;
  std::vector<std::int32_t> ball; ///< per tile, -1 for none; empty without factoring
  double earliest;
};

} // namespace isochrone::image
