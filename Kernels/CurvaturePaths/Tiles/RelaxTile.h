// RelaxTile.h - the tile kernel of the curvature models on any Team.
//
// State space is cut into tiles of 32 states. A round relaxes each state of the listed tiles once and lists
// the tiles of the next round (paper, Algorithms 1 to 3, with one relaxation per round and the tags of the
// fast iterative method, for all tiles that read a tile). Rounds read one array and write another, in turns.
// So no tile reads another tile's results of the same round, and the result is bit-identical in any order of
// tiles and lanes, on any device. Mirebeau, Gayraud, Barrere, Chen, Desquilbet, 2022, section 2.
#pragma once

#include "CurvaturePaths/Scheme/LocalSolver.h"
#include "CurvaturePaths/Scheme/SecondDifference.h"
#include "CurvaturePaths/Tiles/TileReaders.h"

namespace isochrone::curvature {

using execution::Box;
using execution::Cell;
using execution::PerLane;

struct TileGrid {
  int nx, ny, headings;              ///< states
  int tx, ty, tz;                    ///< tiles
  int perPlane;                      ///< tx * ty
  execution::Divisor byRow, byPlane; ///< tx and perPlane

  TEAM_FN int tiles() const { return perPlane * tz; }
  TEAM_FN std::int64_t planePoints() const { return std::int64_t(nx) * ny; }
  TEAM_FN Cell place(int tile) const {
    const int z = byPlane.quotient(tile), inPlane = tile - z * perPlane, y = byRow.quotient(inPlane);
    return {inPlane - y * tx, y, z, tile};
  }
};

/// A state of the grid. `inside` is false for lanes of a tile that extend beyond the grid.
struct StatePoint {
  int x, y, heading;
  bool inside;
  std::uint32_t plane; ///< index among the plane points
  std::int64_t index;  ///< index among the states
};

/// @param tile  its place among the tiles
template <class Shape>
TEAM_FN StatePoint statePoint(const TileGrid& grid, const Cell& tile, Cell c) {
  StatePoint p;
  p.x = tile.x * Shape::nx + c.x;
  p.y = tile.y * Shape::ny + c.y;
  p.heading = tile.z * Shape::nz + c.z;
  p.inside = p.x < grid.nx && p.y < grid.ny && (Shape::nz == 1 || p.heading < grid.headings);
  p.plane = std::uint32_t(p.x) + std::uint32_t(grid.nx) * std::uint32_t(p.y);
  p.index = p.plane + grid.planePoints() * p.heading;
  return p;
}

/// A Field in device memory: constant, per plane point or per state; in the units of the plan.
struct FieldView {
  float constant; ///< in units of the plan; the values are in the user's units
  const float* values;
  std::int64_t perHeading; ///< values from one heading to the next; 0: one per plane point
  float perUnit;           ///< a power of two: value in units of the plan per value of the user

  TEAM_FN float at(const StatePoint& p) const {
    return values ? perUnit * values[p.plane + perHeading * p.heading] : constant;
  }
};

/// The steps that are free of walls: one bit per plane point and planar offset.
struct WallView {
  const std::uint8_t* view;   ///< inWall, nearWall or farFromWalls per plane point; null: no walls
  const std::uint32_t* words; ///< [offset / 32][plane point]

  TEAM_FN int at(std::uint32_t plane) const { return view ? view[plane] : farFromWalls; }
};

/// A round, in device memory. Three rounds take turns: the previous one, this one, and the next one, for
/// which this one lists tiles.
struct Round {
  int listed; ///< tiles to relax
  int number;
};
struct RoundControl {
  Round rounds[3];
  int count;   ///< rounds that relaxed tiles
  float limit; ///< values from here on do not matter: they are later than all tips
  long long tileUpdates;
};

/// A scheme of `Schemes` sums of `Slots` terms. The first `Symmetric` terms of a sum are symmetric. With
/// `Turns`, slot 0 turns on the spot.
template <int Schemes, int Slots, int Symmetric, bool Turns>
struct SchemeShape {
  static constexpr int schemes = Schemes, slots = Slots, symmetric = Symmetric, all = Schemes * Slots;
  static constexpr bool turns = Turns;
};

template <class Scheme>
TEAM_FN constexpr bool symmetric(int t) {
  return t % Scheme::slots < Scheme::symmetric;
}

TEAM_FN float reachOf(float weight) { return weight > 0 ? 1 / std::sqrt(weight) : infinity; }

/// Stencils that depend on the heading alone.
struct SharedStencils {
  const Slot* slots; ///< TilePlan::shared

