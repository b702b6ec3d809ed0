// TileSolver.h - the tile solver on any device: rounds over tiles until no value can change.
#pragma once

#include "Execution/Rounds.h"
#include "ImageTravelTime/Scheme/SolverUnits.h"
#include "ImageTravelTime/Scheme/UpdateCounts.h"
#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Seeds/Seeding.h"
#include "ImageTravelTime/Tiles/Rounds.h"

#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace isochrone::image {

struct TileSettings {
  int passes = 32; ///< maximum number per tile and round; a tile that still changes waits for its next turn
  float band = 4;  ///< width of the band of keys, in crossings of a tile at the largest speed
  double* seconds = nullptr; ///< if not null, receives the time of the rounds, without set-up and copies
  static constexpr bool blockFim = false;
};

/// Block FIM (Jeong and Whitaker 2008, section 4.3): exactly `passes` passes, no band.
struct BlockFim : TileSettings {
  static constexpr bool blockFim = true;
};

template <class Shape>
NodeGrid nodeGrid(const Grid& grid) {
  const auto tiles = [](std::int64_t n, int size) { return int((n + size - 1) / size); };
  return {int(grid.nx),
          int(grid.ny),
          int(grid.nz),
          tiles(grid.nx, Shape::nx),
          tiles(grid.ny, Shape::ny),
          tiles(grid.nz, Shape::nz)};
}

using execution::blocksOf;

/// Start nodes in the solver's units, relative to the earliest seed; each node once.
struct StartNodes {
  std::vector<StartNode> nodes;
  double earliest = std::numeric_limits<double>::infinity(); ///< world units

  StartNodes(const std::vector<SeedPoint>& seeds, double unit) {
    for (const SeedPoint& seed : seeds) earliest = std::min(earliest, seed.value);
    for (const SeedPoint& seed : seeds) nodes.push_back({seed.point, float((seed.value - earliest) / unit)});
    std::sort(nodes.begin(), nodes.end(), [](const StartNode& a, const StartNode& b) {
      return a.node != b.node ? a.node < b.node : a.value < b.value;
    });
    const auto same = [](const StartNode& a, const StartNode& b) { return a.node == b.node; };
    nodes.erase(std::unique(nodes.begin(), nodes.end(), same), nodes.end());
  }
};

/// Returns the first keys: tiles with a start node and adjacent tiles are active.
template <class Shape>
std::vector<float> startKeys(const NodeGrid& grid, const std::vector<StartNode>& starts) {
  std::vector<float> keys(grid.tiles(), unreached);
  for (const StartNode& start : starts) {
    const int i = int(start.node % grid.nx), j = int(start.node / grid.nx % grid.ny);
    const int k = int(start.node / (std::int64_t(grid.nx) * grid.ny));
    const int tile = i / Shape::nx + grid.tx * (j / Shape::ny + grid.ty * (k / Shape::nz));
    keys[tile] = std::min(keys[tile], start.value);
    for (int face = 0; face < tileFaces; ++face)
      if (const int next = grid.neighbour(tile, face); next >= 0)
        keys[next] = std::min(keys[next], start.value);
  }
  return keys;
}

/// Returns the squared slowness of every node in device memory.
template <class Device>
auto slownessOnDevice(Device& device, const Problem& problem, const SolverUnits& units) {
  const std::int64_t nodes = problem.grid.points();
  auto values = problem.speed.empty() ? device.template array<float>(nodes, float(problem.constantSpeed))
                                      : device.upload(problem.speed);
  auto barriers = device.upload(problem.barriers);
  device.run(SquareSlowness{nodes, units.squaredSlowness,
                            problem.barriers.empty() ? nullptr : barriers.data(), values.data()},
             blocksOf<SquareSlowness>(nodes));
  device.wait(); // before the barriers are freed
  return values;
}

/// Returns the seed of each tile for source factoring; empty without factoring. Sets result.ballRadius.
template <class Shape>
std::vector<SeedOfTile> seedsOfTiles(const Problem& problem, const SolverUnits& units, const Options& options,
                                     double earliest, int tiles, Result& result) {
  std::vector<SeedOfTile> list;
  if (options.factoring == SourceFactoring::Off) return list;
  const SeedsOfTiles seeds(problem, units, {Shape::nx, Shape::ny, Shape::nz}, result.seeds, options.factoring,
                           earliest, chooseThreads(options.threads));
  for (int tile = 0; tile < tiles; ++tile) list.push_back(seeds.of(tile));
  result.ballRadius = seeds.radii();
  return list;
}

