// Rounds.h - the kernels around the relaxation of tiles: start values, limits, results, and the view of
// walls.
#pragma once

#include "CurvaturePaths/Tiles/RelaxTile.h"

namespace isochrone::curvature {

/// The states of a tip: one heading of a point, or all headings.
struct TipStates {
  std::int64_t first; ///< in StateLayout
  int headings;       ///< number of states, a plane apart
};

/// Lowers the limit of the rounds to the latest tip. Among the headings of a tip the earliest value applies.
/// A value below the limit depends on earlier values only, so it is final when no tile is listed.
struct LimitToTips {
  using Lanes = Box<128, 1, 1>;
  struct Shared {
    float latest[Lanes::size];
  };
  const TipStates* tips;
  int count;
  std::int64_t plane; ///< of StateLayout
  const float* u;
  RoundControl* control;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int) const {
    team.each(Lanes{}, [&](Cell c) {
      float latest = 0;
      for (int i = c.index; i < count; i += Lanes::size) {
        float earliest = infinity;
        for (int k = 0; k < tips[i].headings; ++k) earliest = minOf(earliest, u[tips[i].first + k * plane]);
        latest = latest < earliest ? earliest : latest;
      }
      shared.latest[c.index] = latest;
    });
    team.once([&] {
      float latest = 0;
      for (int lane = 0; lane < Lanes::size; ++lane)
        latest = latest < shared.latest[lane] ? shared.latest[lane] : latest;
      control->limit = latest;
    });
  }
};

/// Sets the start values of the seeds, one lane each, and lists the tiles of the first round, which hold
/// them.
/// @tparam Shape  of the tiles
template <class Shape>
struct PlaceSeeds {
  using Lanes = Box<32, 1, 1>;
  struct Shared {};
  TileGrid grid;
  StateLayout layout;
  const SeedState* seeds; ///< every state at most once
  int count;
  float *u, *other; ///< the arrays that rounds read and write in turns
  RoundControl* control;
  int *listed, *listedBy; ///< as in RelaxTile
  std::uint32_t* changed;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i >= count) return;
      const std::int64_t line = seeds[i].state / grid.nx;
      const int x = int(seeds[i].state - line * grid.nx), y = int(line % grid.ny),
                heading = int(line / grid.ny);
      const std::int64_t at = layout.at(x, y, heading);
      u[at] = other[at] = seeds[i].value;
      const int tile = x / Shape::nx + grid.tx * (y / Shape::ny) + grid.perPlane * heading;
      execution::fetchAdd(changed[tile],
                          1u << (x % Shape::nx + Shape::nx * (y % Shape::ny))); // a state is placed once
      constexpr int placed = -1;                                                // no round has this number
      if (execution::exchange(listedBy[tile], placed) != placed)
        listed[execution::fetchAdd(control->rounds[0].listed, 1)] = tile;
    });
  }
};

/// Gives the states of a margin that repeat states of the listed tiles (Grid/PeriodicPart.h) their values,
/// and lists the tiles that hold them. RelaxTile lowers no state of the margin: it copies these values to the
/// other array, and lists their readers.
/// @tparam Shape  of the tiles
template <class Shape>
struct RepeatStates {
  using Lanes = Shape;
  struct Shared {};
  TileGrid grid;
  StateLayout layout;
  int lowX, lowY, highX, highY; ///< the points without the margin, which ends on an axis that is not periodic
  const Round* now;
  Round* next;
  const int* listed;
  int *listedNext, *listedBy; ///< as in RelaxTile
  std::uint32_t* changed;
  float* values; ///< that the round wrote

  TEAM_FN int positions() const { return now->listed; }

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const Cell tile = grid.place(listed[position]);
    if (!areRepeated(tile.x * Shape::nx, Shape::nx, lowX, highX, grid.nx) &&
        !areRepeated(tile.y * Shape::ny, Shape::ny, lowY, highY, grid.ny))
      return;
    team.each(Lanes{}, [&](Cell c) {
      const StatePoint p = statePoint<Shape>(grid, tile, c);
      if (p.x < lowX || p.x >= highX || p.y < lowY || p.y >= highY) return;
      const float value = values[layout.at(p.x, p.y, p.heading)];
      for (int d = 0; d < 9; ++d) // to itself, too
        lower(p.x + (d % 3 - 1) * (highX - lowX), p.y + (d / 3 - 1) * (highY - lowY), p.heading, value);
    });
  }

