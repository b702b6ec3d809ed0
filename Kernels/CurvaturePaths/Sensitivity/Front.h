// Front.h - the front of the discrete adjoint: all states that have mass, and the order in which they pass it
// on.
//
// The front moves down from the latest states. A state waits while the front holds times later than its own
// by more than half a step, so that most of its mass has arrived. Mass that arrives after that is passed down
// later. The states that pass mass in a round depend on the previous round only. So the result is
// bit-identical in any order of lanes and on any device.
#pragma once

#include "CurvaturePaths/Sensitivity/AdjointTask.h"
#include "CurvaturePaths/Sensitivity/Descent.h"
#include "Execution/Team.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace isochrone::curvature {

using execution::Box;
using execution::Cell;

// Operations on numbers that many lanes change. Their results do not depend on the order of the lanes.
#ifdef __CUDA_ARCH__
TEAM_FN int fetchAdd(int* sum, int value) { return atomicAdd(sum, value); }
TEAM_FN void raise(std::uint32_t* largest, std::uint32_t value) { atomicMax(largest, value); }
#else
TEAM_FN int fetchAdd(int* sum, int value) {
  return std::atomic_ref(*sum).fetch_add(value, std::memory_order_relaxed);
}
TEAM_FN void raise(std::uint32_t* largest, std::uint32_t value) {
  std::atomic_ref shared(*largest);
  std::uint32_t now = shared.load(std::memory_order_relaxed);
  while (value > now && !shared.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
  }
}
#endif

// The same, returning the previous number. The lanes of a single host thread need no lock, which costs time.
#ifdef __CUDA_ARCH__
template <class T>
TEAM_FN T fetchAdd(T* sum, T value, bool) {
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  return T(atomicAdd(reinterpret_cast<Word*>(sum), Word(value)));
}
template <class T>
TEAM_FN T fetchOr(T* word, T bits, bool) {
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  return T(atomicOr(reinterpret_cast<Word*>(word), Word(bits)));
}
#else
template <class T>
TEAM_FN T fetchAdd(T* sum, T value, bool manyThreads) {
  std::atomic_ref shared(*sum);
  if (manyThreads) return shared.fetch_add(value, std::memory_order_relaxed);
  const T now = shared.load(std::memory_order_relaxed);
  shared.store(now + value, std::memory_order_relaxed);
  return now;
}
template <class T>
TEAM_FN T fetchOr(T* word, T bits, bool manyThreads) {
  std::atomic_ref shared(*word);
  if (manyThreads) return shared.fetch_or(bits, std::memory_order_relaxed);
  const T now = shared.load(std::memory_order_relaxed);
  shared.store(now | bits, std::memory_order_relaxed);
  return now;
}
#endif

/// Returns a time as an integer with the same order, above 0.
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

/// A state with mass to pass on.
struct FrontState {
  int state;
  float time;     ///< its travel time
  float waitsFor; ///< it waits while the front holds a later time than this
};

/// The front: all states that have mass. It has two lists; one is read while the other is written.
struct FrontControl {
  int round;
  int size, listed;      ///< states in the list that is read, in the list that is written
  int tips, joining;     ///< number of tips that have joined the front, and that join in this round
  int blocks;            ///< of states that are read and tips that join, by FrontLanes
  int current;           ///< the list that is read
  float top;             ///< the latest time in the front and of the tips to come
  std::uint32_t nextTop; ///< of the list that is written, by timeKey
};

using FrontLanes = Box<64, 1, 1>;

/// The states that a block lists: one addition to the counter of all blocks instead of one per state.
struct FrontBatch {
  static constexpr int capacity = 4 * FrontLanes::size; ///< further states go straight to the list
  int count, first;
  std::uint32_t top;
  FrontState states[capacity];
};

struct FrontView {
  FrontControl* control;
  FrontState* lists[2];
  std::int64_t* taken; ///< mass per entry of the list that is read
  std::int64_t* mass;  ///< per state: twice its mass, plus 1 if it is listed already or holds a seed
  double waitPerCost;  ///< waiting time of a state, per cost
  bool manyThreads;    ///< whether several threads add to masses

