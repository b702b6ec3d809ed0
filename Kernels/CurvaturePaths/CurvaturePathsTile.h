// CurvaturePathsTile.h - tile kernels of the curvature models: the paper's Algorithms 1 to 3 on any Team.
//
// State space is cut into tiles; a round relaxes the active ones, R times each with the values outside frozen
// (paper, Algorithm 2), then tags the tiles for the next round (Algorithm 1). Ours: a round reads `u` and
// writes `fresh`, which is committed after it, so no tile sees another one's work of the same round and the
// result is the same, bit for bit, in any order of tiles and lanes, on any device. Mirebeau, Gayraud,
// Barrere, Chen, Desquilbet, 2022, section 2.
#pragma once

#include "CurvaturePaths/CurvaturePathsMath.h"
#include "CurvaturePaths/SecondDifference.h"
#include "CurvaturePaths/TilePlan.h"

namespace isochrone::curvature {

using execution::Box;
using execution::Cell;
using execution::PerLane;

struct TileGrid {
  int nx, ny, headings; ///< states
  int tx, ty, tz;       ///< tiles

  TEAM_FN int tiles() const { return tx * ty * tz; }
  TEAM_FN std::int64_t planePoints() const { return std::int64_t(nx) * ny; }
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
  p.x = tile % grid.tx * Shape::nx + c.x;
  p.y = tile / grid.tx % grid.ty * Shape::ny + c.y;
  p.heading = tile / (grid.tx * grid.ty) * Shape::nz + c.z;
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

/// Counters in device memory that decide what a round does.
struct RoundControl {
  int listed; ///< active tiles
  int count;  ///< tiles that this round relaxes
  int round;
  int full; ///< this round relaxes all tiles, to prove that nothing changes
  int done;
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
    TEAM_FN float weight(int t) const { return slots[t].weight; }
    TEAM_FN float reach(int t, float) const { return slots[t].reach; }
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
  FieldView turningRadius, curvatureShift;

  template <class Scheme>
  struct Local {
    static constexpr int perScheme = (Scheme::slots - Scheme::turns) / blockSlots,
                         blocks = Scheme::schemes * perScheme;
    const TilePiece* piece[blocks];
    float rate[blocks]; ///< turning rate less the middle of the piece
    float turn;         ///< weight of turning on the spot

    TEAM_FN static constexpr bool turns(int t) { return Scheme::turns && t % Scheme::slots == 0; }
    TEAM_FN static constexpr int block(int t) {
      return t / Scheme::slots * perScheme + (t % Scheme::slots - Scheme::turns) / blockSlots;
    }
    TEAM_FN const VaryingSlot& slot(int t) const {
      return piece[block(t)]->slots[(t % Scheme::slots - Scheme::turns) % blockSlots];
    }
    TEAM_FN Step step(int t) const { return turns(t) ? Step{0, 0, 1, -1} : slot(t).step; }
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
  const float* values; ///< per state
  float limit;
  int doubled; ///< TilePlan::doubled
};

/// Algorithm 2: relaxes the states of one tile R times.
/// @tparam Shape  a Box, one lane per state
template <class Scheme, class Shape, class Stencils, class Prior = FirstOrderPrior>
struct RelaxTile {
  using Lanes = Shape;
  struct Shared {
    float u[2][Shape::size]; ///< values before and after an inner iteration
  };

