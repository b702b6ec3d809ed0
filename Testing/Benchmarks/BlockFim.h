// BlockFim.h - the block-based fast iterative method of Jeong and Whitaker (2008, section 4.3), on any
// device.
//
// A round takes all active tiles and makes the same number of Jacobi passes in each, from the values of the
// round before. Then it makes one trial pass in the neighbours of the tiles that came to rest. A tile whose
// last pass changed a value is active in the next round. The image in device memory and the update of a node
// are those of the solver.
#pragma once

#include "ImageTravelTime/Tiles/DeviceImage.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::benchmark::fim {

using image::Box;
using image::Cell;
using image::NodeGrid;
using image::PerLane;

/// Counters in device memory that control a round.
struct RoundControl {
  int listed = 0; ///< number of active tiles for the next round
  int count = 0;  ///< number of active tiles in this round
  int tried = 0;  ///< number of tiles with a trial pass
  int round = 0;
  int done = 0;
};

/// Makes a number of passes over a tile. Writes all its values to `fresh`.
template <class Shape>
struct RelaxTile {
  using Tile = image::BorderedTile<Shape>;
  using Lanes = typename Tile::Lanes;
  struct Shared {
    Tile tile;
  };
  image::ImageView image;
  int passes;
  const RoundControl* control;
  const int* active;
  int* unfinished; ///< per tile, last round whose last pass lowered a value
  int* passesMade; ///< per tile, total of all rounds
  float* fresh;    ///< [position in the round][node]

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int position) const {
    const int id = active[position];
    Tile& tile = shared.tile;
    PerLane<Team, float> s[2], next[2];
    PerLane<Team, int> at[2];
    tile.load(team, image, id, [&](Cell c, auto colour, int index, float slowness) {
      at[colour][c] = index, s[colour][c] = slowness;
    });
    bool moving = false;
    for (int pass = 0; pass < passes; ++pass) {
      team.each(Lanes{}, [&](Cell c) {
        execution::unroll<2>(
            [&](auto colour) { next[colour][c] = tile.updated(at[colour][c], s[colour][c], image.spacing); });
      });
      moving = team.any([&](Cell c) {
        bool changed = false;
        execution::unroll<2>([&](auto colour) {
          float& value = tile.u[at[colour][c]];
          changed = changed || next[colour][c] < value;
          value = image::minOf(next[colour][c], value);
        });
        return changed;
      });
    }
    team.each(Lanes{}, [&](Cell c) {
      execution::unroll<2>([&](auto colour) {
        fresh[std::int64_t(position) * Shape::size + Tile::node(c, colour)] = tile.u[at[colour][c]];
      });
    });
    team.once([&] {
      passesMade[id] += passes;
      if (moving) unfinished[id] = control->round;
    });
  }
};

/// Copies the results of a round from `fresh` to the image.
template <class Shape>
struct CommitTile {
  using Lanes = Shape;
  struct Shared {};
  image::ImageView image;
  const int* active;
  const float* fresh;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const NodeGrid& grid = image.grid;
    const image::TileCorner corner = image::corner<Shape>(grid, active[position]);
    team.each(Shape{}, [&](Cell c) {
      const int x = corner.x + c.x, y = corner.y + c.y, z = corner.z + c.z;
      if (grid.holds(x, y, z))
        image.u[grid.index(x, y, z)] = fresh[std::int64_t(position) * Shape::size + c.index];
    });
  }
};

/// Chooses the neighbours of the tiles that came to rest in this round, for one trial pass.
struct ChooseNeighbours {
  using Lanes = Box<128, 1, 1>;
  struct Shared {};
  NodeGrid grid;
  const RoundControl* control;
  const int* unfinished;
  const std::uint8_t* chosen; ///< for this round
  std::uint8_t* tried;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int id = position * Lanes::size + c.index;
      if (id >= grid.tiles()) return;
      const auto isActive = [&](int tile) { return chosen[tile] && unfinished[tile] == control->round; };
      bool besideRest = false;
      for (int face = 0; face < image::tileFaces; ++face) {
        const int next = grid.neighbour(id, face);
        besideRest = besideRest || (next >= 0 && chosen[next] && !isActive(next));
      }
      tried[id] = !control->done && besideRest && !isActive(id);
    });
  }
};

