// MassFront.h - the kernels of the discrete adjoint: all states that have mass, and the order in which they
// pass it on.
//
// A mass at a state is the derivative of the objective by its travel time. It goes to the states that give it
// this time, in their shares, which a solver's Step knows. The front moves down from the latest states. A
// state waits while the front holds times later than its own by more than half a step, so that most of its
// mass has arrived. Mass that arrives after that is passed down later. The states that pass mass in a round
// depend on the previous round only. So the result is bit-identical in any order of lanes and on any device.
#pragma once

#include "Adjoint/FetchAdd.h"
#include "Adjoint/TipMass.h"
#include "Execution/Key.h"
#include "Execution/Team.h"

#include <cstdint>

namespace isochrone::adjoint {

using execution::Box;
using execution::Cell;

/// Sets bits of a word that many lanes set, and returns the previous one. A single host
/// thread sets them without a lock, which is faster.
TEAM_FN std::int64_t fetchOr(std::int64_t& word, std::int64_t bits, [[maybe_unused]] bool manyThreads) {
#ifdef __CUDA_ARCH__
  using Word = unsigned long long;
  return std::int64_t(atomicOr(reinterpret_cast<Word*>(&word), Word(bits)));
#else
  if (manyThreads) return __atomic_fetch_or(&word, bits, __ATOMIC_RELAXED);
  const std::int64_t now = execution::loadRelaxed(word);
  execution::storeRelaxed(word, now | bits);
  return now;
#endif
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
  int size, listed;  ///< states in the list that is read, in the list that is written
  int tips, joining; ///< number of tips that have joined the front, and that join in this round
  int blocks;        ///< of states that are read and tips that join, by FrontLanes
  int current;       ///< the list that is read
  float top;         ///< the latest time in the front and of the tips to come
  /// Minimum key of the negative times in the list that is written, for its latest time.
  execution::Key nextTop = execution::noKey;
};

using FrontLanes = Box<64, 1, 1>;

/// The states that a block lists: one addition to the counter of all blocks instead of one per state.
struct FrontBatch {
  static constexpr int capacity = 4 * FrontLanes::size; ///< further states go straight to the list
  int count, first;
  execution::Key top; ///< as FrontControl::nextTop
  FrontState states[capacity];
};

struct FrontView {
  FrontControl* control;
  FrontState* lists[2];
  std::int64_t* taken; ///< mass per entry of the list that is read
  std::int64_t* mass;  ///< per state: twice its mass, plus 1 if it is listed already or keeps what it gets
  bool manyThreads;    ///< whether several threads add to masses

  TEAM_FN const FrontState& at(int i) const { return lists[control->current][i]; }

  TEAM_FN void keep(FrontBatch& batch, const FrontState& front) const {
    execution::fetchMin(batch.top, execution::keyOf(-front.time));
    const int i = fetchAdd(batch.count, 1, false);
    if (i < FrontBatch::capacity)
      batch.states[i] = front;
    else
      lists[1 - control->current][execution::fetchAdd(control->listed, 1)] = front;
  }

  /// Gives mass to a state, and lists it if necessary.
  template <class Step>
  TEAM_FN void give(const Step& step, FrontBatch& batch, int state, std::int64_t part) const {
    constexpr std::int64_t listed = 1;
    if (fetchAdd(mass[state], 2 * part, manyThreads) & listed) return;
    if (fetchOr(mass[state], listed, manyThreads) & listed) return;
    keep(batch, step.inFront(state));
  }

  /// Calls work(cell) on every lane, which keeps and gives, then appends the batch to the list.
  template <class Team, class F>
  TEAM_FN void each(Team& team, FrontBatch& batch, F&& work) const {
    team.once([&] { batch.count = 0, batch.top = execution::noKey; });
    team.each(FrontLanes{}, work);
    team.once([&] {
      if (batch.count > FrontBatch::capacity) batch.count = FrontBatch::capacity;
      if (batch.count == 0) return;
      batch.first = execution::fetchAdd(control->listed, batch.count);
      execution::fetchMin(control->nextTop, batch.top);
    });
    FrontState* const list = lists[1 - control->current];
    team.each(FrontLanes{}, [&](Cell c) {
      for (int i = c.index; i < batch.count; i += FrontLanes::size) list[batch.first + i] = batch.states[i];
    });
  }
};

/// Marks the states that keep the mass they get.
struct HoldMass {
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
      c.top = -execution::timeOf(c.nextTop); // NaN for an empty list
      c.nextTop = execution::noKey;
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

/// Passes down the masses that were taken. Tips that join the front get their mass.
/// @tparam S  has inFront(state), which describes a state in the front, and passDown(state, mass, give). This
///            calls give(target, part) for the parts of a mass
template <class S>
struct SpreadMass {
  using Lanes = FrontLanes;
  using Shared = FrontBatch;
  S step;
  FrontView front;
  const TipMass* tips;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& batch, int position) const {
    const FrontControl& control = *front.control;
    front.each(team, batch, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i < control.size) {
        if (front.taken[i] != 0)
          step.passDown(front.at(i).state, front.taken[i],
                        [&](int target, std::int64_t part) { front.give(step, batch, target, part); });
      } else if (i < control.size + control.joining) {
        const TipMass& tip = tips[control.tips + i - control.size];
        front.give(step, batch, tip.state, tip.mass);
      }
    });
  }
};

/// Reads the masses that states keep.
struct ReadMass {
  using Lanes = Box<256, 1, 1>;
  struct Shared {};
  const int* states;
  int count;
  const std::int64_t* mass;
  std::int64_t* out;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i < count) out[i] = mass[states[i]] >> 1;
    });
  }
};

} // namespace isochrone::adjoint