  TileGrid grid;
  FieldView cost;
  WallView walls;
  Stencils stencils;
  Prior prior;
  bool stopsLeaks; ///< differences are limited (LimitedDifference.h)
  float hx, hy;    ///< steps, in units of the plan
  int iterations;  ///< R
  const RoundControl* control;
  const int* active; ///< list of tiles
  int* lastChange;   ///< per tile: the last round that lowered a value
  const float* u;
  float* fresh; ///< [position in the round][lane], or null: write `u` in place
  float* inPlace;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& tile, int position) const {
    using Local = typename Stencils::template Local<Scheme>;
    const int id = control->full ? position : active[position];
    PerLane<Team, float> value[Scheme::all], before, rho;
    PerLane<Team, std::uint32_t> within, withinOpposite; // bit t: that side of slot t lies in this tile
    PerLane<Team, Local> local;
    PerLane<Team, float> factor[Prior::corrects ? Scheme::all : 1]; // of the weight of a slot

    team.each(Shape{}, [&](Cell c) {
      const StatePoint p = statePoint<Shape>(grid, id, c);
      const std::uint8_t view = p.inside ? walls.at(p.plane) : inWall;
      before[c] = p.inside ? u[p.index] : infinity;
      tile.u[0][c.index] = before[c];
      within[c] = withinOpposite[c] = 0;
      rho[c] = view == inWall ? 1.f : cost.at(p);
      if (view == inWall) { // nothing leads here: see root() on values without a finite one
        execution::unroll<Scheme::all>([&](auto t) {
          value[t][c] = infinity;
          if constexpr (Prior::corrects) factor[t][c] = 1;
        });
        local[c] = stencils.template at<Scheme>(StatePoint{0, 0, 0, true, 0, 0});
        return;
      }
      local[c] = stencils.template at<Scheme>(p);
      execution::unroll<Scheme::all>([&](auto t) {
        const Step step = local[c].step(t);
        const bool empty = step.planar < 0 && step.heading == 0;
        bool inside = false;
        float v = empty ? infinity : outside(p, step, 1, view, inside);
        within[c] |= (inside ? 1u : 0u) << t;
        if constexpr (t % Scheme::slots < Scheme::symmetric) {
          bool insideToo = false;
          if (!empty) v = lesser(v, outside(p, step, -1, view, insideToo));
          withinOpposite[c] |= (insideToo ? 1u : 0u) << t;
        }
        value[t][c] = v;
        if constexpr (Prior::corrects)
          factor[t][c] = empty ? 1.f : factorOf(p, step, t % Scheme::slots < Scheme::symmetric, view);
      });
    });

    for (int r = 0; r < iterations; ++r) {
      const float* from = tile.u[r & 1];
      float* to = tile.u[1 - (r & 1)];
      team.each(Shape{}, [&](Cell c) {
        const float old = from[c.index];
        float best = old;
        execution::unroll<Scheme::schemes>([&](auto s) {
          float weight[Scheme::slots];
          execution::unroll<Scheme::slots>([&](auto t) {
            const int slot = s * Scheme::slots + t;
            weight[t] = local[c].weight(slot);
            if constexpr (Prior::corrects) weight[t] *= factor[slot][c];
            if ((within[c] | withinOpposite[c]) >> slot & 1)
              value[slot][c] =
                  lesser(value[slot][c], inTile(id, c, local[c].step(slot), from, within[c] >> slot & 1,
                                                withinOpposite[c] >> slot & 1));
          });
          const auto valueOf = [&](auto t) { return value[s * Scheme::slots + t][c]; };
          const auto weightOf = [&](auto t) { return weight[t]; };
          const auto reachOf = [&](auto t) {
            if constexpr (Prior::corrects)
              return weight[t] > 0 ? 1 / std::sqrt(weight[t]) : infinity;
            else
              return local[c].reach(s * Scheme::slots + t, weight[t]);
          };
          if (Scheme::schemes == 2 && stopsLeaks)
            best = limitedRoot<Scheme::slots, Team::lanesAreThreads>(
                rho[c], best, valueOf, weightOf, reachOf,
                [&](auto t) { return rho[c] * limitOver(local[c].step(s * Scheme::slots + t)); });
          else
            best = root<Scheme::slots, Team::lanesAreThreads>(rho[c], best, valueOf, weightOf, reachOf);
        });
        to[c.index] = isDecrease(best, old) ? best : old;
      });
    }

    const float* result = tile.u[iterations & 1];
    const float limit = control->limit;
    if (!team.any([&](Cell c) { return result[c.index] < before[c] && result[c.index] < limit; })) return;
    team.each(Shape{}, [&](Cell c) {
      const StatePoint p = statePoint<Shape>(grid, id, c);
      if (fresh)
        fresh[std::int64_t(position) * Shape::size + c.index] = result[c.index];
      else if (p.inside && result[c.index] < before[c])
        inPlace[p.index] = result[c.index];
    });
    team.once([&] { lastChange[id] = control->round; });
  }

private:
  TEAM_FN int wrapped(int heading) const {
    return heading < 0                ? heading + grid.headings
           : heading >= grid.headings ? heading - grid.headings
                                      : heading;
  }

