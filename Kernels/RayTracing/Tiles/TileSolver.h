// TileSolver.h - travel times by kernels, on any device: by tiles, and by the paper's method.
#pragma once

#include "RayTracing/Tiles/DeviceModel.h"
#include "RayTracing/Tiles/RelaxTile.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace isochrone::rays {

struct TileSettings {
  int passes = 8;            ///< over a tile in one round; a tile with more work is woken again
  double band = 32;          ///< width of the band of keys, in grid steps at the minimum slowness
  double* seconds = nullptr; ///< if given, increases by the time of the rounds, without set-up and copies
  int* rounds = nullptr;     ///< if given, increases by the number of rounds
};

/// Calls run(Shape{}) with the tile shape for the number of axes. Where weights are sums, more lanes share
/// them, unless their registers would spill.
template <WeightRule rule, class Real, class Run>
auto withTileShape(const Grid& grid, Run&& run) {
  constexpr bool spills = rule == WeightRule::Cells && sizeof(Real) == sizeof(double); // sm_100, sm_120
  constexpr int parts = rule == WeightRule::Fast || spills ? 8 : 16;
  return longAxes(grid).size() < 3 ? run(TileShape<8, 8, 1, 8, parts>{})
                                   : run(TileShape<4, 4, 4, 4, parts>{});
}

template <class Shape>
inline constexpr TileSize tileSize{{Shape::nx, Shape::ny, Shape::nz}};

/// Solves a valid problem by the paper's method: all points at once, until no time changes.
template <WeightRule rule, class Real, class Device>
void relaxPlainly(Device& device, const Problem& problem, const Options& options, double* seconds,
                  const Monitor& monitor, Result& result) {
  Model<rule, Real, Device> model(device, problem, options, noTiles);
  const auto runs = runsOf(problem, options);
  const int blocks = int(model.blocks.count());
  const double expected = double(model.image.n[0] + model.image.n[1] + model.image.n[2]) /
                          model.image.reach[0]; // passes; an estimate for the progress bar
  double passes = 0;
  for (std::size_t run = 0; run < runs.size() && !result.aborted; ++run) {
    // 1. Arrays.
    auto times = device.template array<Real>(model.image.size, unreached<Real>);
    auto fresh = device.template array<Real>(model.image.size, unreached<Real>);
    auto changed = device.template array<std::uint8_t>(blocks, 0);
    auto changedBlocks = device.template array<int>(blocks, 0);
    const auto starts = model.starts(runs[run]);
    auto startList = device.upload(std::span(starts));
    PassControl first;
    first.count = blocks;
    auto control = device.template array<PassControl>(1, first);
    PassControl* const counters = control.data();
    device.run(PlaceStarts<Real>{startList.data(), int(starts.size()), times.data()},
               blocksOf<PlaceStarts<Real>>(starts.size()));

    // 2. Passes.
    const auto pass = [&] {
      device.run(RelaxPoints<typename decltype(model)::EdgesFromPoints>{model.blocks, model.edges.edges(),
                                                                        model.edgeCount(),
                                                                        model.slowness.data(), times.data(),
                                                                        fresh.data()},
                 &counters->count, blocks);
      device.run(WriteBack<Real>{model.blocks, fresh.data(), times.data(), changed.data()}, &counters->count,
                 blocks);
      device.compact(changed, changedBlocks, &counters->listed);
      device.run(DecidePass{blocks, counters}, 1);
    };
    execution::Rounds<Device, PassControl> rounds(device, counters, pass);
    result.aborted = !rounds.run(
        monitor, [](const PassControl& now) { return now.done != 0; },
        [&](const PassControl& now) {
          return (double(run) + now.passes / (now.passes + expected)) / double(runs.size());
        });
    const double took = rounds.finish();
    if (seconds) *seconds += took;
    const PassControl& now = rounds.counters();

    // 3. Result.
    passes += now.passes;
    result.workBytes = model.slowness.bytes() + times.bytes() + fresh.bytes() + changed.bytes() +
                       changedBlocks.bytes() + startList.bytes();
    if (!result.aborted) model.fetch(times.data(), result.fields.emplace_back());
  }
  result.relaxationsPerPoint = passes / double(runs.size());
  if (result.aborted) result.fields.clear();
}

/// Returns the number of runs computed at once, limited by Round::mostRuns and 2 GB for their times.
template <class Real>
int runsAtOnce(const PaddedImage& image, std::size_t runs) {
  const std::size_t most = (std::size_t(1) << 31) / (image.size * sizeof(Real));
  return int(std::clamp<std::size_t>(std::min(runs, most), 1, Round::mostRuns));
}

