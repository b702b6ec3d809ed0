// PaperTiles.h - the tiles of the paper, Algorithms 1 and 2 with R relaxations of a tile per round, for the
// study of tiles. CurvaturePaths/Tiles/Rounds.h has the solver's own rounds. Mirebeau, Gayraud, Barrere,
// Chen, Desquilbet, 2022, section 2.
//
// A round reads `u` and writes `fresh`, which is committed afterwards, so the result is the same in any
// order. Alternatively it writes in place, as in the paper.
#pragma once

#include "CurvaturePaths/Tiles/TileSolver.h"

#include <algorithm>
#include <chrono>

namespace isochrone::benchmark::paper {

using namespace isochrone::curvature;

/// Counters in device memory that control a round.
struct RoundControl {
  int listed; ///< active tiles
  int count;  ///< tiles that this round relaxes
  int round;
  int full; ///< this round relaxes all tiles, to prove that nothing changes
  int done;
  long long tileUpdates;
};

/// Algorithm 2: relaxes the states of one tile R times.
/// @tparam Shape  a Box, one lane per state
template <class Scheme, class Shape, class Stencils>
struct RelaxTile {
  using Lanes = Shape;
  struct Shared {
    float u[2][Shape::size]; ///< values before and after an inner iteration
  };

  TileGrid grid;
  FieldView cost;
  WallView walls;
  Stencils stencils;
  int iterations; ///< R
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
    PerLane<Team, std::uint32_t> within, withinOpposite; // bit t: that side of slot t is in this tile
    PerLane<Team, Local> local;

    team.each(Shape{}, [&](Cell c) {
      const StatePoint p = statePoint<Shape>(grid, grid.place(id), c);
      const std::uint8_t view = p.inside ? walls.at(p.plane) : inWall;
      before[c] = p.inside ? u[p.index] : infinity;
      tile.u[0][c.index] = before[c];
      within[c] = withinOpposite[c] = 0;
      rho[c] = view == inWall ? 1.f : cost.at(p);
      if (view == inWall) { // unreachable: see root() on values without a finite one
        execution::unroll<Scheme::all>([&](auto t) { value[t][c] = infinity; });
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
          if (!empty) v = minOf(v, outside(p, step, -1, view, insideToo));
          withinOpposite[c] |= (insideToo ? 1u : 0u) << t;
        }
        value[t][c] = v;
      });
    });

    for (int r = 0; r < iterations; ++r) {
      const float* from = tile.u[r & 1];
      float* to = tile.u[1 - (r & 1)];
      team.each(Shape{}, [&](Cell c) {
        const float old = from[c.index];
        float best = old;
        execution::unroll<Scheme::schemes>([&](auto s) {
          float weight[Scheme::slots], reach[Scheme::slots];
          execution::unroll<Scheme::slots>([&](auto t) {
            const int slot = s * Scheme::slots + t;
            const Difference difference = local[c].difference(slot);
            weight[t] = difference.weight, reach[t] = difference.reach;
            if ((within[c] | withinOpposite[c]) >> slot & 1)
              value[slot][c] =
                  minOf(value[slot][c], inTile(id, c, local[c].step(slot), from, within[c] >> slot & 1,
                                               withinOpposite[c] >> slot & 1));
          });
          const auto valueOf = [&](auto t) { return value[s * Scheme::slots + t][c]; };
          const auto weightOf = [&](auto t) { return weight[t]; };
          const auto reachOf = [&](auto t) { return reach[t]; };
          best =
              root<Scheme::slots>(rho[c], best, massOf<Scheme::slots>(weightOf), valueOf, weightOf, reachOf);
        });
        to[c.index] = isDecrease(best, old) ? best : old;
      });
    }

    const float* result = tile.u[iterations & 1];
    if (!team.any([&](Cell c) { return result[c.index] < before[c]; })) return;
    team.each(Shape{}, [&](Cell c) {
      const StatePoint p = statePoint<Shape>(grid, grid.place(id), c);
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

  /// Returns u(p + side * step) if that point is outside the tile and no wall obstructs the step. `inside` is
  /// set if it is in the tile.
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

  TEAM_FN float inTile(int id, Cell c, const Step& step, const float* from, bool ahead, bool behind) const {
    const int first = id / (grid.tx * grid.ty) * Shape::nz, planar = step.x + Shape::nx * step.y;
    const auto lane = [&](int side) {
      return c.index + side * planar +
             Shape::nx * Shape::ny * (wrapped(first + c.z + side * step.heading) - first - c.z);
    };
    const float a = ahead ? from[lane(1)] : infinity, b = behind ? from[lane(-1)] : infinity;
    return minOf(a, b);
  }
};

/// Copies the values lowered by a round from `fresh` to `u`.
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
      const StatePoint p = statePoint<Shape>(grid, grid.place(id), c);
      if (p.inside) u[p.index] = fresh[std::int64_t(position) * Shape::size + c.index];
    });
  }
};

/// Selects the tiles of the next round: the paper's two methods.
enum class Tagging {
  Agsi, ///< tiles that changed, and their face neighbours (adaptive Gauss-Seidel)
  Fim   ///< tiles that changed, and the face neighbours of those that just stopped changing (fast iterative
        ///< method)
};

