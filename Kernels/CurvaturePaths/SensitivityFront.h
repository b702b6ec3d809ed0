// SensitivityFront.h - the front of the discrete adjoint: all states that have mass, and whose turn it is.
//
// The front moves down from the latest states: a state waits while the front holds times later than its own
// by more than about a step, so that most of what will come has come. Mass that comes after all is handed
// down later. Which states give in a round depends on nothing but the round before: the result is the same,
// bit for bit, in any order of lanes and on any device.
#pragma once

#include "CurvaturePaths/SensitivityDescent.h"
#include "Execution/Team.h"

#include <atomic>
#include <cstdint>
#include <cstring>

namespace isochrone::curvature {

using execution::Box;
using execution::Cell;

// Operations on numbers that many lanes change; each returns what the number was. Their results do not depend
// on the order of the lanes.
#ifdef __CUDA_ARCH__
TEAM_FN int fetchAdd(int* sum, int value) { return atomicAdd(sum, value); }
TEAM_FN void fetchAdd(std::int64_t* sum, std::int64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
}
TEAM_FN std::uint32_t fetchOr(std::uint32_t* word, std::uint32_t bits) { return atomicOr(word, bits); }
TEAM_FN void fetchAnd(std::uint32_t* word, std::uint32_t bits) { atomicAnd(word, bits); }
TEAM_FN void raise(std::uint32_t* largest, std::uint32_t value) { atomicMax(largest, value); }
#else
TEAM_FN int fetchAdd(int* sum, int value) {
  return std::atomic_ref(*sum).fetch_add(value, std::memory_order_relaxed);
}
TEAM_FN void fetchAdd(std::int64_t* sum, std::int64_t value) {
  std::atomic_ref(*sum).fetch_add(value, std::memory_order_relaxed);
}
TEAM_FN std::uint32_t fetchOr(std::uint32_t* word, std::uint32_t bits) {
  return std::atomic_ref(*word).fetch_or(bits, std::memory_order_relaxed);
}
TEAM_FN void fetchAnd(std::uint32_t* word, std::uint32_t bits) {
  std::atomic_ref(*word).fetch_and(bits, std::memory_order_relaxed);
}
TEAM_FN void raise(std::uint32_t* largest, std::uint32_t value) {
  std::atomic_ref shared(*largest);
  std::uint32_t now = shared.load(std::memory_order_relaxed);
  while (value > now && !shared.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
  }
}
#endif

/// A time as a whole number with the same order, above 0.
TEAM_FN std::uint32_t timeKey(float time) {
  std::uint32_t bits;
  std::memcpy(&bits, &time, sizeof bits);
  return bits >> 31 ? ~bits : bits | 1u << 31;
}
TEAM_FN float keyTime(std::uint32_t key) {
  const std::uint32_t bits = key >> 31 ? key & ~(1u << 31) : ~key;
  float time;
  std::memcpy(&time, &bits, sizeof time);
  return time;
}

/// A state that has mass to give away.
struct FrontState {
  int state;
  float time;    ///< its travel time
  float patient; ///< it waits while the front holds a later time than this
};

/// The front: all states that have mass. Two lists, one is read while the other is written.
struct FrontControl {
  int round;
  int size, listed;      ///< states in the list that is read, in the one that is written
  int blocks;            ///< of 256 states
  int current;           ///< which list is read
  float top;             ///< the latest time in the front
  std::uint32_t nextTop; ///< of the list that is written, by timeKey
};

struct FrontView {
  FrontControl* control;
  FrontState* lists[2];
  std::uint32_t* listed; ///< one bit per state
  std::int64_t* taken;   ///< mass per entry of the list that is read
  std::int64_t* mass;    ///< per state
  double patience;       ///< of a state, per cost

  TEAM_FN const FrontState& at(int i) const { return lists[control->current][i]; }

  TEAM_FN void keep(const FrontState& front) const {
    lists[1 - control->current][fetchAdd(&control->listed, 1)] = front;
    raise(&control->nextTop, timeKey(front.time));
  }

  /// Gives mass to a state, and lists it unless it is a seed or listed already.
  TEAM_FN void give(const DescentView& descent, int state, std::int64_t part) const {
    fetchAdd(mass + state, part);
    const std::uint32_t bit = 1u << (state & 31);
    if (descent.held[state] || (fetchOr(listed + (state >> 5), bit) & bit)) return;
    const float time = descent.u[state];
    const double cost = descent.cost.at(state, state % (descent.nx * descent.ny));
    keep({state, time, float(time + patience * cost)});
  }
};

/// Starts a round: what was written is read.
struct NextRound {
  using Lanes = Box<1, 1, 1>;
  struct Shared {};
  FrontView front;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.once([&] {
      FrontControl& c = *front.control;
      ++c.round;
      c.current = 1 - c.current;
      c.size = c.listed;
      c.listed = 0;
      c.blocks = (c.size + 255) / 256;
      c.top = keyTime(c.nextTop);
      c.nextTop = 0;
    });
  }
};

/// Takes the mass of the states whose turn it is; the others stay in the front.
struct TakeMass {
  using Lanes = Box<256, 1, 1>;
  struct Shared {};
  FrontView front;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const int size = front.control->size;
    const float top = front.control->top;
    team.each(Lanes{}, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i >= size) return;
      const FrontState f = front.at(i);
      if (f.patient < top) {
        front.taken[i] = 0;
        front.keep(f);
        return;
      }
      front.taken[i] = front.mass[f.state];
      front.mass[f.state] = 0;
      fetchAnd(front.listed + (f.state >> 5), ~(1u << (f.state & 31)));
    });
  }
};

} // namespace isochrone::curvature
