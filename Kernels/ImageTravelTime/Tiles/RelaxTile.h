// RelaxTile.h - the relaxation of a tile on any Team.
//
// A round takes the tiles of one colour of the checkerboard, which share no face, and writes the values in
// place. Within a tile, the nodes of one colour follow the nodes of the other, until the tile no longer
// changes. No tile and no lane reads the work of another in the same phase. The result is therefore the same,
// bit for bit, in any order of tiles and lanes.
#pragma once

#include "ImageTravelTime/Tiles/BorderedTile.h"

namespace isochrone::image {

/// Counters in device memory that control a round.
struct RoundControl {
  int listed = 0; ///< number of tiles chosen for the next round
  int count = 0;  ///< number of tiles that this round relaxes
  int round = 0;
  int done = 0;
  float minimum = 0; ///< values below it are final
  float bound = 0;   ///< maximum key of the tiles that a round takes
};

/// The result of relaxing a tile, which its neighbours read.
struct TileReport {
  float key[tileFaces]; ///< per face, minimum new value that is below the value behind it, or unreached
  int lowered;          ///< last round that lowered a value
  int unfinished;       ///< last round whose last pass lowered a value
};

/// Relaxes a tile by passes over its nodes, with fixed values around it.
/// @tparam Update  the update of a lane's node: ImageTileUpdate or OrthogonalTileUpdate
template <class Update>
struct RelaxTile {
  using Shape = typename Update::Shape;
  using Seed = typename Update::Seed;
  using Tile = BorderedTile<Shape>;
  using Lanes = typename Tile::Lanes;
  static constexpr int faces = Tile::plane ? 4 : 6, faceRows = Tile::plane             ? 1
                                                               : Shape::ny > Shape::nz ? Shape::ny
                                                                                       : Shape::nz;
  struct Shared : Update::Shared {
    Tile tile;
    float lowered[Shape::size]; ///< new value of a node, `unreached` if unchanged
    float minimum[faces * faceRows];
  };

  Update update;
  int passes; ///< maximum number
  const RoundControl* control;
  const int* active;
  TileReport* report;
  int* passesMade; ///< per tile, total of all rounds

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int position) const {
    const int id = active[position];
    const Seed seed = update.prepare(team, shared, id);
    Tile& tile = shared.tile;
    PerLane<Team, float> s[2], before[2];
    PerLane<Team, int> at[2], fell;
    tile.load(team, update.image, id, [&](Cell c, auto colour, int index, float slowness) {
      at[colour][c] = index, s[colour][c] = slowness, before[colour][c] = tile.u[index];
    });

    int made = 0;
    bool moving = true;
    for (; made < passes && moving; ++made) {
      team.each(Lanes{}, [&](Cell c) { fell[c] = relax(shared, c, 0, at[0][c], s[0][c], seed); });
      moving = team.any([&](Cell c) { return relax(shared, c, 1, at[1][c], s[1][c], seed) || fell[c]; });
    }

    const bool changed = writeBack(team, shared, id, at, before);
    team.once([&] {
      passesMade[id] += made;
      if (changed) report[id].lowered = control->round;
      if (moving) report[id].unfinished = control->round;
    });
    if (changed) reportKeys(team, shared, id, Update::usesLater(seed));
  }

private:
  TEAM_FN bool relax(Shared& shared, Cell c, int colour, int at, float s, const Seed& seed) const {
    float& value = shared.tile.u[at];
    const float old = value, now = update.updated(shared.tile, shared, c, colour, at, s, seed);
    value = minOf(now, old);
    return now < old;
  }

  /// Writes the values that are lower than before. Returns whether there are any.
  template <class Team>
  TEAM_FN bool writeBack(Team& team, Shared& shared, int id, PerLane<Team, int> (&at)[2],
                         PerLane<Team, float> (&before)[2]) const {
    const TileCorner corner = image::corner<Shape>(update.image.grid, id);
    return team.any([&](Cell c) {
      bool any = false;
      execution::unroll<2>([&](auto colour) {
        const float now = shared.tile.u[at[colour][c]];
        const bool lower = now < before[colour][c];
        any = any || lower;
        shared.lowered[Tile::node(c, colour)] = lower ? now : unreached;
        if (lower)
          update.image.u[update.image.grid.index(corner.x + Tile::column(c, colour), corner.y + c.y,
                                                 corner.z + c.z)] = now;
      });
      return any;
    });
  }

  /// Reports the keys of all faces.
  template <class Team>
  TEAM_FN void reportKeys(Team& team, Shared& shared, int id, bool usesLater) const {
    team.each(Box<faceRows, faces, 1>{},
              [&](Cell c) { shared.minimum[c.index] = minOfRow(shared, c.y, c.x, usesLater); });
    team.each(Box<faces, 1, 1>{}, [&](Cell c) {
      float minimum = unreached;
      for (int r = 0; r < faceRows; ++r) minimum = minOf(minimum, shared.minimum[c.index * faceRows + r]);
      report[id].key[c.index] = minimum;
    });
  }

  /// Returns the minimum key of one row of a face. Rows run along the first of the other two axes.
  /// @param usesLater  a later node may also lower a node
  TEAM_FN static float minOfRow(const Shared& shared, int face, int rowOfFace, bool usesLater) {
    const int axis = face / 2, up = face % 2;
    const int rows = axis == 2 ? Shape::ny : Shape::nz, length = axis == 0 ? Shape::ny : Shape::nx;
    const int depth = axis == 0 ? Shape::nx : axis == 1 ? Shape::ny : Shape::nz;
    const int outward = axis == 0 ? 1 : axis == 1 ? Tile::row : Tile::slab;
    const int at = up ? depth - 1 : 0;
    float minimum = unreached;
    if (rowOfFace >= rows) return minimum;
    for (int n = 0; n < length; ++n) {
      const int x = axis == 0 ? at : n, y = axis == 0 ? n : axis == 1 ? at : rowOfFace;
      const int z = axis == 2 ? at : rowOfFace;
      const float now = shared.lowered[x + Shape::nx * (y + Shape::ny * z)];
      const float behind =
          shared.tile.u[Tile::first + x + Tile::row * y + Tile::slab * z + (up ? outward : -outward)];
      minimum = now < behind || usesLater ? minOf(minimum, now) : minimum;
    }
    return minimum;
  }
};

} // namespace isochrone::image
