// TileSolver.h - the tile solver on any device: rounds over tiles until no value can change.
#pragma once

#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Tiles/DeviceImage.h"
#include "ImageTravelTime/Tiles/Places.h"
#include "ImageTravelTime/Tiles/TileRounds.h"

#include <optional>
#include <span>

namespace isochrone::image {

struct TileSettings {
  int passes = 32; ///< maximum number per tile and round; a tile that still changes waits for its next turn
  float band = 4;  ///< width of the band of keys, in crossings of a tile at the largest speed
};

/// Solves with tiles of one shape and one kind of factoring. Returns the seconds of the rounds.
template <class Shape, TileFactoring kind, class Device>
double relaxTilesBy(Device& device, const SolverInput& input, const TileSettings& settings,
                    const Monitor& monitor, Result& result) {
  DeviceImage<Shape, Device> image(device, input);
  const NodeGrid& grid = image.grid;
  const int tiles = grid.tiles();
  const Tiling tiling = tilingWith<Shape>(input.problem);
  const SeedsOfTiles seedsOfTiles(input, image.units, tiling);
  result.ballRadius = seedsOfTiles.radii;
  auto keys = device.upload(std::span<const float>(image.startKeys()));
  auto report = device.template array<TileReport>(tiles, TileReport{{}, -1, -1});
  auto seeds = device.upload(std::span<const SeedOfTile>(seedsOfTiles.ofTile));
  const float band = settings.band * float(Shape::nx) / image.units.largestSpeed,
              latest = input.stoppingTime(image.units.time, unreached);
  TileRounds<Device> rounds(device, input, tiles, blocksOf<ChooseTiles<false>>(tiles), band, latest,
                            image.tips());
  std::optional<Places<Shape, Device>> places;
  if (!image.places.empty()) places.emplace(device, image.places, grid);

  const RelaxTile<Shape, kind> relax{image.view(),  settings.passes,     rounds.control(), rounds.active(),
                                     report.data(), rounds.passesMade(), seeds.data()};
  const auto relaxAndCouple = [&](const int* count) {
    device.run(relax, count, tiles);
    if (places) places->couple(rounds.control(), rounds.active(), report.data(), image.view().u);
  };
  const auto run = [&](const auto& choose) {
    return rounds.run(choose, relaxAndCouple, image.view().u, 1 + 2 * (grid.tx + grid.ty + grid.tz), monitor,
                      tiling, result);
  };
  const ChooseTiles<false> choose{
      grid, rounds.control(), report.data(), keys.data(), rounds.chosen(), rounds.minKeys(), {}};
  const double seconds = places ? run(choose.with(places->newKeys())) : run(choose);

  result.workBytes = image.bytes() + rounds.bytes() + keys.bytes() + report.bytes() + seeds.bytes() +
                     (places ? places->bytes() : 0);
  if (!result.aborted) result.travelTime = image.times(rounds.latestFinal());
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

/// Returns the device memory that solveTiles needs, bytes, without small arrays.
inline std::size_t tileBytes(const SolverInput& input) {
  return withTileShape(input.problem.grid, [&](auto shape) {
    constexpr std::size_t perTile =
        sizeof(TileReport) + sizeof(SeedOfTile) + 2 * sizeof(int) + sizeof(float) + 1;
    const NodeGrid grid = nodeGrid<decltype(shape)>(input.problem);
    const bool divided = input.problem.part.isDivided();
    return grid.nodes() * 2 * sizeof(float) + (divided ? grid.nodes() : input.problem.barriers.size()) +
           input.starts.size() * sizeof(StartNode) + grid.tiles() * perTile + placeBytes(input.problem) +
           (std::size_t(16) << 20);
  });
}

template <class Device>
void solveTiles(Device& device, const SolverInput& input, const Monitor& monitor, Result& result) {
  withTileShape(input.problem.grid, [&](auto shape) {
    relaxTiles<decltype(shape)>(device, input, TileSettings{}, monitor, result);
  });
}

} // namespace isochrone::image
