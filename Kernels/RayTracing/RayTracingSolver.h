// RayTracingSolver.h - travel times by kernels, on any device: by tiles, and as the paper computes them.
#pragma once

#include "RayTracing/EdgeWeights.h"
#include "RayTracing/RayTracingPoints.h"
#include "RayTracing/RayTracingRounds.h"
#include "RayTracing/Starts.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

namespace isochrone::rays {

struct TileSettings {
  int sweeps = 8;            ///< in a tile in one round; a tile that has more to do waits for its next turn
  double band = 4;           ///< width of the band of keys, in crossings of a tile at the least slowness
  double* seconds = nullptr; ///< if given, grows by the time of the rounds: no set-up, no copies
  int* rounds = nullptr;     ///< if given, grows by their number
};

/// run(Shape{}) with the shape of tiles for a precision and a number of axes. Rows are as long as the fastest
/// axis of a wave allows; in space tiles are small, so that there are enough of them for all processors.
template <class Real, class Run>
auto withTileShape(int axes, Run&& run) {
  if constexpr (sizeof(Real) == 4)
    return axes < 3 ? run(TileShape<64, 32, 1, 8>{}) : run(TileShape<16, 8, 4, 4>{});
  else
    return axes < 3 ? run(TileShape<32, 32, 1, 8>{}) : run(TileShape<8, 4, 4, 4>{});
}

/// run(std::integral_constant) with the rule of the weights.
template <class Run>
auto withRule(WeightRule rule, Run&& run) {
  using R = WeightRule;
  switch (rule) {
  case R::Fast:
    return run(std::integral_constant<R, R::Fast>{});
  case R::Cells:
    return run(std::integral_constant<R, R::Cells>{});
  case R::Accurate:
    break;
  }
  return run(std::integral_constant<R, R::Accurate>{});
}

/// Blocks of a kernel with one lane per item.
template <class Kernel>
int blocksOf(std::int64_t items) {
  return int((items + Kernel::Lanes::size - 1) / Kernel::Lanes::size);
}

/// The image of a problem with its long axes first, for tiles of one shape.
template <class Shape>
PaddedImage paddedImage(const Grid& grid, const Template& neighbours) {
  const std::vector<int> axes = longAxes(grid);
  const int tile[3] = {Shape::nx, Shape::ny, Shape::nz};
  PaddedImage image{{1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 0, 0, 0};
  for (std::size_t a = 0; a < axes.size(); ++a) {
    image.n[a] = pointsOf(grid)[axes[a]];
    for (const Offset& o : neighbours.offsets) image.reach[a] = std::max(image.reach[a], o[axes[a]]);
  }
  for (int a = 0; a < 3; ++a) image.tiles[a] = int((image.n[a] + tile[a] - 1) / tile[a]);
  const auto padded = [&](int a) { return std::int64_t(image.tiles[a]) * tile[a] + 2 * image.reach[a]; };
  image.pitch = padded(0);
  image.slab = image.pitch * padded(1);
  image.size = image.slab * padded(2);
  return image;
}

/// Edges and their terms, with steps for rows and planes of some size.
template <class EdgesOfKernel>
struct EdgeLists {
  using Real = typename EdgesOfKernel::Real;
  using Step = typename EdgesOfKernel::Step;
  using ListedTerm = EdgeTerm<EdgesOfKernel::rule, Real, Step>;
  std::vector<Edge<Real, Step>> edges;
  std::vector<ListedTerm> terms;
  int inRow = 0, afterRow = 0, toLeft = 0;

  /// @param byRows  edges to rows before the point first, then those in its row; else in canonical order
  EdgeLists(const Grid& grid, std::vector<EdgeTerms> all, Step pitch, Step slab, bool byRows) {
    const std::vector<int> axes = longAxes(grid);
    const auto along = [&](const Offset& o, std::size_t axis) {
      return axis < axes.size() ? o[axes[axis]] : 0;
    };
    const auto step = [&](const Offset& o) {
      return Step(along(o, 0) + pitch * along(o, 1) + slab * along(o, 2));
    };
    const auto place = [&](const Offset& o) { // of its row: before, the same, after
      const auto rows = std::tuple(along(o, 2), along(o, 1));
      return rows < std::tuple(0, 0) ? 0 : rows == std::tuple(0, 0) ? 1 : 2;
    };
    if (byRows)
      std::stable_sort(all.begin(), all.end(), [&](const EdgeTerms& a, const EdgeTerms& b) {
        return place(a.offset) < place(b.offset);
      });
    for (const EdgeTerms& edge : all) {
      inRow += place(edge.offset) < 1, afterRow += place(edge.offset) < 2;
      if (place(edge.offset) == 1 && along(edge.offset, 0) == -1) toLeft = int(edges.size());
      const int first = int(terms.size());
      for (const Term& term : edge.terms) {
        ListedTerm listed{Real(term.length), {}};
        for (int s = 0; s < ListedTerm::samples; ++s) listed.at[s] = step(term.samples[s]);
        terms.push_back(listed);
      }
      edges.push_back({step(edge.offset), Real(0.5 * edge.length), first, int(terms.size())});
    }
  }
};

/// The same in the memory of a device.
template <class Device, class EdgesOfKernel>
class DeviceEdges {
public:
  using Lists = EdgeLists<EdgesOfKernel>;
  DeviceEdges(Device& device, const Lists& lists)
      : list(device.upload(std::span(std::as_const(lists.edges)))),
        terms(device.upload(std::span(std::as_const(lists.terms)))) {}
  EdgesOfKernel edges() { return {list.data(), terms.data()}; }

private:
  typename Device::template Array<Edge<typename Lists::Real, typename Lists::Step>> list;
  typename Device::template Array<typename Lists::ListedTerm> terms;
};

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

/// Where a run starts: every point once, by their places in the padded image.
template <class Real>
std::vector<StartPoint<Real>> startPoints(const PaddedImage& image, std::span<const Start<Real>> starts) {
  std::vector<StartPoint<Real>> points;
  for (const Start<Real>& start : starts) {
    const std::int64_t x = start.point % image.n[0], row = start.point / image.n[0];
    points.push_back({image.index(x, row % image.n[1], row / image.n[1]), start.time});
  }
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.index, a.time) < std::tuple(b.index, b.time);
  });
  const auto same = [](const auto& a, const auto& b) { return a.index == b.index; };
  points.erase(std::unique(points.begin(), points.end(), same), points.end());
  return points;
}

