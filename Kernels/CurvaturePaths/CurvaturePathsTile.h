// CurvaturePathsTile.h - the tile kernel of the curvature models on any Team.
//
// State space is cut into tiles of 32 states; a round relaxes each state of the active ones once and lists
// the tiles of the next round (paper, Algorithms 1 to 3, with one relaxation a round and the tags of the fast
// iterative method). Rounds read one array and write another, in turns, so no tile sees another one's work of
// the same round and the result is the same, bit for bit, in any order of tiles and lanes, on any device.
// Mirebeau, Gayraud, Barrere, Chen, Desquilbet, 2022, section 2.
#pragma once

#include "CurvaturePaths/CurvaturePathsMath.h"
#include "CurvaturePaths/SecondDifference.h"
#include "CurvaturePaths/TilePlan.h"

namespace isochrone::curvature {

using execution::Box;
using execution::Cell;
using execution::PerLane;

struct TileGrid {
  int nx, ny, headings;              ///< states
  int tx, ty, tz;                    ///< tiles
  execution::Divisor byRow, byPlane; ///< tx and tx * ty

  TEAM_FN int tiles() const { return tx * ty * tz; }
  TEAM_FN std::int64_t planePoints() const { return std::int64_t(nx) * ny; }
  TEAM_FN Cell place(int tile) const {
    const int z = byPlane.quotient(tile), inPlane = tile - z * tx * ty, y = byRow.quotient(inPlane);
    return {inPlane - y * tx, y, z, tile};
  }
};

/// A state of the grid; `inside` is false for the lanes of a tile that juts out.
struct StatePoint {
  int x, y, heading;
  bool inside;
  std::int64_t plane, index; ///< among the plane points, among the states
};

template <class Shape>
TEAM_FN StatePoint statePoint(const TileGrid& grid, int tile, Cell c) {
  StatePoint p;
  const Cell at = grid.place(tile);
  p.x = at.x * Shape::nx + c.x;
  p.y = at.y * Shape::ny + c.y;
  p.heading = at.z * Shape::nz + c.z;
  p.inside = p.x < grid.nx && p.y < grid.ny && p.heading < grid.headings;
  p.plane = p.x + std::int64_t(grid.nx) * p.y;
  p.index = p.plane + grid.planePoints() * p.heading;
  return p;
}

/// A Field in device memory: constant, per plane point or per state; in the units of the plan.
struct FieldView {
  float constant;
  const float* values;
  bool perState;
  float perUnit; ///< a power of two: value in units of the plan per value of the user

  TEAM_FN float at(const StatePoint& p) const {
    return perUnit * (values ? values[perState ? p.index : p.plane] : constant);
  }
};

/// Which steps are free of walls: one bit per plane point and planar offset.
struct WallView {
  const std::uint8_t* view;   ///< inWall, nearWall or farFromWalls per plane point; null: no walls
  const std::uint32_t* words; ///< [offset / 32][plane point]

  TEAM_FN std::uint8_t at(std::int64_t plane) const { return view ? view[plane] : farFromWalls; }
};

/// A round, in device memory. Three take turns: the one before, this one, and the next one, for which this
/// one lists tiles.
struct Round {
  int number;
  int listed; ///< active tiles
  int full;   ///< it relaxes all tiles, to prove that nothing changes
  int done;   ///< it relaxes none: that was proved
};
struct RoundControl {
  Round rounds[3];
  int count;   ///< rounds that were not done
  float limit; ///< values from here on do not matter, because they are later than all tips
  long long tileUpdates;
};

/// A scheme: `Schemes` sums of `Slots` terms, the first `Symmetric` of them symmetric; Turns: slot 0 turns on
/// the spot.
template <int Schemes, int Slots, int Symmetric, bool Turns>
struct SchemeShape {
  static constexpr int schemes = Schemes, slots = Slots, symmetric = Symmetric, all = Schemes * Slots;
  static constexpr bool turns = Turns;
};

/// Stencils that depend on the heading alone.
struct SharedStencils {
  const Slot* slots; ///< TilePlan::shared

  template <class Scheme>
  struct Local {
    const Slot* slots;
    TEAM_FN Step step(int t) const { return slots[t].step; }
    TEAM_FN std::int64_t to(int t, int side) const {
      return side > 0 ? slots[t].to.ahead : slots[t].to.behind;
    }
    TEAM_FN float weight(int t) const { return slots[t].weight; }
    TEAM_FN float reach(int t, float) const { return slots[t].reach; }
    TEAM_FN float limit(int t) const { return slots[t].limit; }
  };
  template <class Scheme>
  TEAM_FN Local<Scheme> at(const StatePoint& p) const {
    return {slots + p.heading * Scheme::all};
  }
};

/// Stencils recomputed at every point from turning radius and curvature shift.
struct VaryingStencils {
  const TilePiece* pieces;
  const PieceRange* ranges;
  float factors[mostBlocks];
  float turnWeight;
  StateLayout layout;
  FieldView turningRadius, curvatureShift;

