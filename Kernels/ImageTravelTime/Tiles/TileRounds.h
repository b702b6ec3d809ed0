// TileRounds.h - rounds over the tiles of an image on any device, until no value can change.
#pragma once

#include "Execution/Rounds.h"
#include "ImageTravelTime/Seeds/SolverInput.h"
#include "ImageTravelTime/Tiles/Rounds.h"

#include <algorithm>
#include <span>
#include <vector>

namespace isochrone::image {

/// Returns run(shape) with the tile shape of a problem.
template <class Run>
auto withTileShape(const Grid& grid, Run&& run) {
  return grid.nz == 1 ? run(PlaneTile{}) : run(SpaceTile{});
}

/// What the kernels of the rounds share: which tiles are relaxed, and how often they were.
template <class Device>
class TileRounds {
  template <class T>
  using Array = typename Device::template Array<T>;

public:
  /// @param allTiles  number of tiles
  /// @param blocks    of the kernel that chooses tiles
  /// @param band      width of the band of keys, in the solver's units
  /// @param latest    values beyond it are not needed
  /// @param tipNodes  SolverInput::tips on the device
  TileRounds(Device& on, const SolverInput& solverInput, int allTiles, int blocks, float band, float latest,
             std::span<const std::int64_t> tipNodes)
      : device(on), input(solverInput), tiles(allTiles), groups(blocks), width(band), last(latest),
        minima(on.template array<float>(blocks, unreached)), passes(on.template array<int>(allTiles, 0)),
        listed(on.template array<int>(allTiles, 0)),
        chosenTiles(on.template array<std::uint8_t>(allTiles, 0)), tips(on.upload(tipNodes)),
        counters(on.template array<RoundControl>(1, firstRound(band))) {}

  RoundControl* control() { return counters.data(); }
  float* minKeys() { return minima.data(); }
  std::uint8_t* chosen() { return chosenTiles.data(); } ///< per tile
  const int* active() { return listed.data(); }         ///< the chosen tiles
  int* passesMade() { return passes.data(); }           ///< per tile

  /// Works until no value can change, all values that the user needs are final, or the monitor stops. Sets
  /// rounds, updates and aborted. Returns the seconds of the rounds.
  /// @param choose    the kernel that chooses the tiles of the next round
  /// @param relax     relax(count) runs the kernels of a round on as many tiles as *count
  /// @param values    travel times of the nodes
  /// @param expected  rough number of rounds, for the progress bar
  template <class Choose, class Relax>
  double run(const Choose& choose, Relax&& relax, const float* values, double expected,
             const Monitor& monitor, const Tiling& tiling, Result& result) {
    constexpr int batch = 8; // rounds per launch, and maximum number of superfluous rounds
    const DecideRound decide{groups,   minKeys(), width, last, values, tips.data(), int(input.tips.size()),
                             control()};
    const auto chooseAndList = [&] {
      device.run(choose, groups);
      device.compact(chosenTiles, listed, &control()->listed);
    };
    const auto someRounds = [&] {
      for (int i = 0; i < batch; ++i) {
        device.run(decide, 1);
        relax(&control()->count);
        chooseAndList();
      }
    };
    chooseAndList();
    execution::Rounds<Device, RoundControl> rounds(device, control(), someRounds);
    result.aborted = !rounds.run(
        monitor, [](const RoundControl& now) { return now.done != 0; },
        [&](const RoundControl& now) { return now.round / (now.round + expected); });
    const double seconds = rounds.finish();
    last = std::min(last, rounds.counters().minimum);
    result.rounds = rounds.counters().round;
    std::vector<int> made(tiles);
    device.download(passes, made.data());
    countUpdates(input.problem, tiling, made, input.options, input.pool, result);
    return seconds;
  }

  /// Returns the latest value that is final, once the rounds have ended.
  float latestFinal() const { return last; }
  std::size_t bytes() const {
    return minima.bytes() + passes.bytes() + listed.bytes() + chosenTiles.bytes() + tips.bytes();
  }

private:
  Device& device;
  const SolverInput& input;
  const int tiles, groups;
  const float width;
  float last;
  Array<float> minima;
  Array<int> passes, listed;
  Array<std::uint8_t> chosenTiles;
  Array<std::int64_t> tips;
  Array<RoundControl> counters;

  static RoundControl firstRound(float band) {
    RoundControl first;
    first.bound = band;
    return first;
  }
};

} // namespace isochrone::image