/// What the runs on one model share: slowness and edges, and the way of times and predecessors back.
template <class Shape, WeightRule rule, class Real, class Device>
class Model {
public:
  using EdgesFromPoints = Edges<rule, Real, std::int64_t>;
  Model(Device& d, const Problem& p, const Options& o)
      : device(d), problem(p), options(o), neighbours(makeTemplate(p.grid, o.neighbours, o.radius)),
        allTerms(edgeTerms(p.grid, rule, neighbours)),
        image(paddedImage<Shape>(p.grid, neighbours)), blocks{image},
        slowness(device.template array<Real>(image.size, unreached<Real>)),
        edges(device, EdgeLists<EdgesFromPoints>(p.grid, allTerms, image.pitch, image.slab, false)) {
    auto values = device.upload(slownessOf<Real>(problem));
    PlaceSlowness<Real> place{blocks, {image.n[0], image.n[1], image.n[2]}, values.data(), slowness.data()};
    if (rule == WeightRule::Cells)
      for (std::int64_t& n : place.elements) n = std::max<std::int64_t>(1, n - 1);
    device.run(place, int(blocks.count()));
    device.wait(); // the values go
  }

  /// The times from which some runs start.
  std::vector<StartPoint<Real>> starts(std::span<const std::int32_t> sources) const {
    const auto all = startsOf<Real>(problem, options, sources);
    return startPoints<Real>(image, all);
  }

  /// Times of a run, and where its waves come from, to the result.
  void fetch(Real* times, Field& field) {
    const std::int64_t points = image.points();
    auto values = device.template allocate<Real>(points);
    device.run(FetchTimes<Real>{blocks, times, values.data()}, int(blocks.count()));
    Values<Real>& to = [&]() -> Values<Real>& {
      if constexpr (sizeof(Real) == 4)
        return field.travelTime;
      else
        return field.preciseTravelTime;
    }();
    to.resize(points);
    device.download(values, to.data());
    if (!options.predecessors && !options.sourceIds) return;
    auto predecessor = device.template allocate<std::uint16_t>(points);
    device.run(FindPredecessors<EdgesFromPoints>{blocks, edges.edges(), edgeCount(), slowness.data(), times,
                                                 predecessor.data()},
               int(blocks.count()));
    field.predecessor.resize(points);
    device.download(predecessor, field.predecessor.data());
  }

