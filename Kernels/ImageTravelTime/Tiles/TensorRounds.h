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
