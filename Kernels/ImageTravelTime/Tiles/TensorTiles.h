// TensorTiles.h - the tile solver for tensors on any device: rounds over tiles until no value can change.
#pragma once

#include "ImageTravelTime/Seeds/TensorSeeds.h"
#include "ImageTravelTime/Seeds/ThomsenSeeds.h"
#include "ImageTravelTime/Tiles/DeviceImage.h"
#include "ImageTravelTime/Tiles/TensorRounds.h"
#include "ImageTravelTime/Tiles/TensorTileUpdate.h"
#include "ImageTravelTime/Tiles/ThomsenTileUpdate.h"
#include "ImageTravelTime/Tiles/TileRounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace isochrone::image {

struct TensorTileSettings {
  int passes; ///< maximum number per tile and round; a tile that still changes waits for its next turn
  float band; ///< width of the band of keys, in crossings of a tile at the largest speed
};

/// Fewer passes save updates, more save rounds: in the plane, whose rounds have few tiles, more are faster
/// (DESIGN.md).
template <class Shape>
inline constexpr TensorTileSettings defaultTensorSettings{Shape::nz == 1 ? 8 : 2, 4};

/// The terms of an image and the balls of its seeds in device memory.
template <class Shape, class Device>
class TensorOnDevice {
  template <class T>
  using Array = typename Device::template Array<T>;

public:
  TensorOnDevice(Device& on, const TensorTerms& terms, const TensorReaders& tileReaders,
                 const TensorSeeds& seeds, const ThomsenSeeds& tiltedSeeds,
                 const std::vector<StartNode>& starts, const NodeGrid& nodes)
      : device(on), grid(nodes), brickEdge(int(TensorSeeds::edge)), weight(upload(terms.weight)),
        word(upload(terms.word)), offsets(upload(terms.offsets())), edges(upload(terms.edges)),
        drift(upload(terms.drift)), slack(terms.slack), tilted(upload(terms.tilted.point)),
        piece(upload(terms.tilted.piece)), first(upload(tileReaders.first)),
        readers(upload(tileReaders.readers)), keys(upload(startKeys(tileReaders, starts, nodes))),
        balls(on.upload(seeds.ballsOnGrid())), ofBrick(on.upload(seeds.bricks())),
        boxes(on.upload(tiltedSeeds.boxes())), arrivals(on.upload(tiltedSeeds.arrivals())),
        u(on.template allocate<float>(grid.nodes())), next(on.template allocate<float>(grid.nodes())) {
    device.run(ClearTensorTimes{grid.nodes(), word.data(), u.data(), next.data()},
               blocksOf<ClearTensorTimes>(grid.nodes()));
    for (int a = 0; a < 3; ++a) own.low[a] = int(terms.own.low[a]), own.size[a] = int(terms.own.size(a));
    if (isPeriodic())
      device.run(ClearMargin{grid, own, u.data(), next.data()}, blocksOf<ClearMargin>(grid.nodes()));
    auto placed = upload(starts);
    for (Array<float>* values : {&u, &next})
      device.run(PlaceSeeds{placed.data(), int(starts.size()), values->data()},
                 blocksOf<PlaceSeeds>(starts.size()));
    device.wait(); // before the start nodes are freed
  }

  TensorImageView view() {
    return {grid,  weight.data(), word.data(),  offsets.data(), edges.data(), drift.data(),
            slack, tilted.data(), piece.data(), u.data(),       next.data()};
  }
  ReadersView readersView() { return {first.data(), readers.data(), keys.data()}; }
  TensorBalls ballsView() {
    const auto bricks = [&](int n) { return (n + brickEdge - 1) / brickEdge; };
    return {balls.data(),    ofBrick.data(), brickEdge,      bricks(grid.nx),
            bricks(grid.ny), boxes.data(),   arrivals.data()};
  }
  float* times() { return u.data(); }
  OwnNodes ownNodes() const { return own; }
  bool isPeriodic() const { return own.size[0] < grid.nx || own.size[1] < grid.ny || own.size[2] < grid.nz; }

  /// Converts the times to the user's units; +infinity where unreached or later than `latest`.
  Values<float> finalTimes(double unit, double earliest, float latest) {
    const float last = std::min(latest, std::nextafter(never, 0.f));
    device.run(FinishTimes{float(unit), float(earliest), last, grid.nodes(), u.data()},
               blocksOf<FinishTimes>(grid.nodes()));
    Values<float> times(grid.nodes());
    device.download(u, times.data());
    return times;
  }