/// Algorithm 1, tagging by pull: every tile reads its own state and that of its six neighbours.
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
      const auto isMarked = [&](bool exists, int step) { return exists && lastChange[id + step] == wanted; };
      flags[id] = lastChange[id] == round || isMarked(x > 0, -1) || isMarked(x + 1 < grid.tx, 1) ||
                  isMarked(y > 0, -grid.tx) || isMarked(y + 1 < grid.ty, grid.tx) ||
                  isMarked(true, z > 0 ? -plane : (grid.tz - 1) * plane) ||
                  isMarked(true, z + 1 < grid.tz ? plane : -z * plane);
    });
  }
};

/// Selects the tiles of the round: the tagged ones, or all if there are none. If a full round changes
/// nothing, the solve ends. Stencils reach beyond the face neighbours, so only a full round proves that the
/// fixed point is reached.
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

/// Lists the tiles that contain a seed, for the first round.
template <class Shape>
std::vector<int> tilesOfSeeds(const TileGrid& grid, std::span<const SeedState> seeds) {
  std::vector<int> tiles;
  for (const SeedState& seed : seeds) {
    const std::int64_t plane = seed.state % grid.planePoints();
    const int x = int(plane % grid.nx) / Shape::nx, y = int(plane / grid.nx) / Shape::ny;
    const int z = int(seed.state / grid.planePoints()) / Shape::nz;
    tiles.push_back(x + grid.tx * (y + grid.ty * z));
  }
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  return tiles;
}

/// Writes the start values of the seeds, one lane each.
struct PlaceSeeds {
  using Lanes = Box<32, 1, 1>;
  struct Shared {};
  const SeedState* seeds; ///< each state at most once
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

/// Converts times from the plan's units to the user's.
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

struct TileSettings {
  int iterations = 1; ///< R of Algorithm 2
  Tagging tagging = Tagging::Agsi;
  bool inPlace = false; ///< as in the paper: rounds write `u` directly; bits differ between runs, one thread
                        ///< on the host
  double* seconds = nullptr; ///< if given, receives the time of the rounds: no set-up, no copies
};

/// Solves the first-order equation. The device controls each round. The host launches rounds in batches and
/// reads the counters of the previous batch. Sets travelTime, rounds and updatesPerPoint.
/// @param stencils  source of the stencils for RelaxTile, in memory that `data` owns
template <class Scheme, class Shape, class Stencils, class Device>
void relaxTiles(Device& device, const Problem& problem, const TilePlan& plan, DeviceProblem<Device>& data,
                const Stencils& stencils, const PlacedSeeds& seeds, const TileSettings& settings,
                Result& result) {
  constexpr int batch = 8; // rounds: one launch, and the maximum number of excess rounds
  const TileGrid grid = tileGrid<Shape>(problem.grid);
  const int tiles = grid.tiles();

  // 1. Arrays.
  auto times = device.template array<float>(problem.grid.points(), infinity);
  float* const u = times.data();
  auto fresh =
      device.template array<float>(settings.inPlace ? 0 : std::size_t(tiles) * Shape::size, infinity);
  auto seedStates = device.upload(std::span<const SeedState>(seeds.states));
  std::vector<int> changed(std::size_t(tiles), -2); // tiles of seeds in round 0, others -2
  for (const int tile : tilesOfSeeds<Shape>(grid, seeds.states)) changed[tile] = 0;
  auto lastChange = device.upload(std::span<const int>(changed));
  auto flags = device.template array<std::uint8_t>(tiles, 0);
  auto active = device.template array<int>(tiles, 0);
  auto control = device.template array<RoundControl>(1, RoundControl{});
  RoundControl* const counters = control.data();

  // 2. Kernels.
  const RelaxTile<Scheme, Shape, Stencils> relax{
      grid,     data.costs(),  data.walls(),      stencils, settings.iterations,
      counters, active.data(), lastChange.data(), u,        settings.inPlace ? nullptr : fresh.data(),
      u};
  const CommitTile<Shape> commit{grid, counters, active.data(), lastChange.data(), fresh.data(), u};
  const TagTiles tag{grid, settings.tagging, counters, lastChange.data(), flags.data()};
  const DecideRound decide{grid, counters};
  const auto tagAndList = [&] {
    device.run(tag, blocksOf<TagTiles>(tiles));
    device.compact(flags, active, &counters->listed);
  };
  device.run(PlaceSeeds{seedStates.data(), int(seeds.states.size()), u},
             blocksOf<PlaceSeeds>(seeds.states.size()));
  tagAndList();

  // 3. Rounds.
  const auto someRounds = [&] {
    for (int i = 0; i < batch; ++i) {
      device.run(decide, 1);
      device.run(relax, &counters->count, tiles);
      if (!settings.inPlace) device.run(commit, &counters->count, tiles);
      tagAndList();
    }
  };
  device.wait();
  const auto start = std::chrono::steady_clock::now();
  someRounds(); // unrecorded: loads all kernels before the recording
  auto rounds = device.record(someRounds);
  auto watch = device.watch(counters);
  RoundControl now{};
  while (!now.done) {
    rounds.replay();
    now = watch.latest();
  }
  device.wait();
  if (settings.seconds)
    *settings.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.rounds = now.round;
  result.updatesPerPoint =
      double(now.tileUpdates) * Shape::size * settings.iterations / double(problem.grid.points());
  const std::int64_t points = problem.grid.points();
  device.run(FinishTimes{plan.units.time(), seeds.earliest, points, u}, blocksOf<FinishTimes>(points));
  result.travelTime.resize(points);
  device.download(times, result.travelTime.data());
}

} // namespace isochrone::benchmark::paper