  int edgeCount() const { return int(allTerms.size()); }

  Device& device;
  const Problem& problem;
  const Options& options;
  const Template neighbours;
  const std::vector<EdgeTerms> allTerms; ///< in canonical order
  const PaddedImage image;
  const PointBlocks blocks;
  typename Device::template Array<Real> slowness; ///< padded
  DeviceEdges<Device, EdgesFromPoints> edges;
};

/// Sources of each run.
inline std::vector<std::vector<std::int32_t>> runsOf(const Problem& problem, const Options& options) {
  std::vector<std::int32_t> all(problem.sources.size());
  std::iota(all.begin(), all.end(), 0);
  if (!options.separateSources) return {all};
  std::vector<std::vector<std::int32_t>> runs;
  for (const std::int32_t s : all) runs.push_back({s});
  return runs;
}

/// Solves a valid problem as the paper does: all points at once, until no time changes.
template <class Shape, WeightRule rule, class Real, class Device>
void relaxPlainly(Device& device, const Problem& problem, const Options& options, double* seconds,
                  const Monitor& monitor, Result& result) {
  Model<Shape, rule, Real, Device> model(device, problem, options);
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
    const int size[3] = {Shape::nx, Shape::ny, Shape::nz};
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
  Model<Shape, rule, Real, Device> model(device, problem, options);
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

/// run(shape, rule, Real{}) with the types for a problem.
template <class Run>
auto withTypes(const Problem& problem, const Options& options, Run&& run) {
  const auto withReal = [&](auto real) {
    return withRule(options.rule, [&](auto rule) {
      return withTileShape<decltype(real)>(int(longAxes(problem.grid).size()),
                                           [&](auto shape) { return run(shape, rule, real); });
    });
  };
  return options.doublePrecision ? withReal(double{}) : withReal(float{});
}

/// Both set the fields' times, and, where waves are to be described, their predecessors as far as they are
/// earlier; relaxationsPerPoint, workBytes and aborted.
template <class Device>
void solvePlainly(Device& device, const Problem& problem, const Options& options, double* seconds,
                  const Monitor& monitor, Result& result) {
  withTypes(problem, options, [&](auto shape, auto rule, auto real) {
    relaxPlainly<decltype(shape), rule(), decltype(real)>(device, problem, options, seconds, monitor, result);
  });
}
template <class Device>
void solveByTiles(Device& device, const Problem& problem, const Options& options,
                  const TileSettings& settings, const Monitor& monitor, Result& result) {
  withTypes(problem, options, [&](auto shape, auto rule, auto real) {
    relaxTiles<decltype(shape), rule(), decltype(real)>(device, problem, options, settings, monitor, result);
  });
}

/// Device memory that the method of the options needs, small arrays left out.
inline std::size_t kernelBytes(const Problem& problem, const Options& options) {
  return withTypes(problem, options, [&](auto shape, auto, auto real) -> std::size_t {
    using Shape = decltype(shape);
    using Real = decltype(real);
    const PaddedImage image =
        paddedImage<Shape>(problem.grid, makeTemplate(problem.grid, options.neighbours, options.radius));
    const std::size_t points = problem.grid.points(), size = image.size, tiles = image.tileCount();
    const std::size_t runs = options.separateSources ? problem.sources.size() : 1;
    const std::size_t back = points * (sizeof(Real) + (options.predecessors || options.sourceIds ? 2 : 0));
    const std::size_t starts =
        (problem.sources.size() * 27 + problem.startTimes.size() + problem.preciseStartTimes.size()) *
        sizeof(StartPoint<Real>);
    const std::size_t fixed = size * sizeof(Real) + back + starts + (std::size_t(16) << 20);
    if (options.method == Method::PlainRelaxation)
      return fixed + 2 * size * sizeof(Real) + points / PointBlocks::Lanes::size * 5;
    constexpr std::size_t perTile =
        sizeof(TileReport<Shape, Real>) + sizeof(Wake<Real>) + sizeof(std::int64_t) + sizeof(int) + 1;
    if (tiles * DecideRound<Real>::mostRuns > std::size_t(std::numeric_limits<int>::max() / 2))
      return std::numeric_limits<std::size_t>::max();
    return fixed + runsAtOnce<Real>(image, runs) * (size * sizeof(Real) + tiles * perTile);
  });
}

} // namespace isochrone::rays
