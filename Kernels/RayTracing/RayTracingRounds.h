// RayTracingRounds.h - what surrounds the relaxation of tiles: the choice of the next round's tiles, and the
// decision whether there is one. Every tile looks at its neighbours instead of being told, so that no two
// write the same place.
#pragma once

#include "RayTracing/RayTracingTile.h"

namespace isochrone::rays {

/// What all tiles have to do after a round, and whether the next one takes them.
template <class Shape, class Real>
struct ChooseTiles {
  using Lanes = Box<128, 1, 1>;
  struct Shared {
    Real key[Lanes::size];
  };
  TileNumbers numbers;
  const RoundControl* control;
  const TileReport<Shape, Real>* report;
  Wake<Real>* pending;  ///< per tile
  const Real* bound;    ///< per run: a round takes the tiles with keys up to here
  std::uint8_t* chosen; ///< per tile
  Real* leastKeys;      ///< per 128 tiles

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int id = position * Lanes::size + c.index;
      Wake<Real> wake = Wake<Real>::none();
      if (id % numbers.ofRun < numbers.count()) {
        wake = pendingOf(id);
        pending[id] = wake;
        chosen[id] = !control->done && wake.key < unreached<Real> && wake.key <= bound[id / numbers.ofRun];
      }
      shared.key[c.index] = wake.key;
    });
    for (int half = Lanes::size / 2; half > 0; half /= 2)
      team.each(Lanes{}, [&](Cell c) {
        if (c.index < half) shared.key[c.index] = lesser(shared.key[c.index + half], shared.key[c.index]);
      });
    team.once([&] { leastKeys[position] = shared.key[0]; });
  }

private:
  TEAM_FN Wake<Real> pendingOf(int id) const {
    Wake<Real> wake = chosen[id] ? Wake<Real>::none() : pending[id];
    for (int d = 0; d < Shape::directions; ++d) {
      const int next = numbers.neighbour(id, Direction::of<Shape>(d));
      if (next >= 0 && report[next].round == control->round)
        wake.add(report[next].wake[Shape::directions - 1 - d]);
    }
    return wake;
  }
};

/// Decides whether there is another round, and how far the keys of its successor's tiles may reach.
template <class Real>
struct DecideRound {
  static constexpr int mostRuns = 16;
  using Lanes = Box<32, mostRuns, 1>; // 32 for each run
  struct Shared {
    Real least[Lanes::size];
  };
  int runs, groups;      ///< groups of 128 tiles in a run
  const Real* leastKeys; ///< per group
  Real band;             ///< of keys that a round takes
  Real* bound;           ///< per run
  RoundControl* control;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int) const {
    team.each(Lanes{}, [&](Cell c) {
      Real least = unreached<Real>;
      if (c.y < runs)
        for (int i = c.x; i < groups; i += Lanes::nx) least = lesser(leastKeys[c.y * groups + i], least);
      shared.least[c.index] = least;
    });
    for (int half = Lanes::nx / 2; half > 0; half /= 2)
      team.each(Lanes{}, [&](Cell c) {
        if (c.x < half) shared.least[c.index] = lesser(shared.least[c.index + half], shared.least[c.index]);
      });
    team.once([&] {
      bool more = false;
      for (int run = 0; run < runs; ++run) {
        const Real least = shared.least[run * Lanes::nx];
        more = more || least < unreached<Real>;
        bound[run] = least + band;
      }
      control->done = control->done || !more;
      control->count = control->done ? 0 : control->listed;
      control->round += !control->done;
    });
  }
};

} // namespace isochrone::rays
