// TileSolver.h - the tile solver on any device: rounds over tiles until no value can change.
#pragma once

#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Tiles/DeviceImage.h"

#include <algorithm>
#include <span>
#include <vector>

namespace isochrone::image {

struct TileSettings {
  int passes = 32; ///< maximum number per tile and round; a tile that still changes waits for its next turn
  float band = 4;  ///< width of the band of keys, in crossings of a tile at the largest speed
};

/// Solves with tiles of one shape and one kind of factoring. Returns the seconds of the rounds.
template <class Shape, TileFactoring kind, class Device>
double relaxTilesBy(Device& device, const SolverInput& input, const TileSettings& settings,
                    const Monitor& monitor, Result& result) {
  constexpr int batch = 8; // rounds per launch, and maximum number of superfluous rounds
  DeviceImage<Shape, Device> image(device, input);
  const NodeGrid& grid = image.grid;
  const int tiles = grid.tiles(), groups = blocksOf<ChooseTiles>(tiles);
  const float latest = input.stoppingTime(image.units.time, unreached);
  RoundControl first;
  first.bound = settings.band * float(Shape::nx) / image.units.largestSpeed;
  const Tiling tiling(input.problem, {Shape::nx, Shape::ny, Shape::nz});
  const SeedsOfTiles seedsOfTiles(input, image.units, tiling);
  result.ballRadius = seedsOfTiles.radii;
  auto keys = device.upload(std::span<const float>(image.startKeys()));
  auto minKeys = device.template array<float>(groups, unreached);
  auto report = device.template array<TileReport>(tiles, TileReport{{}, -1, -1});
  auto passesMade = device.template array<int>(tiles, 0);
  auto active = device.template array<int>(tiles, 0);
  auto chosen = device.template array<std::uint8_t>(tiles, 0);
  auto seeds = device.upload(std::span<const SeedOfTile>(seedsOfTiles.ofTile));
  auto tips = device.upload(std::span<const std::int64_t>(input.tips));
  auto control = device.template array<RoundControl>(1, first);
  RoundControl* const counters = control.data();

  const RelaxTile<Shape, kind> relax{image.view(),  settings.passes,   counters,    active.data(),
                                     report.data(), passesMade.data(), seeds.data()};
  const ChooseTiles choose{grid, counters, report.data(), keys.data(), chosen.data(), minKeys.data()};
  const DecideRound decide{groups,      minKeys.data(),         first.bound, latest, image.view().u,
                           tips.data(), int(input.tips.size()), counters};
  const auto chooseAndList = [&] {
    device.run(choose, groups);
    device.compact(chosen, active, &counters->listed);
  };
  const auto someRounds = [&] {
    for (int i = 0; i < batch; ++i) {
      device.run(decide, 1);
      device.run(relax, &counters->count, tiles);
      chooseAndList();
    }
  };
  chooseAndList();
  execution::Rounds<Device, RoundControl> rounds(device, counters, someRounds);
  const double expected = 1 + 2 * (grid.tx + grid.ty + grid.tz); // rough estimate for the progress bar
  result.aborted = !rounds.run(
      monitor, [](const RoundControl& now) { return now.done != 0; },
      [&](const RoundControl& now) { return now.round / (now.round + expected); });
  const double seconds = rounds.finish();

  std::vector<int> passes(tiles);
  device.download(passesMade, passes.data());
  result.rounds = rounds.counters().round;
  countUpdates(input.problem, tiling, passes, input.options, input.pool, result);
  result.workBytes = image.bytes() + keys.bytes() + minKeys.bytes() + report.bytes() + passesMade.bytes() +
                     active.bytes() + chosen.bytes() + seeds.bytes() + tips.bytes();
  if (!result.aborted) result.travelTime = image.times(std::min(latest, rounds.counters().minimum));
  return seconds;
}

/// Solves a problem with isotropic speed. Sets travelTime, rounds, updatesPerPoint, ballRadius, workBytes and
/// aborted. Returns the seconds of the rounds, without set-up and copies.
template <class Shape, class Device>
double relaxTiles(Device& device, const SolverInput& input, const TileSettings& settings,
                  const Monitor& monitor, Result& result) {
  switch (input.options.factoring) {
  case SourceFactoring::Additive:
    return relaxTilesBy<Shape, TileFactoring::Additive>(device, input, settings, monitor, result);
  case SourceFactoring::Multiplicative:
    return relaxTilesBy<Shape, TileFactoring::Multiplicative>(device, input, settings, monitor, result);
  default:
    return relaxTilesBy<Shape, TileFactoring::Off>(device, input, settings, monitor, result);
  }
}

/// Returns run(shape) with the tile shape of a problem.
template <class Run>
auto withTileShape(const Grid& grid, Run&& run) {
  return grid.nz == 1 ? run(PlaneTile{}) : run(SpaceTile{});
}

/// Returns the device memory that solveTiles needs, bytes, without small arrays.
inline std::size_t tileBytes(const SolverInput& input) {
  return withTileShape(input.problem.grid, [&](auto shape) {
    constexpr std::size_t perTile =
        sizeof(TileReport) + sizeof(SeedOfTile) + 2 * sizeof(int) + sizeof(float) + 1;
    const NodeGrid grid = nodeGrid<decltype(shape)>(input.problem);
    return grid.nodes() * 2 * sizeof(float) + input.problem.barriers.size() +
           input.starts.size() * sizeof(StartNode) + grid.tiles() * perTile + (std::size_t(16) << 20);
  });
}

template <class Device>
void solveTiles(Device& device, const SolverInput& input, const Monitor& monitor, Result& result) {
  withTileShape(input.problem.grid, [&](auto shape) {
    relaxTiles<decltype(shape)>(device, input, TileSettings{}, monitor, result);
  });
}

} // namespace isochrone::image