  /// Returns the work memory, without the times.
  std::size_t bytes() const {
    return weight.bytes() + word.bytes() + offsets.bytes() + edges.bytes() + drift.bytes() + tilted.bytes() +
           piece.bytes() + first.bytes() + readers.bytes() + keys.bytes() + balls.bytes() + ofBrick.bytes() +
           boxes.bytes() + arrivals.bytes() + next.bytes();
  }

private:
  Device& device;
  const NodeGrid grid;
  OwnNodes own;
  const int brickEdge;
  Array<float> weight;
  Array<TensorWord> word;
  Array<TensorOffsets16> offsets;
  Array<EdgeTerms> edges;
  Array<float> drift;
  const float slack;
  Array<ThomsenPoint> tilted;
  Array<ThomsenTerms> piece;
  Array<int> first;
  Array<TensorReader> readers;
  Array<execution::Key> keys;
  Array<TensorBall> balls;
  Array<std::int32_t> ofBrick;
  Array<ThomsenBall> boxes;
  Array<ThomsenArrival> arrivals;
  Array<float> u, next;

  template <class List>
  auto upload(const List& list) {
    return device.upload(std::span<const typename List::value_type>(list));
  }

  /// Returns the first keys: tiles that read a start node are active.
  static std::vector<execution::Key> startKeys(const TensorReaders& readers,
                                               const std::vector<StartNode>& starts, const NodeGrid& grid) {
    std::vector<execution::Key> keys(grid.tiles(), execution::keyOf(unreached));
    for (const StartNode& start : starts) {
      const int x = int(start.node % grid.nx), y = int(start.node / grid.nx % grid.ny),
                z = int(start.node / grid.nx / grid.ny);
      const int tile = x / Shape::nx + grid.tx * (y / Shape::ny + grid.ty * (z / Shape::nz));
      for (const TensorReader& reader : readers.of(tile))
        if (holds(reader.read, {x % Shape::nx, y % Shape::ny, z % Shape::nz}))
          keys[reader.tile] = std::min(keys[reader.tile], execution::keyOf(start.value));
    }
    return keys;
  }
};

/// Solves with tiles of one shape and one update of their points. Adds the points that start with the time
/// along the straight line to the starts. Returns the seconds of the rounds.
/// @tparam Update  TensorTileUpdate or ThomsenTileUpdate
template <class Update, class Device>
double relaxTensorTilesBy(Device& device, SolverInput& input, const TensorTileSettings& settings,
                          const Monitor& monitor, Result& result) {
  using Shape = typename Update::Shape;
  std::optional<TensorTerms> terms(std::in_place, input, Shape::nz == 1 ? 3 : 6);
  const double unit = terms->unit;
  const float band = settings.band * float(Shape::nx) / terms->largestSpeed;
  const Tiling tiling = tilingWith<Shape>(input.problem);
  const TensorSeeds seeds(input, unit);
  const ThomsenSeeds tiltedSeeds(input, seeds, terms->tilted.reach(), unit);
  result.ballRadius = seeds.radii();
  seeds.addNear(input);
  const NodeGrid grid = nodeGrid<Shape>(input.problem);
  const std::vector<StartNode> starts =
      withCopies(startNodes(input, unit, HeldPoints(input.problem, tiling)), input.problem.grid, terms->own);
  TensorOnDevice<Shape, Device> image(device, *terms, TensorReaders(*terms, tiling, input.pool), seeds,
                                      tiltedSeeds, starts, grid);
  terms.reset(); // frees the memory
  const int tiles = grid.tiles();
  TileRounds<Device> rounds(device, input, tiles, blocksOf<ChooseTensorTiles>(tiles), band,
                            input.stoppingTime(unit, unreached), input.tips);

  const TensorImageView view = image.view();
  const ReadersView readers = image.readersView();
  const RelaxTensorTile<Update> relax{
      {view, image.ballsView()}, readers, settings.passes, rounds.active(), rounds.passesMade()};
  const CommitTensorTile<Shape> commit{grid, rounds.active(), view.next, image.times()};
  const ChooseTensorTiles choose{tiles, rounds.control(), readers.keys, rounds.chosen(), rounds.minKeys()};
  const CommitPeriodicTile<Shape> commitCopies{grid, image.ownNodes(), rounds.active(), view.next,
                                               image.times()};
  const auto relaxAndCommit = [&](const int* count) {
    device.run(relax, count, tiles);
    image.isPeriodic() ? device.run(commitCopies, count, tiles) : device.run(commit, count, tiles);
  };
  const double seconds = rounds.run(choose, relaxAndCommit, view.u, 1 + 4 * (grid.tx + grid.ty + grid.tz),
                                    monitor, tiling, result);

  result.workBytes = image.bytes() + rounds.bytes();
  if (!result.aborted) result.travelTime = image.finalTimes(unit, input.earliest, rounds.latestFinal());
  return seconds;
}

