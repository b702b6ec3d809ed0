// TensorRounds.h - the kernels around the relaxation of tiles with tensors: the new values of a round, and
// the choice of the next round's tiles. DecideRound of Rounds.h ends the rounds.
#pragma once

#include "ImageTravelTime/Tiles/Rounds.h"
#include "ImageTravelTime/Tiles/TensorTile.h"

namespace isochrone::image {

/// Sets both arrays of values before the start nodes are placed.
struct ClearTensorTimes {
  using Lanes = Box<256, 1, 1>;
  struct Shared {};
  std::int64_t nodes;
  const TensorWord* word;
  float *u, *next;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const std::int64_t i = std::int64_t(position) * Lanes::size + c.index;
      if (i < nodes) u[i] = next[i] = word[i] == noStencil ? barrierValue : never;
    });
  }
};

/// Copies the values of the relaxed tiles to where other tiles read them.
template <class Shape>
struct CommitTensorTile {
  using Lanes = Shape;
  struct Shared {};
  NodeGrid grid;
  const int* active;
  const float* next;
  float* u;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const TileCorner corner = image::corner<Shape>(grid, active[position]);
    team.each(Lanes{}, [&](Cell c) {
      const int x = corner.x + c.x, y = corner.y + c.y, z = corner.z + c.z;
      if (grid.holds(x, y, z)) u[grid.index(x, y, z)] = next[grid.index(x, y, z)];
    });
  }
};

/// The points of a device grid that are no copies of others. The period of an axis is their number.
struct OwnNodes {
  int low[3], size[3];

  TEAM_FN bool hold(int x, int y, int z) const {
    return unsigned(x - low[0]) < unsigned(size[0]) && unsigned(y - low[1]) < unsigned(size[1]) &&
           unsigned(z - low[2]) < unsigned(size[2]);
  }
};

/// Clears the margin of a periodic image after ClearTensorTimes, which takes it for barriers.
struct ClearMargin {
  using Lanes = Box<256, 1, 1>;
  struct Shared {};
  NodeGrid grid;
  OwnNodes own;
  float *u, *next;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const std::int64_t i = std::int64_t(position) * Lanes::size + c.index;
      const int row = int(i / grid.nx);
      if (i < grid.nodes() && !own.hold(int(i % grid.nx), row % grid.ny, row / grid.ny))
        u[i] = next[i] = never;
    });
  }
};

/// Copies the values of the relaxed tiles of a periodic image to where other tiles read them, also to the
/// copies of their points in the margin.
template <class Shape>
struct CommitPeriodicTile {
  using Lanes = Shape;
  struct Shared {};
  NodeGrid grid;
  OwnNodes own;
  const int* active;
  const float* next;
  float* u;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const TileCorner corner = image::corner<Shape>(grid, active[position]);
    team.each(Lanes{}, [&](Cell c) {
      const int x = corner.x + c.x, y = corner.y + c.y, z = corner.z + c.z;
      if (!own.hold(x, y, z)) return;
      const float value = next[grid.index(x, y, z)];
      for (int k = first(z, 2); k < grid.nz; k += own.size[2])
        for (int j = first(y, 1); j < grid.ny; j += own.size[1])
          for (int i = first(x, 0); i < grid.nx; i += own.size[0]) u[grid.index(i, j, k)] = value;
    });
  }

private:
  /// Returns the index of the first copy along an axis. The margin is not wider than the period.
  TEAM_FN int first(int at, int axis) const { return at >= own.size[axis] ? at - own.size[axis] : at; }
};

/// Chooses the tiles of the next round: those whose key lies within the band.
struct ChooseTensorTiles {
  using Lanes = Box<128, 1, 1>;
  struct Shared {
    float key[Lanes::size];
  };
  int tiles;
  const RoundControl* control;
  execution::Key* keys; ///< per tile: minimum value that may change it; reset in those chosen
  std::uint8_t* chosen; ///< per tile
  float* minKeys;       ///< minimum key per 128 tiles

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int id = position * Lanes::size + c.index;
      float key = unreached;
      if (id < tiles) {
        key = execution::timeOf(keys[id]);
        const bool take = !control->done && key < unreached && key <= control->bound;
        chosen[id] = take;
        if (take) keys[id] = execution::keyOf(unreached);
      }
      shared.key[c.index] = key;
    });
    minToFront(team, shared.key);
    team.once([&] { minKeys[position] = shared.key[0]; });
  }
};

} // namespace isochrone::image
