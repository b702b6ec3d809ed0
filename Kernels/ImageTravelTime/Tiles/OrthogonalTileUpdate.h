// OrthogonalTileUpdate.h - the update of a lane's node in a tile of a rectilinear or spherical grid.
#pragma once

#include "ImageTravelTime/Scheme/OrthogonalUpdate.h"
#include "ImageTravelTime/Tiles/BorderedTile.h"

#include <cstdint>
#include <type_traits>

namespace isochrone::image {

/// The axes of a grid in device memory.
struct AxesView {
  const AxisSteps<Scalar>* steps; ///< axis after axis
  const AxisShape<Scalar>* shape; ///< the same; not read without factoring
  int first[3];                   ///< per axis, its first index in these arrays
  int roleOf[3], axisOf[3];       ///< of a spherical grid
};

/// The seeds of tiles in device memory.
struct OrthogonalSeedsView {
  const int* row;                     ///< per tile, its number among those with a seed; -1: none
  const OrthogonalSeed<Scalar>* seed; ///< per row
  const AxisFromSeed<Scalar>* from;   ///< per row, axis after axis, for each index of the tile
};

/// @tparam S         shape of the tile
/// @tparam curved    a spherical grid
/// @tparam factored  with source factoring of tiles near a seed
template <class S, bool curved, bool factored>
struct OrthogonalTileUpdate {
  using Shape = S;
  using Tile = BorderedTile<Shape>;
  static constexpr int edge = Shape::nx > Shape::nz ? Shape::nx : Shape::nz; ///< longest
  static_assert(edge >= Shape::ny);

  /// The terms of the indices of a tile.
  struct PlainTerms {
    AxisSteps<Scalar> steps[3][edge];
  };
  struct FactoredTerms : PlainTerms {
    AxisShape<Scalar> shape[3][edge];
    AxisFromSeed<Scalar> from[3][edge];
    OrthogonalSeed<Scalar> seed;
  };
  struct Shared {
    std::conditional_t<factored, FactoredTerms, PlainTerms> terms;
  };
  /// Whether the tile has a seed.
  using Seed = bool;

  ImageView image; ///< without spacings
  AxesView axes;
  OrthogonalSeedsView seeds; ///< not read without factoring

  /// Reads the terms of a tile.
  template <class Team>
  TEAM_FN Seed prepare(Team& team, Shared& shared, int id) const {
    int row = -1;
    if constexpr (factored) row = seeds.row[id];
    const TileCorner corner = image::corner<Shape>(image.grid, id);
    team.each(Box<edge, 3, 1>{}, [&](Cell c) {
      const int axis = c.y, n = c.x;
      const int length = ofAxis(axis, Shape::nx, Shape::ny, Shape::nz);
      if (n >= length) return;
      const int size = ofAxis(axis, image.grid.nx, image.grid.ny, image.grid.nz),
                index = ofAxis(axis, corner.x, corner.y, corner.z) + n;
      const int at = ofAxis(axis, axes.first[0], axes.first[1], axes.first[2]) +
                     (index < size ? index : size - 1); // beyond the grid the last one
      shared.terms.steps[axis][n] = axes.steps[at];
      if constexpr (factored) {
        if (row < 0) return;
        constexpr int all = Shape::nx + Shape::ny + Shape::nz;
        const int before = ofAxis(axis, 0, Shape::nx, Shape::nx + Shape::ny);
        shared.terms.shape[axis][n] = axes.shape[at];
        shared.terms.from[axis][n] = seeds.from[std::int64_t(row) * all + before + n];
        if (c.index == 0) shared.terms.seed = seeds.seed[row];
      }
    });
    return row >= 0;
  }
  /// Returns whether a later node may lower a node of the tile. Near seeds, too, an update comes after the
  /// neighbours that it uses (factoredSides).
  TEAM_FN static bool usesLater(Seed) { return false; }

  /// Returns the update of a lane's node of one colour.
  /// @param at  index of the node in the tile's values
  TEAM_FN float updated(const Tile& tile, const Shared& shared, Cell c, int colour, int at, float s,
                        Seed isNear) const {
    const Node node{shared, axes, Tile::column(c, colour), c.y, c.z};
    const OrthogonalUpdate<Scalar, Tile::plane ? 2 : 3, curved, Node> update(node);
    const float* v = tile.u + at;
    const auto neighbour = [v](int axis, int up) {
      const int step = ofAxis(axis, 1, Tile::row, Tile::slab);
      return v[up ? step : -step];
    };
    if constexpr (factored)
      if (isNear) return update.near(s, neighbour);
    return update.plain(s, neighbour);
  }

private:
  template <class T>
  TEAM_FN static T ofAxis(int axis, T x, T y, T z) {
    return axis == 0 ? x : axis == 1 ? y : z;
  }

  /// The access of OrthogonalUpdate to the terms of a node.
  struct Node {
    const Shared& shared;
    const AxesView& axes;
    int x, y, z; ///< in the tile

    TEAM_FN int at(int axis) const { return ofAxis(axis, x, y, z); }
    TEAM_FN int roleOf(int axis) const {
      return ofAxis(axis, axes.roleOf[0], axes.roleOf[1], axes.roleOf[2]);
    }
    TEAM_FN int axisOf(int role) const {
      return ofAxis(role, axes.axisOf[0], axes.axisOf[1], axes.axisOf[2]);
    }
    TEAM_FN const AxisSteps<Scalar>& steps(int axis) const { return shared.terms.steps[axis][at(axis)]; }
    TEAM_FN const AxisShape<Scalar>& shape(int axis) const { return shared.terms.shape[axis][at(axis)]; }
    TEAM_FN const AxisFromSeed<Scalar>& fromSeed(int axis) const { return shared.terms.from[axis][at(axis)]; }
    TEAM_FN const OrthogonalSeed<Scalar>& seed() const { return shared.terms.seed; }
  };
};

} // namespace isochrone::image