  template <class Scheme>
  struct Local {
    const Slot* slots;
    TEAM_FN Step step(int t) const { return slots[t].step; }
    TEAM_FN Difference difference(int t) const { return slots[t].difference; }
    TEAM_FN float limit(int t) const { return slots[t].limit; }
    TEAM_FN float mass(int s, const float*) const { return slots[s * Scheme::slots].mass; }
  };
  template <class Scheme>
  TEAM_FN Local<Scheme> at(const StatePoint& p) const {
    return {slots + p.heading * Scheme::all};
  }
};

/// Stencils recomputed at every point from turning radius and curvature shift.
struct VaryingStencils {
  const TilePiece* pieces;
  const TableRange* ranges;
  TurningTerms turning;
  StateLayout layout;
  FieldView turningRadius, curvatureShift;

  template <class Scheme>
  struct Local {
    static constexpr int perScheme = (Scheme::slots - Scheme::turns) / blockSlots,
                         blocks = Scheme::schemes * perScheme;
    const TilePiece* piece[blocks];
    float rate[blocks]; ///< turning rate minus the middle of the piece
    float turn;         ///< weight of turning on the spot
    Neighbours turnTo;

    TEAM_FN static constexpr bool turns(int t) { return Scheme::turns && t % Scheme::slots == 0; }
    TEAM_FN static constexpr int block(int t) {
      return t / Scheme::slots * perScheme + (t % Scheme::slots - Scheme::turns) / blockSlots;
    }
    TEAM_FN const VaryingSlot& slot(int t) const {
      return piece[block(t)]->slots[(t % Scheme::slots - Scheme::turns) % blockSlots];
    }
    TEAM_FN Step step(int t) const { return turns(t) ? Step{0, 0, 1, -1} : slot(t).step; }
    TEAM_FN float limit(int t) const { return turns(t) ? limitOverCost(0.f) : slot(t).limit; }
    TEAM_FN Difference difference(int t) const {
      Difference result{turnTo, turn};
      if (!turns(t)) {
        const VaryingSlot& s = slot(t);
        const float d = rate[block(t)], w = s.a0 + d * (s.a1 + d * s.a2);
        result = {s.to, w > s.floor ? w : 0.f};
      }
      result.reach = reachOf(result.weight);
      return result;
    }
    /// @param weight  the weights of sum s
    TEAM_FN float mass(int, const float* weight) const {
      return massOf<Scheme::slots>([&](auto t) { return weight[t]; });
    }
  };
  template <class Scheme>
  TEAM_FN Local<Scheme> at(const StatePoint& p) const {
    Local<Scheme> local;
    const float inverse = 1 / turningRadius.at(p), shift = curvatureShift.at(p);
    execution::unroll<Local<Scheme>::blocks>([&](auto b) {
      const TableRange range = ranges[p.heading * Local<Scheme>::blocks + b];
      const float rate = shift + turning.factors[b] * inverse;
      int i = 0;
      while (i + 1 < range.count && rate > pieces[range.first + i].high) ++i;
      local.piece[b] = pieces + range.first + i;
      local.rate[b] = rate - local.piece[b]->middle;
    });
    local.turn = turning.weight * inverse * inverse;
    local.turnTo = {layout.stepTo(0, 0, p.heading, layout.wrapped(p.heading + 1)),
                    layout.stepTo(0, 0, p.heading, layout.wrapped(p.heading - 1))};
    return local;
  }
};

/// Leaves differences uncorrected.
struct FirstOrderPrior {
  static constexpr bool corrects = false;
};

/// The solution by which differences are corrected (Corrections.h).
struct SolutionPrior {
  static constexpr bool corrects = true;
  const float* values; ///< in StateLayout
  float limit;
  int doubled; ///< TilePlan::doubled
};

/// Relaxes the states of a listed tile. Position 0 updates the round counters.
/// @tparam Shape  a Box, one lane per state
template <class Scheme, class Shape, class Stencils, class Prior>
struct RelaxTile {
  using Lanes = Shape;
  struct Shared {};

