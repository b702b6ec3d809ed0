// TileRounds.h - what surrounds the relaxation of tiles: start values, commit, tagging, the decision of a
// round (paper, Algorithm 1), and the view of walls.
#pragma once

#include "CurvaturePaths/CurvaturePathsTile.h"

namespace isochrone::curvature {

/// Copies what a round lowered from `fresh` to `u`.
template <class Shape>
struct CommitTile {
  using Lanes = Shape;
  struct Shared {};
  TileGrid grid;
  const RoundControl* control;
  const int* active;
  const int* lastChange;
  const float* fresh;
  float* u;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const int id = control->full ? position : active[position];
    if (lastChange[id] != control->round) return;
    team.each(Shape{}, [&](Cell c) {
      const StatePoint p = statePoint<Shape>(grid, id, c);
      if (p.inside) u[p.index] = fresh[std::int64_t(position) * Shape::size + c.index];
    });
  }
};

/// Which tiles the next round relaxes: the paper's two choices.
enum class Tagging {
  Agsi, ///< tiles that changed, and their face neighbours (adaptive Gauss-Seidel)
  Fim   ///< tiles that changed, and the face neighbours of those that just stopped changing (fast iterative
        ///< method)
};

/// Algorithm 1, tagging, pulled: every tile looks at itself and its six neighbours.
struct TagTiles {
  using Lanes = Box<128, 1, 1>;
  struct Shared {};
  TileGrid grid;
  Tagging tagging;
  const RoundControl* control;
  const int* lastChange;
  std::uint8_t* flags;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    if (control->done) return;
    const int round = control->round, wanted = tagging == Tagging::Agsi ? round : round - 1;
    team.each(Lanes{}, [&](Cell c) {
      const int id = position * Lanes::size + c.index;
      if (id >= grid.tiles()) return;
      const int x = id % grid.tx, y = id / grid.tx % grid.ty, z = id / (grid.tx * grid.ty),
                plane = grid.tx * grid.ty;
      const auto told = [&](bool exists, int step) { return exists && lastChange[id + step] == wanted; };
      flags[id] = lastChange[id] == round || told(x > 0, -1) || told(x + 1 < grid.tx, 1) ||
                  told(y > 0, -grid.tx) || told(y + 1 < grid.ty, grid.tx) ||
                  told(true, z > 0 ? -plane : (grid.tz - 1) * plane) ||
                  told(true, z + 1 < grid.tz ? plane : -z * plane);
    });
  }
};

/// Decides what the round does: the tagged tiles; if there are none, all of them; if that changed nothing, it
/// is done. Stencils reach beyond the face neighbours, so only a full round proves that the fixed point is
/// reached.
struct DecideRound {
  using Lanes = Box<1, 1, 1>;
  struct Shared {};
  TileGrid grid;
  RoundControl* control;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.once([&] {
      RoundControl& c = *control;
      c.done = c.done || (c.listed == 0 && c.full);
      c.full = !c.done && c.listed == 0;
      c.count = c.done ? 0 : c.full ? grid.tiles() : c.listed;
      c.round += !c.done;
      c.tileUpdates += c.count;
    });
  }
};

/// The states where a tip may lie: one heading of a point, or all.
struct TipStates {
  std::int64_t first; ///< state
  int headings;       ///< how many states there are, a plane apart
};

/// Lowers the limit of the rounds to the latest tip, whose headings count with the earliest. A full round
/// that changes no value below the limit proves the values below it final: the earliest value that is not
/// would have been changed, since all that it depends on is earlier and final. So it proves the tips final,
/// too.
struct LimitToTips {
  using Lanes = Box<128, 1, 1>;
  struct Shared {
    float latest[Lanes::size];
  };
  const TipStates* tips;
  int count;
  std::int64_t planePoints;
  const float* u;
  RoundControl* control;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int) const {
    team.each(Lanes{}, [&](Cell c) {
      float latest = 0;
      for (int i = c.index; i < count; i += Lanes::size) {
        float earliest = infinity;
        for (int k = 0; k < tips[i].headings; ++k)
          earliest = lesser(earliest, u[tips[i].first + k * planePoints]);
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

/// Start values of the seeds, one lane each.
struct PlaceSeeds {
  using Lanes = Box<32, 1, 1>;
  struct Shared {};
  const SeedState* seeds; ///< every state at most once
  int count;
  float* u;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = position * Lanes::size + c.index;
      if (i < count) u[seeds[i].state] = seeds[i].value;
    });
  }
};

/// From units of the plan to the user's.
struct FinishTimes {
  using Lanes = Box<256, 1, 1>;
  struct Shared {};
  double unit, earliest;
  std::int64_t points;
  float* u;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const std::int64_t i = std::int64_t(position) * Lanes::size + c.index;
      if (i < points) u[i] = float(u[i] * unit + earliest);
    });
  }
};

/// One word of WallView for 64 plane points: from where 32 planar offsets are free (strict supercover test).
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
        const PlanarCover offset = planar[32 * word + i];
        for (int n = offset.first; n < offset.first + offset.count; ++n) {
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