/// Lowers the keys of the tiles that a start may change: those within reach.
template <class Shape, class Real>
void wakeFirst(const PaddedImage& image, const StartPoint<Real>& start, Key* keys) {
  const std::int64_t offset = start.index - image.corner();
  const std::int64_t at[3] = {offset % image.pitch, offset % image.slab / image.pitch, offset / image.slab};
  const TileSize& size = tileSize<Shape>;
  int first[3], last[3];
  for (int a = 0; a < 3; ++a) {
    first[a] = int(std::max<std::int64_t>(at[a] - image.reach[a], 0) / size[a]);
    last[a] = int(std::min<std::int64_t>(at[a] + image.reach[a], image.n[a] - 1) / size[a]);
  }
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x) {
        Key& key = keys[x + image.tiles[0] * (y + image.tiles[1] * z)];
        key = std::min(key, keyOf(float(start.time)));
      }
}

/// The state before the first round of several runs: their starts and the tiles that these wake.
template <class Shape, class Real>
struct FirstRound {
  std::vector<StartPoint<Real>> starts;
  std::vector<Key> keys;   ///< per tile
  std::vector<int> listed; ///< tiles; has the size of `keys`
  RoundControl control{};

  /// @param runs  the sources of each
  template <class Model>
  FirstRound(const Model& model, const TileNumbers& numbers, std::span<const std::vector<std::int32_t>> runs)
      : keys(runs.size() * numbers.count(), noKey) {
    for (Round& round : control.rounds) std::fill(std::begin(round.least), std::end(round.least), noKey);
    Round& round = control.rounds[0];
    for (std::size_t run = 0; run < runs.size(); ++run) {
      const auto ofRun = std::span(keys).subspan(run * numbers.count(), numbers.count());
      for (StartPoint<Real> start : model.starts(runs[run])) {
        wakeFirst<Shape>(model.image, start, ofRun.data());
        start.index += std::int64_t(run) * model.image.size;
        starts.push_back(start);
      }
      round.least[run] = *std::min_element(ofRun.begin(), ofRun.end());
    }
    for (std::size_t id = 0; id < keys.size(); ++id)
      if (keys[id] != noKey) listed.push_back(int(id));
    round.listed = int(listed.size());
    listed.resize(keys.size());
  }
};

/// Solves a valid problem by tiles, in the order of their times.
template <class Shape, WeightRule rule, class Real, class Device>
void relaxTiles(Device& device, const Problem& problem, const Options& options, const TileSettings& settings,
                const Monitor& monitor, Result& result) {
  constexpr int batch = 12; // rounds per launch; at most two batches run in vain; even, and a multiple of
                            // three
  using EdgesInTile = Edges<rule, Real, int>;
  Model<rule, Real, Device> model(device, problem, options, tileSize<Shape>);
  const PaddedImage& image = model.image;
  const EdgeLists<EdgesInTile> lists(problem.grid, model.allTerms, Shape::pitch, Shape::slab);
  DeviceEdges<Device, EdgesInTile> edges(device, lists);
  const auto runs = runsOf(problem, options);
  const int atOnce = runsAtOnce<Real>(image, runs.size());
  const TileNumbers numbers(image);
  const auto all = slownessOf<Real>(problem);
  const double least = *std::min_element(all.begin(), all.end());
  const double step = least * spacingOf(problem.grid)[longAxes(problem.grid)[0]];
  const float band = float(std::min<double>(settings.band * step, std::numeric_limits<float>::max()));
  const double expected = 1 + 2 * (image.tiles[0] + image.tiles[1] + image.tiles[2]); // for the progress bar
  double relaxed = 0;
  using FindLeast = FindLeastSlowness<Shape, Real>;
  auto leastSlowness = device.template allocate<Real>(numbers.count());
  device.run(FindLeast{image, numbers, model.slowness.data(), leastSlowness.data()},
             blocksOf<FindLeast>(numbers.count()));

  for (std::size_t firstRun = 0; firstRun < runs.size() && !result.aborted; firstRun += atOnce) {
    // 1. Arrays.
    const int count = int(std::min<std::size_t>(atOnce, runs.size() - firstRun));
    const FirstRound<Shape, Real> first(model, numbers, std::span(runs).subspan(firstRun, count));
    auto times = device.template array<Real>(count * image.size, unreached<Real>);
    auto starts = device.upload(std::span(first.starts));
    auto listed = std::array{device.upload(std::span(first.listed)),
                             device.template array<int>(first.listed.size(), 0)};
    auto keys = std::array{device.upload(std::span(first.keys)),
                           device.template array<Key>(first.keys.size(), noKey)};
    auto control = device.template array<RoundControl>(1, first.control);
    RoundControl* const counters = control.data();

    // 2. Kernels.
    const auto relax = [&](int i) { // round i of a batch
      return RelaxTile<Shape, EdgesInTile>{image,
                                           numbers,
                                           edges.edges(),
                                           model.edgeCount(),
                                           settings.passes,
                                           band,
                                           counters,
                                           counters->rounds + (i + 2) % 3,
                                           counters->rounds + i % 3,
                                           counters->rounds + (i + 1) % 3,
                                           listed[i % 2].data(),
                                           listed[1 - i % 2].data(),
                                           keys[i % 2].data(),
                                           keys[1 - i % 2].data(),
                                           model.slowness.data(),
                                           leastSlowness.data(),
                                           times.data()};
    };
    device.run(PlaceStarts<Real>{starts.data(), int(first.starts.size()), times.data()},
               blocksOf<PlaceStarts<Real>>(first.starts.size()));

    // 3. Rounds.
    const auto someRounds = [&] {
      for (int i = 0; i < batch; ++i) device.run(relax(i), 1 + int(first.keys.size()));
    };
    execution::Rounds<Device, RoundControl> rounds(device, counters, someRounds);
    result.aborted = !rounds.run(
        monitor, [](const RoundControl& now) { return now.done != 0; },
        [&](const RoundControl& now) {
          return (double(firstRun) + count * now.count / (now.count + expected)) / double(runs.size());
        });
    const double seconds = rounds.finish();
    if (settings.seconds) *settings.seconds += seconds;
    const RoundControl& now = rounds.counters();
    if (settings.rounds) *settings.rounds += now.count;

    // 4. Result.
    relaxed += double(now.relaxed);
    result.workBytes = model.slowness.bytes() + times.bytes() + starts.bytes() + listed[0].bytes() +
                       listed[1].bytes() + keys[0].bytes() + keys[1].bytes() + leastSlowness.bytes();
    for (int r = 0; r < count && !result.aborted; ++r)
      model.fetch(times.data() + r * image.size, result.fields.emplace_back());
  }
  result.relaxationsPerPoint = relaxed / (double(image.points()) * double(runs.size()));
  if (result.aborted) result.fields.clear();
}

