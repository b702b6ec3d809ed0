// RelaxTile.h - the relaxation of a tile on any Team, with a border of its neighbours' values.
//
// Two orders of work exist. Checkerboard: a round takes the tiles of one colour of the checkerboard, which
// share no face, and writes the values in place. Within a tile, the nodes of one colour follow the nodes of
// the other, until the tile no longer changes. Block FIM (Jeong and Whitaker 2008, section 4.3): a round
// takes all active tiles, reads the values of the previous round, and makes the same number of Jacobi passes
// in each. In both orders, no tile and no lane reads the work of another in the same phase. The result is
// therefore the same, bit for bit, in any order of tiles and lanes.
#pragma once

#include "Execution/Scalar.h"
#include "ImageTravelTime/Scheme/FactoredUpdate.h"
#include "ImageTravelTime/Scheme/GodunovUpdate.h"
#include "ImageTravelTime/Scheme/Limits.h"

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

/// Counters in device memory that control a round.
struct RoundControl {
  int listed = 0; ///< number of tiles chosen for the next round
  int count = 0;  ///< number of tiles that this round relaxes
  int tried = 0;  ///< number of tiles that this round only tries (block FIM)
  int round = 0;
  int done = 0;
  float least = 0; ///< values below it are final
  float bound = 0; ///< maximum key of the tiles that a round takes
};

/// The result of relaxing a tile, which its neighbours read.
struct TileReport {
  float key[tileFaces]; ///< per face, minimum new value that is below the value behind it, or unreached
  int lowered;          ///< last round that lowered a value
  int unfinished;       ///< last round whose last pass lowered a value
};

/// The spacing of the grid, in units of length.
struct Spacing {
  float step[3];   ///< h
  float weight[3]; ///< 1 / h^2
  bool cubic;      ///< true if all of them are 1
};

/// Relaxes a tile by passes over its nodes, with fixed values around it.
/// @tparam Shape  a Box; one node thick in the plane. A lane has two nodes, one of each colour.
/// @tparam kind   source factoring of tiles near a point seed
template <class Shape, TileFactoring kind = TileFactoring::Off>
struct RelaxTile {
  static_assert(Shape::nx % 2 == 0);
  static constexpr bool plane = Shape::nz == 1;
  static constexpr int row = Shape::nx + 2, slab = row * (Shape::ny + 2),
                       first = 1 + row + (plane ? 0 : slab);
  static constexpr int faces = plane ? 4 : 6, faceRows = plane                   ? 1
                                                         : Shape::ny > Shape::nz ? Shape::ny
                                                                                 : Shape::nz;
  using Lanes = Box<Shape::nx / 2, Shape::ny, Shape::nz>;
  using Bordered = Box<Shape::nx + 2, Shape::ny + 2, plane ? 1 : Shape::nz + 2>;
  struct Shared {
    float u[Bordered::size];
    float lowered[Shape::size]; ///< new value of a node, `unreached` if unchanged
    float least[faces * faceRows];
  };

  NodeGrid grid;
  Spacing spacing;
  int passes;    ///< maximum number; block FIM: exact number
  bool blockFim; ///< Jacobi passes, which write all results to `fresh`
  const RoundControl* control;
  const int* active;
  TileReport* report;
  int* passesMade; ///< per tile, total of all rounds
  const float* slowness;
  float* u;
  float* fresh;            ///< [position in the round][node]
  const SeedOfTile* seeds; ///< per tile; not read without factoring

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& tile, int position) const {
    const int id = active[position];
    const FromSeed<Scalar> seed = seedOf(id);
    const TileCorner corner = image::corner<Shape>(grid, id);
    PerLane<Team, float> s[2], before[2], next[2];
    PerLane<Team, int> fell;

    team.each(Bordered{}, [&](Cell c) {
      const int borders = (c.x == 0 || c.x == Bordered::nx - 1) + (c.y == 0 || c.y == Bordered::ny - 1) +
                          (!plane && (c.z == 0 || c.z == Bordered::nz - 1));
      const int x = corner.x + c.x - 1, y = corner.y + c.y - 1, z = corner.z + c.z - !plane;
      tile.u[c.index] = borders < 2 && grid.holds(x, y, z) ? u[grid.index(x, y, z)] : unreached;
    });
    team.each(Lanes{}, [&](Cell c) {
      execution::unroll<2>([&](auto colour) {
        const int x = corner.x + column(c, colour), y = corner.y + c.y, z = corner.z + c.z;
        s[colour][c] = grid.holds(x, y, z) ? slowness[grid.index(x, y, z)] : infinite;
        before[colour][c] = tile.u[bordered(c, colour)];
      });
    });

    int made = 0;
    bool moving = true;
    while (made < passes && (moving || blockFim)) {
      ++made;
      if (blockFim) {
        team.each(Lanes{}, [&](Cell c) {
          execution::unroll<2>(
              [&](auto colour) { next[colour][c] = updated(tile.u, c, colour, s[colour][c], seed); });
        });
        moving = team.any([&](Cell c) {
          bool changed = false;
          execution::unroll<2>([&](auto colour) {
            float& value = tile.u[bordered(c, colour)];
            changed = changed || next[colour][c] < value;
            value = lesser(next[colour][c], value);
          });
          return changed;
        });
      } else {
        team.each(Lanes{}, [&](Cell c) { fell[c] = relax(tile.u, c, 0, s[0][c], seed); });
        moving = team.any([&](Cell c) { return relax(tile.u, c, 1, s[1][c], seed) || fell[c]; });
      }
    }

    const bool changed = team.any([&](Cell c) {
      bool any = false;
      execution::unroll<2>([&](auto colour) {
        const int x = column(c, colour), node = x + Shape::nx * (c.y + Shape::ny * c.z);
        const float now = tile.u[bordered(c, colour)];
        const bool lower = now < before[colour][c];
        any = any || lower;
        tile.lowered[node] = lower ? now : unreached;
        if (blockFim)
          fresh[std::int64_t(position) * Shape::size + node] = now;
        else if (lower)
          u[grid.index(corner.x + x, corner.y + c.y, corner.z + c.z)] = now;
      });
      return any;
    });
    team.once([&] {
      passesMade[id] += made;
      if (changed) report[id].lowered = control->round;
      if (moving) report[id].unfinished = control->round;
    });
    if (!changed) return;
    team.each(Box<faceRows, faces, 1>{},
              [&](Cell c) { tile.least[c.index] = leastOfRow(tile, c.y, c.x, isNear(seed)); });
    team.each(Box<faces, 1, 1>{}, [&](Cell c) {
      float least = unreached;
      for (int r = 0; r < faceRows; ++r) least = lesser(least, tile.least[c.index * faceRows + r]);
      report[id].key[c.index] = least;
    });
  }

