// TensorTile.h - the relaxation of a tile with tensors or a tilted medium on any Team.
//
// A lane has one point. The stencils are longer than the border of a tile, so a tile reads the values of
// other tiles from the image, and writes its own to a second array, which is copied after the round. The
// passes within a tile read the values of the pass before. The result is therefore the same, bit for bit, in
// any order of tiles and lanes.
#pragma once

#include "Execution/Key.h"
#include "ImageTravelTime/Tiles/TensorImage.h"
#include "ImageTravelTime/Tiles/TensorReaders.h"

namespace isochrone::image {

using execution::warpSize;

/// The tiles that read each tile; see TensorReaders.
struct ReadersView {
  const int* first;
  const TensorReader* readers;
  execution::Key* keys; ///< per tile, minimum value that may change it
};

/// Calls f(x, y, z) for the points of a box within a tile that belong to a lane of a warp.
template <class Shape, class F>
TEAM_FN void forEachOfLane(PackedBox box, int lane, F&& f) {
  constexpr int rows = warpSize / Shape::nx; // of a warp at a time
  const int x = lane % Shape::nx;
  if (x < int(box & 15) || x > int(box >> 12 & 15)) return;
  for (int z = box >> 8 & 15; z <= int(box >> 20 & 15); ++z)
    for (int y = int(box >> 4 & 15) + lane / Shape::nx; y <= int(box >> 16 & 15); y += rows) f(x, y, z);
}

/// Relaxes a tile by passes over its points, with fixed values around it, and lowers the keys of the tiles
/// that read what it lowered.
/// @tparam Update  the update of a lane's point: TensorTileUpdate or ThomsenTileUpdate
template <class Update>
struct RelaxTensorTile {
  using Shape = typename Update::Shape;
  using Lanes = Shape;
  static constexpr int warps = Shape::size / warpSize;
  struct Shared {
    TileValues<Shape> u;
    float lowered[Shape::size]; ///< new value of a point, `never` if unchanged
  };

  Update update;
  ReadersView readers;
  int passes; ///< maximum number
  const int* active;
  int* passesMade; ///< per tile, total of all rounds

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int position) const {
    const int id = active[position];
    const TileCorner corner = image::corner<Shape>(update.image.grid, id);
    typename Update::template Terms<Team> of;
    PerLane<Team, float> before, now;
    team.each(Lanes{}, [&](Cell c) { before[c] = update.load(shared.u, c, corner, of); });

    int made = 0;
    bool moving = true;
    for (; made < passes && moving; ++made) {
      team.each(Lanes{}, [&](Cell c) { now[c] = update.updated(shared.u, c, corner, of); });
      moving = team.any([&](Cell c) {
        const bool lower = now[c] < shared.u[c.index];
        shared.u[c.index] = now[c];
        return lower;
      });
    }

    const bool lowered = team.any([&](Cell c) {
      const bool lower = now[c] < before[c];
      shared.lowered[c.index] = lower ? now[c] : never;
      if (lower) update.image.next[node(corner, c.x, c.y, c.z)] = now[c];
      return lower;
    });
    if (lowered) lowerKeys(team, shared, id, moving);
    team.once([&] { passesMade[id] += made; });
  }

private:
  TEAM_FN int node(const TileCorner& corner, int x, int y, int z) const {
    return update.image.node(corner.x + x, corner.y + y, corner.z + z);
  }

  /// Lowers the keys of the tiles that read new values: a warp per reader. A new value cannot lower earlier
  /// ones, but see mayLower; with factoring it can, near a seed.
  /// @param moving  whether the last pass lowered a value; otherwise the tile itself needs no turn
  template <class Team>
  TEAM_FN void lowerKeys(Team& team, const Shared& shared, int id, bool moving) const {
    const int last = readers.first[id + 1];
    for (int first = readers.first[id]; first < last; first += warps) {
      const auto readerOf = [&](Cell c) -> const TensorReader& {
        return readers.readers[first + c.index / warpSize];
      };
      PerLane<Team, float> low; // minimum new value that the reader reads
      team.each(Lanes{}, [&](Cell c) {
        low[c] = never;
        if (first + c.index / warpSize >= last || (readerOf(c).tile == id && !moving)) return;
        forEachOfLane<Shape>(readerOf(c).read, c.index % warpSize, [&](int x, int y, int z) {
          low[c] = minOf(low[c], shared.lowered[x + Shape::nx * (y + Shape::ny * z)]);
        });
      });
      for (int step = warpSize / 2; step > 0; step /= 2) {
        const auto other = team.shuffle(low, [step](Cell c) { return c.index ^ step; });
        team.each(Lanes{}, [&](Cell c) { low[c] = minOf(low[c], other[c]); });
      }
      const auto later =
          team.ballot([&](Cell c) { return low[c] < never && hasLater(readerOf(c), low[c], c); });
      team.each(Lanes{}, [&](Cell c) {
        if (c.index % warpSize == 0 && later[c])
          execution::fetchMin(readers.keys[readerOf(c).tile], execution::keyOf(low[c]));
      });
    }
  }

  /// Returns whether a lane's share of the points of a reader that read this tile has values that `low` may
  /// lower, or with factoring lies near a seed.
  TEAM_FN bool hasLater(const TensorReader& reader, float low, Cell c) const {
    const TileCorner corner = image::corner<Shape>(update.image.grid, reader.tile);
    bool later = false;
    forEachOfLane<Shape>(reader.reads, c.index % warpSize, [&](int x, int y, int z) {
      later = later || update.mayLower(low, update.image.u[node(corner, x, y, z)]);
      if constexpr (Update::factored)
        later = later || update.balls.at(corner.x + x, corner.y + y, corner.z + z) >= 0;
    });
    return later;
  }
};

} // namespace isochrone::image
