// ImageTileUpdate.h - the update of a lane's node in a tile of an image, with isotropic speed.
#pragma once

#include "ImageTravelTime/Scheme/FactoredUpdate.h"
#include "ImageTravelTime/Tiles/BorderedTile.h"

namespace isochrone::image {

/// @tparam S     shape of the tile
/// @tparam kind  source factoring of tiles near a point seed
template <class S, TileFactoring kind = TileFactoring::Off>
struct ImageTileUpdate {
  using Shape = S;
  using Tile = BorderedTile<Shape>;
  struct Shared {};
  using Seed = FromSeed<Scalar>;

  ImageView image;
  const SeedOfTile* seeds; ///< per tile; not read without factoring

  /// Returns the seed of a tile.
  template <class Team>
  TEAM_FN Seed prepare(Team&, Shared&, int id) const {
    if constexpr (kind == TileFactoring::Off) return {};
    const SeedOfTile& seed = seeds[id];
    return {{seed.away[0], seed.away[1], seed.away[2]}, 0, seed.slowness, seed.startValue, seed.radius, 0, 0};
  }
  /// Returns whether a later node may lower a node of the tile: with factoring, near a seed.
  TEAM_FN static bool usesLater(const Seed& seed) { return isNear(seed); }

  /// Returns the update of a lane's node of one colour.
  /// @param at  index of the node in the tile's values
  TEAM_FN float updated(const Tile& tile, const Shared&, Cell c, int colour, int at, float s,
                        const Seed& seed) const {
    if constexpr (kind != TileFactoring::Off)
      if (isNear(seed)) {
        const int node[3] = {Tile::column(c, colour), c.y, c.z};
        const float* v = tile.u + at;
        return factored < Scalar, Tile::plane ? 2 : 3,
               kind > (seed, node, image.spacing.step, image.spacing.weight, s, [v](int axis, int side) {
                 return v[side * (axis == 0 ? 1 : axis == 1 ? Tile::row : Tile::slab)];
               });
      }
    return tile.updated(at, s, image.spacing);
  }

private:
  /// Returns whether the tile is near a seed, whose slowness is then positive.
  TEAM_FN static bool isNear(const Seed& seed) { return kind != TileFactoring::Off && seed.slowness > 0; }
};

} // namespace isochrone::image
