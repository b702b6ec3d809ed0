// RayTracingSolver.h - travel times by kernels, on any device: by tiles, and as the paper computes them.
#pragma once

#include "RayTracing/RayTracingModel.h"
#include "RayTracing/RayTracingRounds.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace isochrone::rays {

struct TileSettings {
  int sweeps = 2;            ///< in a tile in one round; a tile that has more to do waits for its next turn
  double band = 2;           ///< width of the band of keys, in crossings of a tile at the least slowness
  double* seconds = nullptr; ///< if given, grows by the time of the rounds: no set-up, no copies
  int* rounds = nullptr;     ///< if given, grows by their number
};

/// run(Shape{}) with the shape of tiles for a precision and a number of axes: what 48 KB hold, and in space
/// with as little around them as that allows.
template <class Real, class Run>
auto withTileShape(const Grid& grid, Run&& run) {
  const std::size_t axes = longAxes(grid).size();
  if constexpr (sizeof(Real) == 4)
    return axes < 3 ? run(TileShape<64, 32, 1, 8>{}) : run(TileShape<16, 8, 4, 4>{});
  else
    return axes < 3 ? run(TileShape<32, 32, 1, 8>{}) : run(TileShape<8, 4, 4, 4>{});
}

template <class Shape>
inline constexpr TileSize tileSize{Shape::nx, Shape::ny, Shape::nz};

/// For each row of a tile the rows, in it and beside it, that edges lead to.
template <class Shape>
NearRows<Shape> nearRows(const PaddedImage& image) {
  NearRows<Shape> near{};
  for (int d = 0; d < NearRows<Shape>::directions; ++d) {
    const Direction to = Direction::of<Shape>(3 * d);
    for (int row = 0; row < Shape::rows; ++row)
      for (int other = 0; other < Shape::rows; ++other) {
        const int dy = other % Shape::ny + Shape::ny * to.y - row % Shape::ny,
                  dz = other / Shape::ny + Shape::nz * to.z - row / Shape::ny;
        if (std::abs(dy) > image.reach[1] || std::abs(dz) > image.reach[2]) continue;
        (std::tuple(dz, dy) <= std::tuple(0, 0) ? near.before : near.after)[d][row] |= 1u << other;
      }
  }
  return near;
}

/// Solves a valid problem as the paper does: all points at once, until no time changes.
template <WeightRule rule, class Real, class Device>
void relaxPlainly(Device& device, const Problem& problem, const Options& options, double* seconds,
                  const Monitor& monitor, Result& result) {
  Model<rule, Real, Device> model(device, problem, options, noTiles);
  const auto runs = runsOf(problem, options);
  const int blocks = int(model.blocks.count());
  const double expected = double(model.image.n[0] + model.image.n[1] + model.image.n[2]) /
                          model.image.reach[0]; // passes: a guess that serves the progress bar
  double passes = 0;
  for (std::size_t run = 0; run < runs.size() && !result.aborted; ++run) {
    // 1. Arrays.
    auto times = device.template array<Real>(model.image.size, unreached<Real>);
    auto fresh = device.template array<Real>(model.image.size, unreached<Real>);
    auto changed = device.template array<std::uint8_t>(blocks, 0);
    auto changedBlocks = device.template array<int>(blocks, 0);
    const auto starts = model.starts(runs[run]);
    auto startList = device.upload(std::span(starts));
    RoundControl first;
    first.count = blocks;
    auto control = device.template array<RoundControl>(1, first);
    RoundControl* const counters = control.data();
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
    device.wait();
    const auto start = std::chrono::steady_clock::now();
    pass(); // unrecorded, so that all kernels are loaded before the recording
    auto recorded = device.record(pass);
    auto watch = device.watch(counters);
    RoundControl now{};
    while (!now.done && !result.aborted) {
      recorded.replay();
      now = watch.latest();
      result.aborted =
          !monitor.goOn((double(run) + now.round / (now.round + expected)) / double(runs.size()));
    }
    device.wait();
    if (seconds) *seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    // 3. Result.
    passes += now.round;
    result.workBytes = model.slowness.bytes() + times.bytes() + fresh.bytes() + changed.bytes() +
                       changedBlocks.bytes() + startList.bytes();
    if (!result.aborted) model.fetch(times.data(), result.fields.emplace_back());
  }
  result.relaxationsPerPoint = passes / double(runs.size());
  if (result.aborted) result.fields.clear();
}

