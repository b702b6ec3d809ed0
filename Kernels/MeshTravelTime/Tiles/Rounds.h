// Rounds.h - the counters on the device that control the rounds, and the kernels that begin and end them.
#pragma once

#include "Execution/Key.h"

#include <cstdint>

namespace isochrone::mesh {

using execution::Box;
using execution::Key;
using execution::noKey;

/// Counters in device memory that control the rounds.
struct RoundControl {
  int listed = 0; ///< vertices, or subdomains, chosen for the next round
  int count = 0;  ///< items chosen for this round
  int blocks = 0; ///< number of blocks of this round
  int round = 0;
  int wave = 0; ///< number of times that vertices were lowered from outside
  int done = 0;
  Key minimum = noKey;             ///< minimum over the vertices woken
  Key bound = execution::firstKey; ///< a round takes the vertices with keys up to this one
  std::int64_t updates = 0;        ///< number of items of all rounds
};

/// Starts another wave.
struct BeginWave {
  using Lanes = Box<1, 1, 1>;
  struct Shared {};
  RoundControl* control;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.once([&] { control->done = 0, ++control->wave; });
  }
};

/// Decides whether another round follows, and sets the maximum key of the one after it.
struct DecideRound {
  using Lanes = Box<1, 1, 1>;
  struct Shared {};
  float band;
  int perBlock; ///< listed items per block
  RoundControl* control;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.once([&] {
      RoundControl& now = *control;
      now.done = now.done || now.minimum == noKey;
      now.count = now.done ? 0 : now.listed;
      now.blocks = (now.count + perBlock - 1) / perBlock;
      now.round += !now.done;
      now.updates += now.count;
      if (!now.done) now.bound = execution::endOfBand(now.minimum, band);
      now.minimum = noKey;
    });
  }
};

} // namespace isochrone::mesh