/// Solves a problem with tensors. Sets the same members of the result as relaxTiles. Returns the seconds of
/// the rounds, without set-up and copies.
template <class Shape, class Device>
double relaxTensorTiles(Device& device, SolverInput& input, const TensorTileSettings& settings,
                        const Monitor& monitor, Result& result) {
  const auto relax = [&](auto factored, auto drifts) {
    using Update = TensorTileUpdate<Shape, decltype(factored)::value, decltype(drifts)::value>;
    return relaxTensorTilesBy<Update>(device, input, settings, monitor, result);
  };
  const auto withDrift = [&](auto factored) {
    return hasDrift(input.problem) ? relax(factored, std::true_type{}) : relax(factored, std::false_type{});
  };
  return input.options.factoring == SourceFactoring::Off ? withDrift(std::false_type{})
                                                         : withDrift(std::true_type{});
}

/// Solves a problem with a tilted medium in the same way.
template <class Shape, class Device>
double relaxTiltedTiles(Device& device, SolverInput& input, const TensorTileSettings& settings,
                        const Monitor& monitor, Result& result) {
  const auto relax = [&](auto factored) {
    using Update = ThomsenTileUpdate<Shape, decltype(factored)::value>;
    return relaxTensorTilesBy<Update>(device, input, settings, monitor, result);
  };
  return input.options.factoring == SourceFactoring::Off ? relax(std::false_type{}) : relax(std::true_type{});
}

/// Calls run(shape) with the tiles of a tilted medium. In space a lane takes more registers than a block of
/// 512 threads leaves it.
template <class Run>
auto withTiltedShape(const Grid& grid, Run&& run) {
  return grid.nz == 1 ? run(PlaneTile{}) : run(Box<8, 8, 4>{});
}

/// Returns the device memory that solveTensorTiles needs, bytes, without small arrays, for stencils that
/// reach a tile or two and a fifth of the points at edges; tooManyForDevice if the points exceed the range of
/// their numbers.
inline std::size_t tensorTileBytes(const Problem& input, SourceFactoring factoring) {
  const Grid& image = input.grid;
  if (image.points() > std::numeric_limits<std::int32_t>::max()) return tooManyForDevice;
  const auto bytesWith = [&](auto shape) {
    using Shape = decltype(shape);
    constexpr std::size_t terms = Shape::nz == 1 ? 3 : 6, readers = Shape::nz == 1 ? 20 : 80;
    const std::size_t drift = hasDrift(input) ? driftComponents(input) * sizeof(float) : 0;
    const std::size_t weights = isTilted(input) ? 0 : terms * sizeof(float);
    const std::size_t perPoint =
        weights + 2 * sizeof(float) + sizeof(TensorWord) + sizeof(EdgeTerms) / 5 + drift;
    constexpr std::size_t perTile =
        readers * sizeof(TensorReader) + sizeof(execution::Key) + 3 * sizeof(int) + sizeof(float) + 1;
    return image.points() * perPoint + thomsenBytes(input, factoring) +
           nodeGrid<Shape>(input).tiles() * perTile + (std::size_t(16) << 20);
  };
  return isTilted(input) ? withTiltedShape(image, bytesWith) : withTileShape(image, bytesWith);
}

template <class Device>
void solveTensorTiles(Device& device, SolverInput& input, const Monitor& monitor, Result& result) {
  const auto settingsFor = [](auto shape) { return defaultTensorSettings<decltype(shape)>; };
  const Grid& grid = input.problem.grid;
  if (isTilted(input.problem))
    withTiltedShape(grid, [&](auto shape) {
      relaxTiltedTiles<decltype(shape)>(device, input, settingsFor(shape), monitor, result);
    });
  else
    withTileShape(grid, [&](auto shape) {
      relaxTensorTiles<decltype(shape)>(device, input, settingsFor(shape), monitor, result);
    });
}

} // namespace isochrone::image