  /// u(p + side * step) if it lies outside the tile and no wall is in the way. `inside` tells if it lies in
  /// the tile.
  TEAM_FN float outside(const StatePoint& p, const Step& step, int side, std::uint8_t view,
                        bool& inside) const {
    const int dx = side * step.x, dy = side * step.y, x = p.x + dx, y = p.y + dy;
    const int heading = wrapped(p.heading + side * step.heading);
    if (unsigned(x) >= unsigned(grid.nx) || unsigned(y) >= unsigned(grid.ny)) return infinity;
    if (view == nearWall && step.planar >= 0) {
      const int number = side > 0 ? step.planar : step.planar ^ 1;
      if (!(walls.words[(number >> 5) * grid.planePoints() + p.plane] >> (number & 31) & 1)) return infinity;
    }
    inside = x / Shape::nx == p.x / Shape::nx && y / Shape::ny == p.y / Shape::ny &&
             heading / Shape::nz == p.heading / Shape::nz;
    return inside ? infinity : u[x + std::int64_t(grid.nx) * y + grid.planePoints() * heading];
  }

  /// The solution before at p + times * step, if no wall is in the way.
  TEAM_FN float priorAt(const StatePoint& p, const Step& step, int times, std::uint8_t view) const {
    const int x = p.x + times * step.x, y = p.y + times * step.y, side = times > 0 ? 1 : -1;
    if (unsigned(x) >= unsigned(grid.nx) || unsigned(y) >= unsigned(grid.ny)) return infinity;
    if (view == nearWall && step.planar >= 0) {
      const int number = (side > 0 ? step.planar : step.planar ^ 1) + (times == side ? 0 : prior.doubled);
      if (!(walls.words[(number >> 5) * grid.planePoints() + p.plane] >> (number & 31) & 1)) return infinity;
    }
    const int next = wrapped(p.heading + side * step.heading);
    const int heading = times == side ? next : wrapped(next + side * step.heading);
    return prior.values[x + std::int64_t(grid.nx) * y + grid.planePoints() * heading];
  }

  TEAM_FN float factorOf(const StatePoint& p, const Step& step, bool symmetric, std::uint8_t view) const {
    const float here = prior.values[p.index];
    SecondDifference second;
    second.add(here, priorAt(p, step, 1, view), priorAt(p, step, 2, view), prior.limit);
    if (symmetric) second.add(here, priorAt(p, step, -1, view), priorAt(p, step, -2, view), prior.limit);
    return second.factor() * second.factor();
  }

  /// The limit of a difference over the cost.
  TEAM_FN float limitOver(const Step& step) const {
    const float x = float(step.x) * hx, y = float(step.y) * hy;
    return limitOverCost(std::sqrt(x * x + y * y));
  }

  TEAM_FN float inTile(int id, Cell c, const Step& step, const float* from, bool ahead, bool behind) const {
    const int first = id / (grid.tx * grid.ty) * Shape::nz, planar = step.x + Shape::nx * step.y;
    const auto lane = [&](int side) {
      return c.index + side * planar +
             Shape::nx * Shape::ny * (wrapped(first + c.z + side * step.heading) - first - c.z);
    };
    const float a = ahead ? from[lane(1)] : infinity, b = behind ? from[lane(-1)] : infinity;
    return lesser(a, b);
  }
};

} // namespace isochrone::curvature