  TEAM_FN const FrontState& at(int i) const { return lists[control->current][i]; }

  TEAM_FN void keep(FrontBatch& batch, const FrontState& front) const {
    raise(&batch.top, timeKey(front.time));
    const int i = fetchAdd(&batch.count, 1, false);
    if (i < FrontBatch::capacity)
      batch.states[i] = front;
    else
      lists[1 - control->current][fetchAdd(&control->listed, 1)] = front;
  }

  /// Gives mass to a state, and lists it if necessary.
  TEAM_FN void give(const DescentView& descent, FrontBatch& batch, int state, std::int64_t part) const {
    constexpr std::int64_t listed = 1;
    if (fetchAdd(mass + state, 2 * part, manyThreads) & listed) return;
    if (fetchOr(mass + state, listed, manyThreads) & listed) return;
    const float time = descent.u[state];
    const double cost = descent.cost.at(state, state % (descent.nx * descent.ny));
    keep(batch, {state, time, float(time + waitPerCost * cost)});
  }

  /// Calls work(cell) on every lane, which keeps and gives, then appends the batch to the list.
  template <class Team, class F>
  TEAM_FN void each(Team& team, FrontBatch& batch, F&& work) const {
    team.once([&] { batch.count = 0, batch.top = 0; });
    team.each(FrontLanes{}, work);
    team.once([&] {
      if (batch.count > FrontBatch::capacity) batch.count = FrontBatch::capacity;
      if (batch.count == 0) return;
      batch.first = fetchAdd(&control->listed, batch.count);
      raise(&control->nextTop, batch.top);
    });
    FrontState* const list = lists[1 - control->current];
    team.each(FrontLanes{}, [&](Cell c) {
      for (int i = c.index; i < batch.count; i += FrontLanes::size) list[batch.first + i] = batch.states[i];
    });
  }
};

/// Marks the states that keep the mass they get.
struct HoldSeeds {
  using Lanes = Box<256, 1, 1>;
  struct Shared {};
  const int* states;
  int count;
  std::int64_t* mass;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i < count) mass[states[i]] = 1;
    });
  }
};

/// Starts a round: the list that was written is read, and tips join that are due.
struct NextRound {
  using Lanes = Box<1, 1, 1>;
  struct Shared {};
  FrontView front;
  const TipMass* tips; ///< the latest first
  int count;
  float lead; ///< time by which tips join ahead of the front

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.once([&] {
      FrontControl& c = *front.control;
      ++c.round;
      c.current = 1 - c.current;
      c.size = c.listed;
      c.listed = 0;
      c.top = keyTime(c.nextTop);
      c.nextTop = 0;
      c.tips += c.joining;
      if (c.tips < count && !(c.size > 0 && c.top > tips[c.tips].time)) c.top = tips[c.tips].time;
      c.joining = laterThan(c.top - lead, c.tips) - c.tips;
      c.blocks = (c.size + c.joining + FrontLanes::size - 1) / FrontLanes::size;
    });
  }

private:
  /// Returns the number of tips that are not earlier than `time`, at least `first`.
  TEAM_FN int laterThan(float time, int first) const {
    int last = count;
    while (first < last) {
      const int middle = first + (last - first) / 2;
      if (tips[middle].time >= time)
        first = middle + 1;
      else
        last = middle;
    }
    return first;
  }
};

/// Takes the mass of the states that do not wait. The others stay in the front.
struct TakeMass {
  using Lanes = FrontLanes;
  using Shared = FrontBatch;
  FrontView front;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& batch, int position) const {
    const int size = front.control->size;
    const float top = front.control->top;
    front.each(team, batch, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i >= size) return;
      const FrontState f = front.at(i);
      if (f.waitsFor < top) {
        front.taken[i] = 0;
        front.keep(batch, f);
        return;
      }
      front.taken[i] = front.mass[f.state] >> 1;
      front.mass[f.state] = 0;
    });
  }
};

} // namespace isochrone::curvature