private:
  /// Returns whether the margin of an axis repeats points of a tile.
  TEAM_FN static bool areRepeated(int first, int size, int low, int high, int points) {
    const int end = first + size < high ? first + size : high, period = high - low;
    first = first < low ? low : first;
    return first < end && (first + period < points || end - 1 - period >= 0);
  }

  TEAM_FN void lower(int x, int y, int heading, float value) const {
    if (unsigned(x) >= unsigned(grid.nx) || unsigned(y) >= unsigned(grid.ny)) return;
    float& copy = values[layout.at(x, y, heading)];
    if (!(value < copy)) return;
    copy = value;
    const int tile = x / Shape::nx + grid.tx * (y / Shape::ny) + grid.perPlane * heading;
    execution::setBits(changed[tile], 1u << (x % Shape::nx + Shape::nx * (y % Shape::ny)));
    if (execution::exchange(listedBy[tile], now->number) != now->number)
      listedNext[execution::fetchAdd(next->listed, 1)] = tile;
  }
};

/// Converts from StateLayout and units of the plan to the user's. A position is a piece of a row.
struct FinishTimes {
  using Lanes = Box<64, 1, 1>;
  struct Shared {};
  StateLayout layout;
  int nx, ny, pieces;                ///< pieces of a row
  execution::Divisor byRow, byPlane; ///< pieces per row and per plane
  double unit, earliest;
  const float* u;
  float* times;

  FinishTimes(const StateLayout& from, int nxOfGrid, int nyOfGrid, double unitOfU, double earliestSeed,
              const float* values, float* result)
      : layout(from), nx(nxOfGrid), ny(nyOfGrid), pieces((nx + Lanes::size - 1) / Lanes::size), byRow(pieces),
        byPlane(pieces * ny), unit(unitOfU), earliest(earliestSeed), u(values), times(result) {}

  int count() const { return pieces * ny * layout.headings; }

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const int heading = byPlane.quotient(position), inPlane = position - heading * pieces * ny;
    const int y = byRow.quotient(inPlane), first = (inPlane - y * pieces) * Lanes::size;
    const float* const from = u + layout.at(first, y, heading);
    float* const to = times + (execution::wholeProduct(heading, nx * ny) + std::uint32_t(y * nx + first));
    team.each(Lanes{}, [&](Cell c) {
      if (first + c.index < nx) to[c.index] = float(from[c.index] * unit + earliest);
    });
  }
};

/// Computes one word of WallView for 64 plane points: a bit per planar offset that is free from the point
/// (strict supercover test).
struct LookAround {
  using Lanes = Box<64, 1, 1>;
  struct Shared {};
  TileGrid grid;
  const std::uint8_t* view;
  const PlanarCover* planar;
  const Pixel* cover;
  int planarCount;
  std::uint32_t* words;

  TEAM_FN static int groups(const TileGrid& grid) {
    return int((grid.planePoints() + Lanes::size - 1) / Lanes::size);
  }

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const int group = position % groups(grid), word = position / groups(grid);
    team.each(Lanes{}, [&](Cell c) {
      const std::int64_t plane = std::int64_t(group) * Lanes::size + c.index;
      if (plane >= grid.planePoints()) return;
      const int x = int(plane % grid.nx), y = int(plane / grid.nx);
      std::uint32_t bits = ~0u;
      for (int i = 0; view[plane] == nearWall && i < 32 && 32 * word + i < planarCount; ++i) {
        const TableRange pixels = planar[32 * word + i].pixels;
        for (int n = pixels.first; n < pixels.first + pixels.count; ++n) {
          const int px = x + cover[n].x, py = y + cover[n].y;
          const bool known = unsigned(px) < unsigned(grid.nx) && unsigned(py) < unsigned(grid.ny);
          if (known && view[px + std::int64_t(grid.nx) * py] == inWall) bits &= ~(1u << i);
        }
      }
      words[word * grid.planePoints() + plane] = bits;
    });
  }
};

} // namespace isochrone::curvature