/// Runs that are computed at once: as many as the kernels can count, within 2 GB for their times.
template <class Real>
int runsAtOnce(const PaddedImage& image, std::size_t runs) {
  const std::size_t most = (std::size_t(1) << 31) / (image.size * sizeof(Real));
  return int(std::clamp<std::size_t>(std::min(runs, most), 1, DecideRound<Real>::mostRuns));
}

/// Which rows of which tiles the starts of a run may change at first: all rows of all tiles within reach.
template <class Shape, class Real>
void wakeFirst(const PaddedImage& image, const std::vector<StartPoint<Real>>& starts, Wake<Real>* pending) {
  for (const StartPoint<Real>& start : starts) {
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
        for (int x = first[0]; x <= last[0]; ++x)
          pending[x + image.tiles[0] * (y + image.tiles[1] * z)].add({start.time, ~0u, ~0u});
  }
}

/// Solves a valid problem by tiles, in the order of their times. The device decides what each round does; the
/// host sends rounds in batches and learns the counters of the batch before.
template <class Shape, WeightRule rule, class Real, class Device>
void relaxTiles(Device& device, const Problem& problem, const Options& options, const TileSettings& settings,
                const Monitor& monitor, Result& result) {
  constexpr int batch = 8; // rounds: one launch, and at most this many too many
  using EdgesInTile = Edges<rule, Real, int>;
  using Choose = ChooseTiles<Shape, Real>;
  Model<rule, Real, Device> model(device, problem, options, tileSize<Shape>);
  const PaddedImage& image = model.image;
  const int pitch = Shape::nx + 2 * image.reach[0], slab = pitch * (Shape::ny + 2 * image.reach[1]);
  const EdgeLists<EdgesInTile> lists(problem.grid, model.allTerms, pitch, slab, true);
  DeviceEdges<Device, EdgesInTile> edges(device, lists);
  const NearRows<Shape> nearTable = nearRows<Shape>(image);
  auto near = device.upload(std::span(&nearTable, 1));
  const auto runs = runsOf(problem, options);
  const int atOnce = runsAtOnce<Real>(image, runs.size());
  const int groups = blocksOf<Choose>(image.tileCount());
  const TileNumbers numbers{{image.tiles[0], image.tiles[1], image.tiles[2]}, groups * Choose::Lanes::size};
  const auto span = slownessOf<Real>(problem);
  const double least = *std::min_element(span.begin(), span.end());
  const Real band =
      Real(settings.band * least * Shape::nx * spacingOf(problem.grid)[longAxes(problem.grid)[0]]);
  const double expected = 1 + 2 * (image.tiles[0] + image.tiles[1] + image.tiles[2]); // for the progress bar
  double relaxedEdges = 0;

  for (std::size_t firstRun = 0; firstRun < runs.size() && !result.aborted; firstRun += atOnce) {
    // 1. Arrays.
    const int count = int(std::min<std::size_t>(atOnce, runs.size() - firstRun));
    const int tiles = count * numbers.ofRun;
    std::vector<Wake<Real>> firstWake(tiles, Wake<Real>::none());
    std::vector<StartPoint<Real>> starts;
    for (int r = 0; r < count; ++r) {
      auto ofRun = model.starts(runs[firstRun + r]);
      wakeFirst<Shape>(image, ofRun, firstWake.data() + std::size_t(r) * numbers.ofRun);
      for (auto& start : ofRun) start.index += r * image.size;
      starts.insert(starts.end(), ofRun.begin(), ofRun.end());
    }
    std::vector<Real> firstBound(DecideRound<Real>::mostRuns, unreached<Real>);
    auto times = device.template array<Real>(count * image.size, unreached<Real>);
    auto startList = device.upload(std::span(std::as_const(starts)));
    auto pending = device.upload(std::span(std::as_const(firstWake)));
    auto bound = device.upload(std::span(std::as_const(firstBound)));
    auto leastKeys = device.template array<Real>(count * groups, unreached<Real>);
    auto report = device.template array<TileReport<Shape, Real>>(tiles, {{}, -1});
    auto relaxed = device.template array<std::int64_t>(tiles, 0);
    auto chosen = device.template array<std::uint8_t>(tiles, 0);
    auto active = device.template array<int>(tiles, 0);
    auto control = device.template array<RoundControl>(1, {});
    RoundControl* const counters = control.data();

    // 2. Kernels.
    const SweepTile<Shape, EdgesInTile> relax{
        image,         numbers,        edges.edges(),         lists.inRow, lists.afterRow, model.edgeCount(),
        lists.toLeft,  near.data(),    settings.sweeps,       counters,    active.data(),  pending.data(),
        report.data(), relaxed.data(), model.slowness.data(), times.data()};
    const Choose choose{numbers,      counters,      report.data(),   pending.data(),
                        bound.data(), chosen.data(), leastKeys.data()};
    const DecideRound<Real> decide{count, groups, leastKeys.data(), band, bound.data(), counters};
    const auto chooseAndList = [&] {
      device.run(choose, count * groups);
      device.compact(chosen, active, &counters->listed);
    };
    device.run(PlaceStarts<Real>{startList.data(), int(starts.size()), times.data()},
               blocksOf<PlaceStarts<Real>>(starts.size()));
    chooseAndList();

    // 3. Rounds.
    const auto someRounds = [&] {
      for (int i = 0; i < batch; ++i) {
        device.run(decide, 1);
        device.run(relax, &counters->count, tiles);
        chooseAndList();
      }
    };
    device.wait();
    const auto start = std::chrono::steady_clock::now();
    someRounds(); // unrecorded, so that all kernels are loaded before the recording
    auto rounds = device.record(someRounds);
    auto watch = device.watch(counters);
    RoundControl now{};
    while (!now.done && !result.aborted) {
      rounds.replay();
      now = watch.latest();
      result.aborted = !monitor.goOn((double(firstRun) + count * now.round / (now.round + expected)) /
                                     double(runs.size()));
    }
    device.wait();
    if (settings.seconds)
      *settings.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (settings.rounds) *settings.rounds += now.round;

    // 4. Result.
    std::vector<std::int64_t> counts(tiles);
    device.download(relaxed, counts.data());
    for (const std::int64_t edgesOfTile : counts) relaxedEdges += double(edgesOfTile);
    result.workBytes = model.slowness.bytes() + times.bytes() + startList.bytes() + pending.bytes() +
                       leastKeys.bytes() + report.bytes() + relaxed.bytes() + chosen.bytes() + active.bytes();
    for (int r = 0; r < count && !result.aborted; ++r)
      model.fetch(times.data() + r * image.size, result.fields.emplace_back());
  }
  result.relaxationsPerPoint =
      relaxedEdges / (double(image.points()) * model.edgeCount() * double(runs.size()));
  if (result.aborted) result.fields.clear();
}