private:
  /// Returns the x index of a lane's node of one colour.
  TEAM_FN static int column(Cell c, int colour) { return 2 * c.x + ((c.y + c.z + colour) & 1); }
  TEAM_FN static int bordered(Cell c, int colour) {
    return first + column(c, colour) + row * c.y + slab * c.z;
  }

  TEAM_FN FromSeed<Scalar> seedOf(int id) const {
    if constexpr (kind == TileFactoring::Off) return {};
    const SeedOfTile& seed = seeds[id];
    return {{seed.away[0], seed.away[1], seed.away[2]}, 0, seed.slowness, seed.startValue, seed.radius, 0, 0};
  }
  /// Returns whether the tile is near a seed, whose slowness is then positive.
  TEAM_FN static bool isNear(const FromSeed<Scalar>& seed) {
    return kind != TileFactoring::Off && seed.slowness > 0;
  }

  TEAM_FN float updated(const float* values, Cell c, int colour, float s,
                        const FromSeed<Scalar>& seed) const {
    const float* at = values + bordered(c, colour);
    if constexpr (kind != TileFactoring::Off)
      if (isNear(seed)) {
        const int node[3] = {column(c, colour), c.y, c.z};
        return factored < Scalar, plane ? 2 : 3,
               kind > (seed, node, spacing.step, spacing.weight, s, [at](int axis, int side) {
                 return at[side * (axis == 0 ? 1 : axis == 1 ? row : slab)];
               });
      }
    const float a = lesser(at[-1], at[1]), b = lesser(at[-row], at[row]);
    if constexpr (plane) {
      return spacing.cubic ? godunov<Scalar, true>(a, b, s, spacing.weight)
                           : godunov<Scalar, false>(a, b, s, spacing.weight);
    } else {
      const float c3 = lesser(at[-slab], at[slab]);
      return spacing.cubic ? godunov<Scalar, true>(a, b, c3, s, spacing.weight)
                           : godunov<Scalar, false>(a, b, c3, s, spacing.weight);
    }
  }
  TEAM_FN bool relax(float* values, Cell c, int colour, float s, const FromSeed<Scalar>& seed) const {
    float& value = values[bordered(c, colour)];
    const float old = value, now = updated(values, c, colour, s, seed);
    value = lesser(now, old);
    return now < old;
  }

  /// Returns the minimum key of one row of a face. Rows run along the first of the other two axes.
  /// @param nearSeed  with factoring, a later node may also lower a node
  TEAM_FN static float leastOfRow(const Shared& tile, int face, int rowOfFace, bool nearSeed) {
    const int axis = face / 2, up = face % 2;
    const int rows = axis == 2 ? Shape::ny : Shape::nz, length = axis == 0 ? Shape::ny : Shape::nx;
    const int depth = axis == 0 ? Shape::nx : axis == 1 ? Shape::ny : Shape::nz;
    const int outward = axis == 0 ? 1 : axis == 1 ? row : slab;
    const int at = up ? depth - 1 : 0;
    float least = unreached;
    if (rowOfFace >= rows) return least;
    for (int n = 0; n < length; ++n) {
      const int x = axis == 0 ? at : n, y = axis == 0 ? n : axis == 1 ? at : rowOfFace;
      const int z = axis == 2 ? at : rowOfFace;
      const float now = tile.lowered[x + Shape::nx * (y + Shape::ny * z)];
      const float behind = tile.u[first + x + row * y + slab * z + (up ? outward : -outward)];
      least = now < behind || nearSeed ? lesser(least, now) : least;
    }
    return least;
  }
};

/// Copies the results of a block FIM round from `fresh` to `u`.
template <class Shape>
struct CommitTile {
  using Lanes = Shape;
  struct Shared {};
  NodeGrid grid;
  const int* active;
  const float* fresh;
  float* u;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const TileCorner corner = image::corner<Shape>(grid, active[position]);
    team.each(Shape{}, [&](Cell c) {
      const int x = corner.x + c.x, y = corner.y + c.y, z = corner.z + c.z;
      if (grid.holds(x, y, z)) u[grid.index(x, y, z)] = fresh[std::int64_t(position) * Shape::size + c.index];
    });
  }
};

} // namespace isochrone::image
