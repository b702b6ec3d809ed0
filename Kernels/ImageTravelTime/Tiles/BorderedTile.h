// BorderedTile.h - a tile of an image in the memory of a Team, with a border of its neighbours' values, and
// the update of its nodes.
#pragma once

#include "Execution/Scalar.h"
#include "ImageTravelTime/Scheme/GodunovUpdate.h"
#include "ImageTravelTime/Scheme/Limits.h"
#include "ImageTravelTime/Scheme/TileData.h"

#include <cstdint>

namespace isochrone::image {

using execution::Box;
using execution::Cell;
using execution::PerLane;
using execution::Scalar;

/// Nodes, x fastest, and the tiles that cover them.
struct NodeGrid {
  int nx, ny, nz;
  int tx, ty, tz; ///< number of tiles

  TEAM_FN int tiles() const { return tx * ty * tz; }
  TEAM_FN std::int64_t nodes() const { return std::int64_t(nx) * ny * nz; }
  TEAM_FN bool holds(int x, int y, int z) const {
    return unsigned(x) < unsigned(nx) && unsigned(y) < unsigned(ny) && unsigned(z) < unsigned(nz);
  }
  TEAM_FN std::int64_t index(int x, int y, int z) const { return x + nx * (y + std::int64_t(ny) * z); }

  /// Returns the tile behind a face (-x, +x, -y, +y, -z, +z), or -1 at the border.
  TEAM_FN int neighbour(int tile, int face) const {
    const int axis = face / 2, up = face % 2;
    const int step = axis == 0 ? 1 : axis == 1 ? tx : tx * ty, number = axis == 0 ? tx : axis == 1 ? ty : tz;
    const int at = tile / step % number;
    if (up ? at + 1 == number : at == 0) return -1;
    return up ? tile + step : tile - step;
  }
  TEAM_FN int colour(int tile) const { return (tile % tx + tile / tx % ty + tile / (tx * ty)) & 1; }
};

/// The first node of a tile.
struct TileCorner {
  int x, y, z;
};
template <class Shape>
TEAM_FN TileCorner corner(const NodeGrid& grid, int tile) {
  return {tile % grid.tx * Shape::nx, tile / grid.tx % grid.ty * Shape::ny,
          tile / (grid.tx * grid.ty) * Shape::nz};
}

/// The image in device memory, in the solver's units.
struct ImageView {
  NodeGrid grid;
  Spacing spacing;
  const float* slowness; ///< squared, +infinity in barriers
  float* u;              ///< travel times, `unreached` where not yet known
};

/// @tparam Shape  a Box; one node thick in the plane. A lane has two nodes, one of each colour of the
///                checkerboard.
template <class Shape>
struct BorderedTile {
  static_assert(Shape::nx % 2 == 0);
  static constexpr bool plane = Shape::nz == 1;
  static constexpr int row = Shape::nx + 2, slab = row * (Shape::ny + 2),
                       first = 1 + row + (plane ? 0 : slab);
  using Lanes = Box<Shape::nx / 2, Shape::ny, Shape::nz>;
  using Bordered = Box<Shape::nx + 2, Shape::ny + 2, plane ? 1 : Shape::nz + 2>;

  float u[Bordered::size];

  /// Reads the values of a tile and of its border, then calls each(lane, colour, index in `u`, squared
  /// slowness) for its nodes.
  template <class Team, class Each>
  TEAM_FN void load(Team& team, const ImageView& image, int id, Each&& each) {
    const NodeGrid& grid = image.grid;
    const TileCorner corner = image::corner<Shape>(grid, id);
    team.each(Bordered{}, [&](Cell c) {
      const int borders = (c.x == 0 || c.x == Bordered::nx - 1) + (c.y == 0 || c.y == Bordered::ny - 1) +
                          (!plane && (c.z == 0 || c.z == Bordered::nz - 1));
      const int x = corner.x + c.x - 1, y = corner.y + c.y - 1, z = corner.z + c.z - !plane;
      u[c.index] = borders < 2 && grid.holds(x, y, z) ? image.u[grid.index(x, y, z)] : unreached;
    });
    team.each(Lanes{}, [&](Cell c) {
      execution::unroll<2>([&](auto colour) {
        const int x = corner.x + column(c, colour), y = corner.y + c.y, z = corner.z + c.z;
        each(c, colour, execution::inRegister(bordered(c, colour)),
             grid.holds(x, y, z) ? image.slowness[grid.index(x, y, z)] : infinite);
      });
    });
  }

  /// Returns the x index of a lane's node of one colour.
  TEAM_FN static int column(Cell c, int colour) { return 2 * c.x + ((c.y + c.z + colour) & 1); }
  /// Returns the index in the tile without its border.
  TEAM_FN static int node(Cell c, int colour) {
    return column(c, colour) + Shape::nx * (c.y + Shape::ny * c.z);
  }
  /// Returns the index in `u`.
  TEAM_FN static int bordered(Cell c, int colour) {
    return first + column(c, colour) + row * c.y + slab * c.z;
  }

  /// Returns the update of a node, without source factoring.
  /// @param at  index of the node in `u`
  TEAM_FN float updated(int at, float s, const Spacing& spacing) const {
    const float* v = u + at;
    const float x = minOf(v[-1], v[1]), y = minOf(v[-row], v[row]);
    if constexpr (plane) {
      return spacing.cubic ? godunov<Scalar, true>(x, y, s, spacing.weight)
                           : godunov<Scalar, false>(x, y, s, spacing.weight);
    } else {
      const float z = minOf(v[-slab], v[slab]);
      return spacing.cubic ? godunov<Scalar, true>(x, y, z, s, spacing.weight)
                           : godunov<Scalar, false>(x, y, z, s, spacing.weight);
    }
  }
};

} // namespace isochrone::image
