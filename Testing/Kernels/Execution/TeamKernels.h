// TeamKernels.h - small kernels with known results, one per operation of the Team layer, run on every team.
#pragma once

#include "Execution/Team.h"

#include <cstdint>

namespace isochrone::execution {

/// A valid kernel: each lane passes its value to the next one through Shared, `rounds` times, with two
/// buffers.
struct RotateLanes {
  using Lanes = Box<8, 4, 2>;
  struct Shared {
    int value[2][Lanes::size];
  };
  int rounds;
  int* out; ///< [position][lane]

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int position) const {
    team.each(Lanes{}, [&](Cell c) { shared.value[0][c.index] = 1000 * position + c.index; });
    for (int r = 0; r < rounds; ++r) {
      const int* from = shared.value[r & 1];
      int* to = shared.value[1 - (r & 1)];
      team.each(Lanes{}, [&](Cell c) { to[c.index] = from[(c.index + Lanes::size - 1) % Lanes::size]; });
    }
    team.each(Lanes{},
              [&](Cell c) { out[position * Lanes::size + c.index] = shared.value[rounds & 1][c.index]; });
  }
};

/// Values per lane and per warp, and the collectives.
struct UseCollectives {
  using Lanes = Box<32, 2, 1>;
  using Halo = Box<34, 4, 1>; ///< more cells than lanes
  struct Shared {
    int halo[Halo::size];
    int sum;
  };
  static constexpr int results = 7;
  std::int64_t* out; ///< [position][lane][result]

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int position) const {
    PerLane<Team, int> kept;
    team.each(Halo{}, [&](Cell c) { shared.halo[c.index] = c.x + 100 * c.y; });
    team.each(Lanes{}, [&](Cell c) { kept[c] = 3 * c.index + position; });
    team.once([&] {
      shared.sum = 0;
      for (int i = 0; i < Halo::size; ++i) shared.sum += shared.halo[i];
    });
    const bool one = team.any([&](Cell c) { return c.index == 63; });
    const bool none = team.any([&](Cell c) { return kept[c] < 0; });
    const PerWarp<Team, std::uint32_t> word = team.ballot([&](Cell c) { return c.index % 3 == 0; });
    const PerLane<Team, int> left = team.shuffle(kept, [&](Cell c) { return c.index + 31; });
    team.each(Lanes{}, [&](Cell c) {
      std::int64_t* r = out + (std::int64_t(position) * Lanes::size + c.index) * results;
      int unrolled = 0;
      unroll<4>([&](auto k) { unrolled = 10 * unrolled + k; });
      r[0] = kept[c], r[1] = shared.sum, r[2] = one, r[3] = none, r[4] = word[c], r[5] = left[c],
      r[6] = unrolled;
    });
  }

  /// Returns the expected result `i` of a lane.
  static std::int64_t expected(int position, int lane, int i) {
    const int warp = lane / 32 * 32;
    std::int64_t sum = 0, word = 0;
    for (int y = 0; y < Halo::ny; ++y)
      for (int x = 0; x < Halo::nx; ++x) sum += x + 100 * y;
    for (int l = 0; l < 32; ++l)
      if ((warp + l) % 3 == 0) word |= std::int64_t(1) << l;
    const std::int64_t all[results] = {
        3 * lane + position, sum, 1, 0, word, 3 * (warp + (lane + 31) % 32) + position, 123};
    return all[i];
  }
};

/// Writes the number of positions of the next run.
struct CountOnDevice {
  using Lanes = Box<1, 1, 1>;
  struct Shared {};
  int* count;
  int value;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.once([&] { *count = value; });
  }
};

/// Marks the positions that ran.
struct MarkPosition {
  using Lanes = Box<32, 1, 1>;
  struct Shared {};
  std::uint8_t* ran;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.once([&] { ran[position] += 1; });
  }
};

/// Marks positions; their number is read from device memory.
struct MarkPositionsOfTheDevice : MarkPosition {
  const int* count;
  TEAM_FN int positions() const { return *count; }
};

/// Divides the numbers of the lanes.
struct DivideNumbers {
  using Lanes = Box<32, 1, 1>;
  struct Shared {};
  Divisor by;
  int* numbers;
  int count;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i < count) numbers[i] = by.quotient(numbers[i]);
    });
  }
};

/// Each lane lists its numbers after those of the previous lane.
struct ListNumbers {
  using Lanes = Box<32, 1, 1>;
  struct Shared {};
  int *count, *list, *listedBy;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.once([&] {
      if (exchange(listedBy[position / 2], 1) == 0) list[fetchAdd(*count, 1)] = position / 2;
    });
  }
};

} // namespace isochrone::execution