/// Calls run(rule, Real{}) with the types for the options.
template <class Run>
auto withTypes(const Options& options, Run&& run) {
  return withRule(options.rule, [&](auto rule) {
    return options.doublePrecision ? run(rule, double{}) : run(rule, float{});
  });
}

/// Solve a valid problem on a device: by the paper's method, and by tiles. Both set the fields' times,
/// relaxationsPerPoint, workBytes and aborted. If predecessors or source ids are requested, they also set the
/// predecessors that are earlier neighbours.
template <class Device>
void solvePlainly(Device& device, const Problem& problem, const Options& options, double* seconds,
                  const Monitor& monitor, Result& result) {
  withTypes(options, [&](auto rule, auto real) {
    relaxPlainly<rule(), decltype(real)>(device, problem, options, seconds, monitor, result);
  });
}
template <class Device>
void solveByTiles(Device& device, const Problem& problem, const Options& options,
                  const TileSettings& settings, const Monitor& monitor, Result& result) {
  withTypes(options, [&](auto rule, auto real) {
    withTileShape<rule(), decltype(real)>(problem.grid, [&](auto shape) {
      relaxTiles<decltype(shape), rule(), decltype(real)>(device, problem, options, settings, monitor,
                                                          result);
    });
  });
}

/// Returns the number of bytes of device memory that the chosen method needs, without small arrays;
/// tooManyForDevice if the tiles exceed the range of int.
inline std::size_t kernelBytes(const Problem& problem, const Options& options) {
  const auto bytes = [&](auto shape, auto real) -> std::size_t {
    using Shape = decltype(shape);
    using Real = decltype(real);
    const bool plain = options.method == Method::PlainRelaxation;
    const PaddedImage image =
        paddedImage(problem.grid, makeTemplate(problem.grid, options.neighbours, options.radius),
                    plain ? noTiles : tileSize<Shape>);
    const std::size_t points = problem.grid.points(), size = image.size, tiles = image.tileCount();
    const std::size_t runs = options.separateSources ? problem.sources.size() : 1;
    const std::size_t back = points * (sizeof(Real) + (options.predecessors || options.sourceIds ? 2 : 0));
    const std::size_t starts = problem.startTimes.size() + problem.preciseStartTimes.size();
    const std::size_t fixed =
        size * sizeof(Real) + back + starts * sizeof(StartPoint<Real>) + (std::size_t(16) << 20);
    if (plain) return fixed + 2 * size * sizeof(Real) + points / PointBlocks::Lanes::size * 5;
    if (tiles > std::size_t(std::numeric_limits<int>::max()) / 2 / Round::mostRuns) return tooManyForDevice;
    constexpr std::size_t perTile = 4 * sizeof(int);
    return fixed + tiles * sizeof(Real) +
           runsAtOnce<Real>(image, runs) * (size * sizeof(Real) + tiles * perTile);
  };
  return withTypes(options, [&](auto rule, auto real) {
    return withTileShape<rule(), decltype(real)>(problem.grid,
                                                 [&](auto shape) { return bytes(shape, real); });
  });
}

} // namespace isochrone::rays