/// Solves a valid problem with tiles of one shape. Sets travelTime, rounds, updatesPerPoint, workBytes and
/// aborted.
template <class Shape, TileFactoring kind, class Settings, class Device>
void relaxTilesBy(Device& device, const Problem& problem, const std::vector<SeedPoint>& seeds,
                  const Options& options, const Settings& settings, const Monitor& monitor, Result& result) {
  constexpr int batch = 8; // rounds per launch, and maximum number of superfluous rounds
  const NodeGrid grid = nodeGrid<Shape>(problem.grid);
  const SolverUnits units(problem, chooseThreads(options.threads));
  const StartNodes starts(seeds, units.time);
  const float latest =
      options.stoppingTime > 0 ? float((options.stoppingTime - starts.earliest) / units.time) : unreached;
  const int tiles = grid.tiles(), groups = blocksOf<ChooseTiles>(tiles);
  constexpr bool fim = Settings::blockFim;

  // 1. Arrays.
  auto slowness = slownessOnDevice(device, problem, units);
  auto u = device.template array<float>(problem.grid.points(), unreached);
  auto fresh = device.template array<float>(fim ? std::size_t(tiles) * Shape::size : 0, unreached);
  const auto seedOfTile = seedsOfTiles<Shape>(problem, units, options, starts.earliest, tiles, result);
  auto nearSeeds = device.upload(std::span<const SeedOfTile>(seedOfTile));
  auto startNodes = device.upload(std::span<const StartNode>(starts.nodes));
  const std::vector<float> firstKeys = startKeys<Shape>(grid, starts.nodes);
  auto keys = device.upload(std::span<const float>(firstKeys));
  auto leastKeys = device.template array<float>(groups, unreached);
  auto report = device.template array<TileReport>(tiles, TileReport{{}, -1, -1});
  auto passesMade = device.template array<int>(tiles, 0);
  auto chosen = device.template array<std::uint8_t>(tiles, 0);
  auto active = device.template array<int>(tiles, 0);
  auto tried = device.template array<std::uint8_t>(fim ? tiles : 0, 0);
  const std::vector<std::int64_t> tipsInside = pointsOf(problem, options.stopAt);
  auto tips = device.upload(std::span<const std::int64_t>(tipsInside));
  const float band = fim ? infinite : settings.band * float(Shape::nx) / units.largestSpeed;
  RoundControl first;
  first.bound = band;
  auto control = device.template array<RoundControl>(1, first);
  RoundControl* const counters = control.data();

  // 2. Kernels.
  Spacing spacing{{}, {}, units.cubic};
  std::copy_n(units.step, 3, spacing.step);
  std::copy_n(units.weight, 3, spacing.weight);
  using Relax = RelaxTile<Shape, kind>;
  const Relax relax{
      grid,          spacing,           settings.passes, fim,      counters,     active.data(),
      report.data(), passesMade.data(), slowness.data(), u.data(), fresh.data(), nearSeeds.data()};
  Relax tryOnce = relax;
  tryOnce.passes = 1;
  const CommitTile<Shape> commit{grid, active.data(), fresh.data(), u.data()};
  const ChooseTiles choose{grid, fim, counters, report.data(), keys.data(), chosen.data(), leastKeys.data()};
  const ChooseNeighbours chooseNeighbours{grid, counters, report.data(), chosen.data(), tried.data()};
  const DecideRound decide{groups,      leastKeys.data(),       band,    latest, u.data(),
                           tips.data(), int(tipsInside.size()), counters};
  const auto chooseAndList = [&] {
    device.run(choose, groups);
    device.compact(chosen, active, &counters->listed);
  };
  device.run(PlaceSeeds{startNodes.data(), int(starts.nodes.size()), u.data()},
             blocksOf<PlaceSeeds>(starts.nodes.size()));
  chooseAndList();

  // 3. Rounds.
  const auto relaxListed = [&](const Relax& kernel, const int* count) {
    device.run(kernel, count, tiles);
    if constexpr (fim) device.run(commit, count, tiles);
  };
  const auto someRounds = [&] {
    for (int i = 0; i < batch; ++i) {
      device.run(decide, 1);
      relaxListed(relax, &counters->count);
      if constexpr (fim) {
        device.run(chooseNeighbours, blocksOf<ChooseNeighbours>(tiles));
        device.compact(tried, active, &counters->tried);
        relaxListed(tryOnce, &counters->tried);
      }
      chooseAndList();
    }
  };
  execution::Rounds<Device, RoundControl> rounds(device, counters, someRounds);
  const double expected = 1 + 2 * (grid.tx + grid.ty + grid.tz); // rough estimate for the progress bar
  result.aborted = !rounds.run(
      monitor, [](const RoundControl& now) { return now.done != 0; },
      [&](const RoundControl& now) { return now.round / (now.round + expected); });
  const double seconds = rounds.finish();
  if (settings.seconds) *settings.seconds = seconds;
  const RoundControl& now = rounds.counters();

  // 4. Result.
  std::vector<int> passes(tiles);
  device.download(passesMade, passes.data());
  result.rounds = now.round;
  countUpdates(problem.grid, passes, {Shape::nx, Shape::ny, Shape::nz}, options, result);
  result.workBytes = slowness.bytes() + fresh.bytes() + startNodes.bytes() + keys.bytes() + report.bytes() +
                     passesMade.bytes() + chosen.bytes() + active.bytes() + tried.bytes() + nearSeeds.bytes();
  if (result.aborted) return;
  device.run(FinishTimes{float(units.time), float(starts.earliest), std::min(latest, now.least),
                         problem.grid.points(), u.data()},
             blocksOf<FinishTimes>(problem.grid.points()));
  result.travelTime.resize(problem.grid.points());
  device.download(u, result.travelTime.data());
}