/// run(rule, Real{}) with the types for a problem.
template <class Run>
auto withTypes(const Options& options, Run&& run) {
  return withRule(options.rule, [&](auto rule) {
    return options.doublePrecision ? run(rule, double{}) : run(rule, float{});
  });
}

/// Both set the fields' times, and, where waves are to be described, their predecessors as far as they are
/// earlier; relaxationsPerPoint, workBytes and aborted.
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
    withTileShape<decltype(real)>(problem.grid, [&](auto shape) {
      relaxTiles<decltype(shape), rule(), decltype(real)>(device, problem, options, settings, monitor,
                                                          result);
    });
  });
}

/// Device memory that the method of the options needs, small arrays left out; more than any device has where
/// tiles could not be counted.
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
    if (tiles > std::size_t(std::numeric_limits<int>::max()) / 2 / DecideRound<Real>::mostRuns)
      return std::numeric_limits<std::size_t>::max();
    constexpr std::size_t perTile =
        sizeof(TileReport<Shape, Real>) + sizeof(Wake<Real>) + sizeof(std::int64_t) + sizeof(int) + 1;
    return fixed + runsAtOnce<Real>(image, runs) * (size * sizeof(Real) + tiles * perTile);
  };
  const auto withReal = [&](auto real) {
    return withTileShape<decltype(real)>(problem.grid, [&](auto shape) { return bytes(shape, real); });
  };
  return options.doublePrecision ? withReal(double{}) : withReal(float{});
}

} // namespace isochrone::rays
