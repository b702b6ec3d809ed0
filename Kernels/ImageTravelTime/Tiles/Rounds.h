// Rounds.h - the kernels around the relaxation of tiles: slowness, start values, the choice of the next
// round's tiles, the end of the rounds, and the user's units.
//
// Keys and band are defined as in Grid/TileSchedule.h, but kept on the device. Every tile reads the reports
// of its neighbours, so that no two tiles write the same location.
#pragma once

#include "Execution/Key.h"
#include "ImageTravelTime/Tiles/RelaxTile.h"

namespace isochrone::image {

/// Moves the minimum of N values shared by a team to the front. N is a power of two.
template <int N, class Team>
TEAM_FN void minToFront(Team& team, float (&values)[N]) {
  for (int half = N / 2; half > 0; half /= 2)
    team.each(Box<N, 1, 1>{}, [&](Cell c) {
      if (c.index < half) values[c.index] = minOf(values[c.index], values[c.index + half]);
    });
}

/// Keys from points that are one place (Places.h).
struct PlaceKeys {
  static constexpr execution::Key idle = execution::firstKey; ///< of tiles that never have a turn
  execution::Key* keys;                                       ///< per tile, `unreached` after they were read
  int* fallen; ///< number of groups of places that fell in the round
};

/// Computes the keys of all tiles after a round, and chooses the tiles of the next round: those of one colour
/// whose key lies within the band.
/// @tparam coupled  whether some points are one place
template <bool coupled>
struct ChooseTiles {
  using Lanes = Box<128, 1, 1>;
  struct Shared {
    float key[Lanes::size];
  };
  NodeGrid grid;
  const RoundControl* control;
  const TileReport* report;
  float* keys;          ///< per tile: minimum value that may change it, `unreached` if none
  std::uint8_t* chosen; ///< per tile
  float* minKeys;       ///< minimum key per 128 tiles
  PlaceKeys places;     ///< if coupled

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int id = position * Lanes::size + c.index;
      float key = unreached;
      if (id < grid.tiles()) {
        key = keyOf(id);
        if constexpr (coupled) {
          const bool idle = places.keys[id] == PlaceKeys::idle;
          key = idle ? unreached : minOf(key, execution::timeOf(places.keys[id]));
          if (!idle) places.keys[id] = execution::keyOf(unreached);
        }
        keys[id] = key;
        const bool turn = grid.colour(id) == (control->round & 1);
        chosen[id] = !control->done && turn && key < unreached && key <= control->bound;
      }
      shared.key[c.index] = key;
    });
    minToFront(team, shared.key);
    team.once([&] {
      minKeys[position] = shared.key[0];
      if constexpr (coupled)
        if (position == 0) *places.fallen = 0;
    });
  }

  /// Returns the kernel for an image with places.
  ChooseTiles<true> with(const PlaceKeys& newKeys) const {
    return {grid, control, report, keys, chosen, minKeys, newKeys};
  }

private:
  TEAM_FN float keyOf(int id) const {
    const int round = control->round;
    const bool unfinished = report[id].unfinished == round;
    float key = chosen[id] && !unfinished ? unreached : keys[id];
    for (int face = 0; face < tileFaces; ++face) {
      const int next = grid.neighbour(id, face);
      if (next >= 0 && report[next].lowered == round) key = minOf(key, report[next].key[face ^ 1]);
    }
    return key;
  }
};

/// Decides whether another round follows, and sets the maximum key of the round after it.
struct DecideRound {
  using Lanes = Box<256, 1, 1>;
  struct Shared {
    float minimum[Lanes::size];
  };
  int groups; ///< number of minKeys
  const float* minKeys;
  float band, latest; ///< width of the band; values beyond `latest` are not needed
  const float* u;
  const std::int64_t* tips; ///< nodes; none: no early end
  int tipCount;
  RoundControl* control;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int) const {
    team.each(Lanes{}, [&](Cell c) {
      float minimum = unreached;
      for (int i = c.index; i < groups; i += Lanes::size) minimum = minOf(minimum, minKeys[i]);
      shared.minimum[c.index] = minimum;
    });
    minToFront(team, shared.minimum);
    const float minimum = shared.minimum[0];
    const bool tipsMove = team.any([&](Cell c) {
      bool moves = false;
      for (int i = c.index; i < tipCount; i += Lanes::size) moves = moves || u[tips[i]] > minimum;
      return moves;
    });
    team.once([&] {
      RoundControl& c = *control;
      c.minimum = c.done ? c.minimum : minimum;
      c.done = c.done || minimum >= unreached || minimum > latest || (tipCount > 0 && !tipsMove);
      c.count = c.done ? 0 : c.listed;
      c.round += !c.done;
      c.bound = minimum + band;
    });
  }
};

/// Converts speed or slowness to squared slowness in the solver's units; +infinity in barriers.
struct SquareSlowness {
  using Lanes = Box<256, 1, 1>;
  struct Shared {};
  std::int64_t nodes;
  SquaredSlowness squared;
  const std::uint8_t* barriers; ///< or null
  float* values;                ///< in and out

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const std::int64_t i = std::int64_t(position) * Lanes::size + c.index;
      if (i < nodes) values[i] = barriers && barriers[i] ? infinite : squared(values[i]);
    });
  }
};

/// A node where the front starts, and its start value.
struct StartNode {
  std::int64_t node;
  float value;
};

struct PlaceSeeds {
  using Lanes = Box<32, 1, 1>;
  struct Shared {};
  const StartNode* starts; ///< each node at most once
  int count;
  float* u;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i < count) u[starts[i].node] = starts[i].value;
    });
  }
};

/// Converts times from the solver's units to the user's; +infinity where unreached, where the value exceeds
/// `latest`, and in barriers marked by -unreached.
struct FinishTimes {
  using Lanes = Box<256, 1, 1>;
  struct Shared {};
  float unit, earliest, latest;
  std::int64_t nodes;
  float* u;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const std::int64_t i = std::int64_t(position) * Lanes::size + c.index;
      if (i < nodes)
        u[i] = u[i] > -unreached && u[i] < unreached && u[i] <= latest ? earliest + unit * u[i] : infinite;
    });
  }
};

} // namespace isochrone::image