template <class Shape, class Settings = TileSettings, class Device>
void relaxTiles(Device& device, const Problem& problem, const std::vector<SeedPoint>& seeds,
                const Options& options, const Settings& settings, const Monitor& monitor, Result& result) {
  const auto relaxBy = [&](auto kind) {
    relaxTilesBy<Shape, kind.value, Settings>(device, problem, seeds, options, settings, monitor, result);
  };
  using Kind = TileFactoring;
  switch (options.factoring) {
  case SourceFactoring::Off:
    return relaxBy(std::integral_constant<Kind, Kind::Off>{});
  case SourceFactoring::Additive:
    return relaxBy(std::integral_constant<Kind, Kind::Additive>{});
  case SourceFactoring::Multiplicative:
    return relaxBy(std::integral_constant<Kind, Kind::Multiplicative>{});
  }
}

/// Returns run(shape) with the tile shape of a problem.
template <class Run>
auto withTileShape(const Grid& grid, Run&& run) {
  return grid.nz == 1 ? run(Box<16, 16, 1>{}) : run(Box<8, 8, 8>{});
}

/// Returns the device memory that solveTiles needs, bytes, without small arrays.
inline std::size_t tileBytes(const Problem& problem, const std::vector<SeedPoint>& seeds) {
  return withTileShape(problem.grid, [&](auto shape) {
    constexpr std::size_t perTile =
        sizeof(TileReport) + sizeof(SeedOfTile) + 2 * sizeof(int) + sizeof(float) + 1;
    const std::size_t nodes = problem.grid.points(), tiles = nodeGrid<decltype(shape)>(problem.grid).tiles();
    return nodes * 2 * sizeof(float) + problem.barriers.size() + seeds.size() * sizeof(StartNode) +
           tiles * perTile + (std::size_t(16) << 20);
  });
}

template <class Device>
void solveTiles(Device& device, const Problem& problem, const std::vector<SeedPoint>& seeds,
                const Options& options, const Monitor& monitor, Result& result) {
  withTileShape(problem.grid, [&](auto shape) {
    relaxTiles<decltype(shape)>(device, problem, seeds, options, TileSettings{}, monitor, result);
  });
}

} // namespace isochrone::image