  template <class Scheme>
  struct Local {
    static constexpr int perScheme = (Scheme::slots - Scheme::turns) / blockSlots,
                         blocks = Scheme::schemes * perScheme;
    const TilePiece* piece[blocks];
    float rate[blocks]; ///< turning rate less the middle of the piece
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
    TEAM_FN std::int64_t to(int t, int side) const {
      const Neighbours& n = turns(t) ? turnTo : slot(t).to;
      return side > 0 ? n.ahead : n.behind;
    }
    TEAM_FN float limit(int t) const { return turns(t) ? limitOverCost(0.f) : slot(t).limit; }
    TEAM_FN float weight(int t) const {
      if (turns(t)) return turn;
      const VaryingSlot& s = slot(t);
      const float d = rate[block(t)], w = s.a0 + d * (s.a1 + d * s.a2);
      return w > s.floor ? w : 0.f;
    }
    TEAM_FN float reach(int, float weight) const { return weight > 0 ? 1 / std::sqrt(weight) : infinity; }
  };
  template <class Scheme>
  TEAM_FN Local<Scheme> at(const StatePoint& p) const {
    Local<Scheme> local;
    const float inverse = 1 / turningRadius.at(p), shift = curvatureShift.at(p);
    execution::unroll<Local<Scheme>::blocks>([&](auto b) {
      const PieceRange range = ranges[p.heading * Local<Scheme>::blocks + b];
      const float rate = shift + factors[b] * inverse;
      int i = 0;
      while (i + 1 < range.count && rate > pieces[range.first + i].high) ++i;
      local.piece[b] = pieces + range.first + i;
      local.rate[b] = rate - local.piece[b]->middle;
    });
    local.turn = turnWeight * inverse * inverse;
    local.turnTo = {layout.bytesTo(0, 0, p.heading, layout.wrapped(p.heading + 1)),
                    layout.bytesTo(0, 0, p.heading, layout.wrapped(p.heading - 1))};
    return local;
  }
};

/// Differences as they are.
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

/// Relaxes the states of a listed tile. Position 0 keeps the books.
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
  int* listedBy;   ///< per tile: the last round whose list it is on
  int* lastChange; ///< per tile: the last round that lowered a value
  const float* from;
  float* to;

  TEAM_FN int tilesToRelax() const {
    const int count = now->listed;
    return count > 0 ? count : last->full || last->done ? 0 : grid.tiles();
  }
  TEAM_FN int positions() const { return 1 + tilesToRelax(); }

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    if (position == 0) return team.once([&] { keepBooks(); });
    const int round = last->number + 1, id = now->listed > 0 ? listed[position - 1] : position - 1;
    const Cell tile = grid.place(id);
    const float limit = control->limit;
    PerLane<Team, std::int64_t> at; // -1: the tile juts out
    PerLane<Team, float> before, after;
    team.each(Shape{}, [&](Cell c) {
      StatePoint p;
      p.x = tile.x * Shape::nx + c.x, p.y = tile.y * Shape::ny + c.y, p.heading = tile.z * Shape::nz + c.z;
      p.inside = p.x < grid.nx && p.y < grid.ny && p.heading < grid.headings;
      p.plane = p.x + std::int64_t(grid.nx) * p.y;
      p.index = p.plane + grid.planePoints() * p.heading;
      at[c] = p.inside ? layout.at(p.x, p.y, p.heading) : -1;
      before[c] = p.inside ? from[at[c]] : infinity;
      after[c] = p.inside ? relaxed<Team::lanesAreThreads>(p, from + at[c], before[c]) : infinity;
    });
    const bool changes = team.any([&](Cell c) { return after[c] < before[c] && after[c] < limit; });
    team.each(Shape{}, [&](Cell c) {
      if (at[c] >= 0) to[at[c]] = changes ? after[c] : before[c];
    });
    team.once([&] { tag(tile, id, round, changes); });
  }