  TileGrid grid;
  StateLayout layout;
  FieldView cost;
  WallView walls;
  Stencils stencils;
  Prior prior;
  bool stopsLeaks; ///< differences are limited (LimitedDifference.h)
  RoundControl* control;
  Round *last, *now, *next; ///< rounds of `control`
  const int* listed;
  int* listedNext;
  int* listedBy;          ///< per tile: the last round whose list it is on
  std::uint32_t* changed; ///< per tile: the states that changed since its readers were listed
  const TileStep* readers;
  const TableRange* readersOf; ///< per heading (TileReaders)
  const float* from;
  float* to;

  TEAM_FN int positions() const { return 1 + now->listed; }

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    static_assert(Shape::nz == 1 && Shape::size == execution::warpSize,
                  "a tile has one heading, a lane a bit");
    if (position == 0) return team.once([&] { keepBooks(); });
    const int round = last->number + 1, id = listed[position - 1];
    const Cell tile = grid.place(id);
    const float limit = control->limit;
    const auto lowered = team.ballot([&](Cell c) {
      float before = infinity, after = infinity;
      if (const StatePoint p = statePoint<Shape>(grid, tile, c); p.inside) {
        const std::int64_t at = layout.at(p.x, p.y, p.heading);
        before = from[at];
        const float value = relaxed(p, from + at, before);
        after = isDecrease(value, before) && value < limit ? value : before;
        to[at] = after;
      }
      return after < before;
    });
    if (lowered[Cell{}])
      team.once([&] {
        changed[id] |= lowered[Cell{}];
        list(id, round);
      });
    else if (const std::uint32_t lanes = changed[id])
      listReaders(team, tile, lanes, round);
  }

private:
  TEAM_FN void keepBooks() const {
    now->number = last->number + 1;
    last->listed = 0; // for the round after the next one
    control->count += now->listed > 0;
    control->tileUpdates += now->listed;
  }

  /// Lists the readers of a tile that stopped changing, if they read a state that changed. A tile that
  /// changed lists itself, and so writes its values to the other array as well. Thus the list is empty when,
  /// and only when, no tile would change.
  template <class Team>
  TEAM_FN void listReaders(Team& team, const Cell& tile, std::uint32_t lanes, int round) const {
    const TableRange range = readersOf[tile.z];
    team.each(Shape{}, [&](Cell c) {
      for (int i = c.index; i < range.count; i += Shape::size) {
        const TileStep step = readers[range.first + i];
        const int x = tile.x + step.x, y = tile.y + step.y, z = layout.wrapped(tile.z + step.heading);
        if ((step.lanes & lanes) && unsigned(x) < unsigned(grid.tx) && unsigned(y) < unsigned(grid.ty))
          list(x + grid.tx * y + grid.perPlane * z, round);
      }
    });
    team.once([&] { changed[tile.index] = 0; });
  }
  TEAM_FN void list(int id, int round) const {
    if (execution::exchange(listedBy[id], round) == round) return;
    listedNext[execution::fetchAdd(next->listed, 1)] = id;
  }

  /// The differences of a state, all sums one after the other.
  struct Terms {
    float value[Scheme::all]; ///< of the neighbour, the earlier one of a symmetric difference
    float weight[Scheme::all], reach[Scheme::all];
    float bound; ///< of the roots of all sums
  };

  /// Returns the minimum of `old` and the root of the local equation.
  TEAM_FN float relaxed(const StatePoint& p, const float* here, float old) const {
    const int view = walls.at(p.plane);
    if (view == inWall) return old;
    const auto local = stencils.template at<Scheme>(p);
    const float rho = cost.at(p);
    Terms terms;
    terms.bound = old;
    if (view == nearWall)
      load(local, terms, rho, [&](int t, int side, int to) {
        return passes(local.step(t), side, 0, p) ? valueAt(here, to) : infinity;
      });
    else
      load(local, terms, rho, [&](int, int, int to) { return valueAt(here, to); });
    if constexpr (Prior::corrects) correct(local, terms, rho, p, view);
    return lowered(local, terms, rho, old);
  }