/// Chooses the tiles of the next round: those whose last pass changed a value.
struct ChooseTiles {
  using Lanes = Box<128, 1, 1>;
  struct Shared {};
  NodeGrid grid;
  const RoundControl* control;
  const int* unfinished;
  std::uint8_t* chosen;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int id = position * Lanes::size + c.index;
      if (id < grid.tiles()) chosen[id] = !control->done && unfinished[id] == control->round;
    });
  }
};

struct DecideRound {
  using Lanes = Box<1, 1, 1>;
  struct Shared {};
  RoundControl* control;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.once([&] {
      RoundControl& c = *control;
      c.done = c.done || c.listed == 0;
      c.count = c.done ? 0 : c.listed;
      c.round += !c.done;
    });
  }
};

/// Solves a problem with isotropic speed, without factoring. Sets travelTime, rounds and updatesPerPoint.
/// Returns the seconds of the rounds, without set-up and copies.
/// @param passes  per tile and round
template <class Shape, class Device>
double solve(Device& device, const image::SolverInput& input, int passes, image::Result& result) {
  using image::blocksOf;
  constexpr int batch = 8; // rounds per launch
  image::DeviceImage<Shape, Device> image(device, input);
  const NodeGrid& grid = image.grid;
  const int tiles = grid.tiles();
  std::vector<std::uint8_t> first;
  for (const float key : image.startKeys()) first.push_back(key < image::unreached);
  auto chosen = device.upload(std::span<const std::uint8_t>(first));
  auto tried = device.template array<std::uint8_t>(tiles, 0);
  auto active = device.template array<int>(tiles, 0);
  auto unfinished = device.template array<int>(tiles, -1);
  auto passesMade = device.template array<int>(tiles, 0);
  auto fresh = device.template array<float>(std::size_t(tiles) * Shape::size, image::unreached);
  auto control = device.template array<RoundControl>(1, RoundControl{});
  RoundControl* const counters = control.data();

  const auto relaxListed = [&](int number, const int* count) {
    device.run(RelaxTile<Shape>{image.view(), number, counters, active.data(), unfinished.data(),
                                passesMade.data(), fresh.data()},
               count, tiles);
    device.run(CommitTile<Shape>{image.view(), active.data(), fresh.data()}, count, tiles);
  };
  const auto someRounds = [&] {
    for (int i = 0; i < batch; ++i) {
      device.run(DecideRound{counters}, 1);
      relaxListed(passes, &counters->count);
      device.run(ChooseNeighbours{grid, counters, unfinished.data(), chosen.data(), tried.data()},
                 blocksOf<ChooseNeighbours>(tiles));
      device.compact(tried, active, &counters->tried);
      relaxListed(1, &counters->tried);
      device.run(ChooseTiles{grid, counters, unfinished.data(), chosen.data()}, blocksOf<ChooseTiles>(tiles));
      device.compact(chosen, active, &counters->listed);
    }
  };
  device.compact(chosen, active, &counters->listed);
  execution::Rounds<Device, RoundControl> rounds(device, counters, someRounds);
  rounds.run(
      {}, [](const RoundControl& now) { return now.done != 0; }, [](const RoundControl&) { return 0.; });
  const double seconds = rounds.finish();

  std::vector<int> perTile(tiles);
  device.download(passesMade, perTile.data());
  result.rounds = rounds.counters().round;
  const image::Tiling tiling(input.problem, {Shape::nx, Shape::ny, Shape::nz});
  image::countUpdates(input.problem, tiling, perTile, input.options, input.pool, result);
  result.travelTime = image.times(image::unreached);
  return seconds;
}

} // namespace isochrone::benchmark::fim