private:
  TEAM_FN void keepBooks() const {
    const int tiles = tilesToRelax();
    now->number = last->number + 1;
    now->full = tiles > 0 && now->listed == 0;
    now->done = tiles == 0;
    last->listed = 0; // for the round after the next one
    control->count += tiles > 0;
    control->tileUpdates += tiles;
  }

  /// Lists the tile that changed; if it just stopped changing, its face neighbours. So a tile that wrote a
  /// value is on the next list, and writes it to the other array as well.
  TEAM_FN void tag(const Cell& tile, int id, int round, bool changes) const {
    const int line = grid.tx, plane = grid.tx * grid.ty;
    if (changes) {
      lastChange[id] = round;
      list(id, round);
    } else if (lastChange[id] == round - 1) {
      if (tile.x > 0) list(id - 1, round);
      if (tile.x + 1 < grid.tx) list(id + 1, round);
      if (tile.y > 0) list(id - line, round);
      if (tile.y + 1 < grid.ty) list(id + line, round);
      list(tile.z > 0 ? id - plane : id + (grid.tz - 1) * plane, round);
      list(tile.z + 1 < grid.tz ? id + plane : id - tile.z * plane, round);
    }
  }
  TEAM_FN void list(int id, int round) const {
    if (execution::exchange(listedBy[id], round) == round) return;
    listedNext[execution::fetchAdd(next->listed, 1)] = id;
  }

  template <bool leave>
  TEAM_FN float relaxed(const StatePoint& p, const float* here, float old) const {
    const std::uint8_t view = walls.at(p.plane);
    if (view == inWall) return old;
    const auto local = stencils.template at<Scheme>(p);
    const float rho = cost.at(p);
    float best = old;
    execution::unroll<Scheme::schemes>([&](auto s) {
      float value[Scheme::slots], weight[Scheme::slots];
      execution::unroll<Scheme::slots>([&](auto t) {
        constexpr bool symmetric = decltype(t)() < Scheme::symmetric;
        const int slot = s * Scheme::slots + t;
        value[t] = neighbour(local, slot, 1, p, here, view);
        if constexpr (symmetric) value[t] = lesser(value[t], neighbour(local, slot, -1, p, here, view));
        weight[t] = local.weight(slot);
        if constexpr (Prior::corrects) weight[t] *= factorOf(p, local.step(slot), symmetric, view);
      });
      const auto valueOf = [&](auto t) { return value[t]; };
      const auto weightOf = [&](auto t) { return weight[t]; };
      const auto reachOf = [&](auto t) {
        if constexpr (Prior::corrects)
          return weight[t] > 0 ? 1 / std::sqrt(weight[t]) : infinity;
        else
          return local.reach(s * Scheme::slots + t, weight[t]);
      };
      if (Scheme::schemes == 2 && stopsLeaks)
        best = limitedRoot<Scheme::slots, leave>(rho, best, valueOf, weightOf, reachOf, [&](auto t) {
          return rho * local.limit(s * Scheme::slots + t);
        });
      else
        best = root<Scheme::slots, leave>(rho, best, valueOf, weightOf, reachOf);
    });
    return isDecrease(best, old) ? best : old;
  }

  TEAM_FN bool passes(const Step& step, int side, int further, const StatePoint& p) const {
    const int number = (side > 0 ? step.planar : step.planar ^ 1) + further;
    return walls.words[(number >> 5) * grid.planePoints() + p.plane] >> (number & 31) & 1;
  }

  /// The value on that side of a step, if no wall is in the way.
  template <class Local>
  TEAM_FN float neighbour(const Local& local, int slot, int side, const StatePoint& p, const float* here,
                          std::uint8_t view) const {
    if (view == nearWall)
      if (const Step step = local.step(slot); step.planar >= 0 && !passes(step, side, 0, p)) return infinity;
    return *reinterpret_cast<const float*>(reinterpret_cast<const char*>(here) + local.to(slot, side));
  }

  /// The solution before at p + times * step, if no wall is in the way.
  TEAM_FN float priorAt(const StatePoint& p, const Step& step, int times, std::uint8_t view) const {
    const int side = times > 0 ? 1 : -1;
    if (view == nearWall && step.planar >= 0 && !passes(step, side, times == side ? 0 : prior.doubled, p))
      return infinity;
    const int near = layout.wrapped(p.heading + side * step.heading);
    const int heading = times == side ? near : layout.wrapped(near + side * step.heading);
    return prior.values[layout.at(p.x + times * step.x, p.y + times * step.y, heading)];
  }

  TEAM_FN float factorOf(const StatePoint& p, const Step& step, bool symmetric, std::uint8_t view) const {
    if (step.planar < 0 && step.heading == 0) return 1; // an empty slot
    const float here = prior.values[layout.at(p.x, p.y, p.heading)];
    SecondDifference second;
    second.add(here, priorAt(p, step, 1, view), priorAt(p, step, 2, view), prior.limit);
    if (symmetric) second.add(here, priorAt(p, step, -1, view), priorAt(p, step, -2, view), prior.limit);
    return second.factor() * second.factor();
  }
};

} // namespace isochrone::curvature