  /// @param neighbour  neighbour(t, side, to) is the value on one side of term t, `to` away in memory
  template <class Local, class Neighbour>
  TEAM_FN void load(const Local& local, Terms& terms, float rho, Neighbour&& neighbour) const {
    execution::unroll<Scheme::all>([&](auto t) {
      const Difference difference = local.difference(t);
      terms.value[t] = neighbour(t, 1, difference.to.ahead);
      if constexpr (symmetric<Scheme>(t))
        terms.value[t] = minOf(terms.value[t], neighbour(t, -1, difference.to.behind));
      terms.weight[t] = difference.weight, terms.reach[t] = difference.reach;
      if constexpr (!Prior::corrects) terms.bound = minOf(terms.bound, terms.value[t] + rho * terms.reach[t]);
    });
  }

  template <class Local>
  TEAM_FN void correct(const Local& local, Terms& terms, float rho, const StatePoint& p, int view) const {
    execution::unroll<Scheme::all>([&](auto t) {
      terms.weight[t] *= factorOf(p, local.step(t), symmetric<Scheme>(t), view);
      terms.reach[t] = reachOf(terms.weight[t]);
      terms.bound = minOf(terms.bound, terms.value[t] + rho * terms.reach[t]);
    });
  }

  /// Lowers `old` to the roots of all sums.
  template <class Local>
  TEAM_FN float lowered(const Local& local, const Terms& terms, float rho, float old) const {
    const bool limits = Scheme::schemes == 2 && stopsLeaks;
    float best = limits ? old : terms.bound; // one bound of all sums saves steps in each
    execution::unroll<Scheme::schemes>([&](auto s) {
      constexpr int first = decltype(s)() * Scheme::slots;
      const auto value = [&](auto t) { return terms.value[first + t]; };
      const auto weight = [&](auto t) { return terms.weight[first + t]; };
      float mass;
      if constexpr (Prior::corrects)
        mass = massOf<Scheme::slots>(weight);
      else
        mass = local.mass(s, terms.weight + first);
      if (limits)
        best = limitedRoot<Scheme::slots>(
            rho, best, mass, value, weight, [&](auto t) { return terms.reach[first + t]; },
            [&](auto t) { return rho * local.limit(first + t); });
      else
        best = newton<Scheme::slots>(rho, best, mass, value, weight);
    });
    return best;
  }

  /// Returns whether no wall blocks a step.
  /// @param further  0, or Prior::doubled for a step twice as long
  TEAM_FN bool passes(const Step& step, int side, int further, const StatePoint& p) const {
    if (step.planar < 0) return true;
    const int number = (side > 0 ? step.planar : step.planar ^ 1) + further;
    return walls.words[(number >> 5) * grid.planePoints() + p.plane] >> (number & 31) & 1;
  }

  TEAM_FN static float valueAt(const float* here, int step) {
#if defined(__CUDA_ARCH__) // nvcc splits the address into two instructions, which ptxas may fuse again
    std::size_t at;
    float value;
    asm("mad.wide.s32 %0, %1, 4, %2;" : "=l"(at) : "r"(step), "l"(__cvta_generic_to_global(here)));
    asm("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(at));
    return value;
#else
    return here[step];
#endif
  }

  /// Returns the previous solution at p + times * step, +infinity behind a wall.
  TEAM_FN float priorAt(const StatePoint& p, const Step& step, int times, int view) const {
    const int side = times > 0 ? 1 : -1;
    if (view == nearWall && !passes(step, side, times == side ? 0 : prior.doubled, p)) return infinity;
    const int near = layout.wrapped(p.heading + side * step.heading);
    const int heading = times == side ? near : layout.wrapped(near + side * step.heading);
    return prior.values[layout.at(p.x + times * step.x, p.y + times * step.y, heading)];
  }

  TEAM_FN float factorOf(const StatePoint& p, const Step& step, bool symmetric, int view) const {
    if (step.planar < 0 && step.heading == 0) return 1; // an empty slot
    const float here = prior.values[layout.at(p.x, p.y, p.heading)];
    SecondDifference<StateNumber> second;
    second.add(here, priorAt(p, step, 1, view), priorAt(p, step, 2, view), prior.limit);
    if (symmetric) second.add(here, priorAt(p, step, -1, view), priorAt(p, step, -2, view), prior.limit);
    return second.factor() * second.factor();
  }
};

} // namespace isochrone::curvature
