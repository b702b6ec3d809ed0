// TileSolver.h - the tile solver on any device: rounds over tiles until no value can change.
#pragma once

#include "ImageTravelTime/Seeds/FactoringBalls.h"
#include "ImageTravelTime/Tiles/DeviceImage.h"
#include "ImageTravelTime/Tiles/ImageTileUpdate.h"
#include "ImageTravelTime/Tiles/OrthogonalOnDevice.h"
#include "ImageTravelTime/Tiles/Places.h"
#include "ImageTravelTime/Tiles/RelaxTile.h"
#include "ImageTravelTime/Tiles/TileRounds.h"

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace isochrone::image {

struct TileSettings {
  int passes = 32; ///< maximum number per tile and round; a tile that still changes waits for its next turn
  float band = 4;  ///< width of the band of keys, in crossings of a tile at the largest speed
};

/// The seeds of the tiles of an image, in device memory: what ImageTileUpdate reads beside the image.
template <class U, class Device>
class ImageSeedsOnDevice {
public:
  using Update = U;

  ImageSeedsOnDevice(Device& device, const SolverInput& input, const SolverUnits& units, const Tiling& tiling)
      : ImageSeedsOnDevice(device, SeedsOfTiles(input, units, tiling)) {}

  Update update(const ImageView& image) { return {image, seeds.data()}; }
  const std::vector<double>& radii() const { return ballRadii; } ///< Result::ballRadius
  std::size_t bytes() const { return seeds.bytes(); }

private:
  ImageSeedsOnDevice(Device& device, const SeedsOfTiles& of)
      : ballRadii(of.radii), seeds(device.upload(std::span<const SeedOfTile>(of.ofTile))) {}

  std::vector<double> ballRadii;
  typename Device::template Array<SeedOfTile> seeds;
};

/// Solves with one update of the nodes of tiles. Returns the seconds of the rounds.
/// @tparam Terms  what the update reads beside the image: ImageSeedsOnDevice or OrthogonalOnDevice
template <class Terms, class Device>
double relaxTilesBy(Device& device, const SolverInput& input, const TileSettings& settings,
                    const Monitor& monitor, Result& result) {
  using Update = typename Terms::Update;
  using Shape = typename Update::Shape;
  DeviceImage<Shape, Device> image(device, input);
  const NodeGrid& grid = image.grid;
  const int tiles = grid.tiles();
  const Tiling tiling = tilingWith<Shape>(input.problem);
  Terms terms(device, input, image.units, tiling);
  result.ballRadius = terms.radii();
  auto keys = device.upload(std::span<const float>(image.startKeys()));
  auto report = device.template array<TileReport>(tiles, TileReport{{}, -1, -1});
  const float band = settings.band * float(Shape::nx) / image.units.largestSpeed,
              latest = input.stoppingTime(image.units.time, unreached);
  TileRounds<Device> rounds(device, input, tiles, blocksOf<ChooseTiles<false>>(tiles), band, latest,
                            image.tips());
  std::optional<Places<Shape, Device>> places;
  if (!image.places.empty()) places.emplace(device, image.places, grid);

  const RelaxTile<Update> relax{
      terms.update(image.view()), settings.passes, rounds.control(), rounds.active(), report.data(),
      rounds.passesMade()};
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

  result.workBytes = image.bytes() + rounds.bytes() + keys.bytes() + report.bytes() + terms.bytes() +
                     (places ? places->bytes() : 0);
  if (!result.aborted) result.travelTime = image.times(rounds.latestFinal());
  return seconds;
}

/// Solves a problem with isotropic speed. Sets travelTime, rounds, updatesPerPoint, ballRadius, workBytes and
/// aborted. Returns the seconds of the rounds, without set-up and copies.
template <class Shape, class Device>
double relaxTiles(Device& device, const SolverInput& input, const TileSettings& settings,
                  const Monitor& monitor, Result& result) {
  const auto relax = [&](auto update) {
    using Terms = ImageSeedsOnDevice<decltype(update), Device>;
    return relaxTilesBy<Terms>(device, input, settings, monitor, result);
  };
  switch (input.options.factoring) {
  case SourceFactoring::Additive:
    return relax(ImageTileUpdate<Shape, TileFactoring::Additive>{});
  case SourceFactoring::Multiplicative:
    return relax(ImageTileUpdate<Shape, TileFactoring::Multiplicative>{});
  default:
    return relax(ImageTileUpdate<Shape>{});
  }
}

/// Solves a problem on a rectilinear or spherical grid in the same way.
template <class Shape, class Device>
double relaxOrthogonalTiles(Device& device, const SolverInput& input, const TileSettings& settings,
                            const Monitor& monitor, Result& result) {
  const auto relax = [&](auto update) {
    using Terms = OrthogonalOnDevice<decltype(update), Device>;
    return relaxTilesBy<Terms>(device, input, settings, monitor, result);
  };
  const auto factored = [&](auto curved) {
    constexpr bool isCurved = decltype(curved)::value;
    return input.options.factoring == SourceFactoring::Off
               ? relax(OrthogonalTileUpdate<Shape, isCurved, false>{})
               : relax(OrthogonalTileUpdate<Shape, isCurved, true>{});
  };
  return input.problem.orthogonal->isSpherical() ? factored(std::true_type{}) : factored(std::false_type{});
}

/// Returns the device memory that solveTiles or solveOrthogonalTiles needs, bytes, without small arrays.
inline std::size_t tileBytes(const SolverInput& input) {
  return withTileShape(input.problem.grid, [&](auto shape) {
    using Shape = decltype(shape);
    const NodeGrid grid = nodeGrid<Shape>(input.problem);
    const auto tiles = std::size_t(grid.tiles());
    constexpr std::size_t perTile = sizeof(TileReport) + 2 * sizeof(int) + sizeof(float) + 1;
    const std::size_t seeds = input.problem.orthogonal
                                  ? orthogonalBytes<Shape>(input.problem.grid, tiles, input.options.factoring)
                                  : tiles * sizeof(SeedOfTile);
    const bool divided = input.problem.part.isDivided();
    const std::size_t ofPlaces = placeBytes(input.problem),
                      places = ofPlaces > 0 ? ofPlaces + tiles * 2 * sizeof(int) : 0;
    return grid.nodes() * 2 * sizeof(float) + (divided ? grid.nodes() : input.problem.barriers.size()) +
           input.starts.size() * sizeof(StartNode) + tiles * perTile + seeds + places +
           (std::size_t(16) << 20);
  });
}

/// Solves a problem on an image.
template <class Device>
void solveTiles(Device& device, const SolverInput& input, const Monitor& monitor, Result& result) {
  withTileShape(input.problem.grid, [&](auto shape) {
    relaxTiles<decltype(shape)>(device, input, TileSettings{}, monitor, result);
  });
}

template <class Device>
void solveOrthogonalTiles(Device& device, const SolverInput& input, const Monitor& monitor, Result& result) {
  withTileShape(input.problem.grid, [&](auto shape) {
    relaxOrthogonalTiles<decltype(shape)>(device, input, TileSettings{}, monitor, result);
  });
}

} // namespace isochrone::image
