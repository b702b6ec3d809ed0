// TileSolver.h - travel times by tiles, on any device.
#pragma once

#include "RayTracing/Tiles/DeviceModel.h"
#include "RayTracing/Tiles/RelaxTile.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace isochrone::rays {

struct TileSettings {
  int passes = 8;        ///< over a tile in one round; a tile with more work is listed again
  double band = 32;      ///< width of the band of keys, in grid steps at the minimum slowness
  int* rounds = nullptr; ///< if given, increases by the number of rounds
};

/// Calls run(Shape{}, std::integral_constant, Real{}) with the tile shape for the number of axes, the weight
/// rule and the precision. Where weights are sums, more lanes share them, unless their registers would spill.
template <class Run>
auto withTileShape(const Grid& grid, const Options& options, Run&& run) {
  return withTypes(options, [&](auto rule, auto real) {
    constexpr bool spills = rule() == WeightRule::Cells && sizeof(real) == sizeof(double); // sm_100, sm_120
    constexpr int parts = rule() == WeightRule::Fast || spills ? 8 : 16;
    return dimensionsOf(grid) < 3 ? run(TileShape<8, 8, 1, 8, parts>{}, rule, real)
                                  : run(TileShape<4, 4, 4, 4, parts>{}, rule, real);
  });
}

template <class Shape>
inline constexpr TileSize tileSize{{Shape::nx, Shape::ny, Shape::nz}};

/// Returns the number of runs computed at once, limited by Round::maxRuns and 2 GB for their times.
template <class Real>
int runsAtOnce(const PaddedImage& image, std::size_t runs) {
  const std::size_t maximum = (std::size_t(1) << 31) / (image.size * sizeof(Real));
  return int(std::clamp<std::size_t>(std::min(runs, maximum), 1, Round::maxRuns));
}

/// Lowers the keys of the tiles that a start may change: those within reach.
template <class Shape, class Real>
void lowerKeys(const PaddedImage& image, const Start<Real>& start, Key* keys) {
  const std::int64_t offset = start.point - image.corner();
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

/// The state before the first round of several runs: their starts and the tiles within reach.
template <class Shape, class Real>
struct FirstRound {
  std::vector<Start<Real>> starts;
  std::vector<Key> keys;   ///< per tile
  std::vector<int> listed; ///< tiles; has the size of `keys`
  RoundControl control{};

  /// @param runs  the sources of each
  template <class Model>
  FirstRound(const Model& model, const TileNumbers& numbers, std::span<const std::vector<std::int32_t>> runs)
      : keys(runs.size() * numbers.count(), noKey) {
    for (Round& round : control.rounds) std::fill(std::begin(round.minimum), std::end(round.minimum), noKey);
    Round& round = control.rounds[0];
    for (std::size_t run = 0; run < runs.size(); ++run) {
      const auto ofRun = std::span(keys).subspan(run * numbers.count(), numbers.count());
      for (Start<Real> start : model.starts(runs[run])) {
        lowerKeys<Shape>(model.image, start, ofRun.data());
        start.point += std::int64_t(run) * model.image.size;
        starts.push_back(start);
      }
      round.minimum[run] = *std::min_element(ofRun.begin(), ofRun.end());
    }
    for (std::size_t id = 0; id < keys.size(); ++id)
      if (keys[id] != noKey) listed.push_back(int(id));
    round.listed = int(listed.size());
    listed.resize(keys.size());
  }
};

/// The arrays of some runs in device memory.
template <class Real, class Device>
struct RunBuffers {
  template <class T>
  using Array = typename Device::template Array<T>;
  Array<Real> times; ///< padded, run by run
  Array<Start<Real>> starts;
  std::array<Array<int>, 2> listed; ///< tiles of a round and of the next one, by turns
  std::array<Array<Key>, 2> keys;   ///< per tile, likewise
  Array<RoundControl> control;

  template <class Shape>
  RunBuffers(Device& device, const FirstRound<Shape, Real>& first, std::size_t timesOfRuns)
      : times(device.template array<Real>(timesOfRuns, unreached<Real>)),
        starts(device.upload(std::span(first.starts))), listed{device.upload(std::span(first.listed)),
                                                               device.template array<int>(first.listed.size(),
                                                                                          0)},
        keys{device.upload(std::span(first.keys)), device.template array<Key>(first.keys.size(), noKey)},
        control(device.template array<RoundControl>(1, first.control)) {
    device.run(PlaceStarts<Real>{starts.data(), int(first.starts.size()), times.data()},
               blocksOf<PlaceStarts<Real>>(first.starts.size()));
  }
  std::size_t bytes() const {
    return times.bytes() + starts.bytes() + listed[0].bytes() + listed[1].bytes() + keys[0].bytes() +
           keys[1].bytes();
  }
};

/// Solves a valid problem by tiles, in the order of their times.
/// @tparam CopiesOfPoints  Copies of an image with periodic axes, else NoCopies
template <class Shape, WeightRule rule, class Real, bool tilted, class CopiesOfPoints, class Device>
class TileSolver {
public:
  TileSolver(Device& onDevice, const Problem& problem, const Options& options, const CopiesOfPoints& c,
             const TileSettings& s, const Monitor& m, Result& r)
      : device(onDevice), model(device, problem, options, tileSize<Shape>),
        edges(model.edgesInTiles(Shape::pitch, Shape::slab)), runs(runsOf(problem, options)),
        numbers(model.image), minSlowness(device.template allocate<Real>(numbers.count())), copies(c),
        points(grid::ownPoints(problem.grid, problem.part).points()), settings(s), monitor(m), result(r) {
    result.aborted = !model.place(monitor);
    using FindLeast = FindLeastSlowness<Shape, Real>;
    device.run(FindLeast{model.image, numbers, model.slowness.data(), minSlowness.data()},
               blocksOf<FindLeast>(numbers.count()));
    const double minimum = std::ranges::min(slownessOf<Real>(problem));
    const double step = minimum * problem.grid.spacing()[axisOrder(problem.grid)[0]];
    band = float(std::min<double>(settings.band * step, std::numeric_limits<float>::max()));
  }

  void solve() {
    const std::size_t atOnce = runsAtOnce<Real>(model.image, runs.size());
    for (std::size_t first = 0; first < runs.size() && !result.aborted; first += atOnce)
      solveRuns(first, std::min(atOnce, runs.size() - first));
    result.relaxationsPerPoint = double(relaxed) / (double(points) * double(runs.size()));
    if (result.aborted) result.fields.clear();
  }

private:
  using EdgesInTile = Edges<rule, Real, int, tilted>;
  using Buffers = RunBuffers<Real, Device>;

  Device& device;
  Model<rule, Real, tilted, Device> model;
  DeviceEdges<Device, EdgesInTile> edges;
  const std::vector<std::vector<std::int32_t>> runs; ///< the sources of each
  const TileNumbers numbers;
  typename Device::template Array<Real> minSlowness; ///< in and around each tile
  const CopiesOfPoints copies;
  const std::int64_t points; ///< without copies
  const TileSettings& settings;
  const Monitor& monitor;
  Result& result;
  float band;            ///< see RelaxTile
  long long relaxed = 0; ///< points

  /// Solves some runs at once.
  void solveRuns(std::size_t firstRun, std::size_t count) {
    // Rounds per launch, of which at most two batches have nothing to do: a multiple of two and three.
    constexpr int batch = 12;
    const PaddedImage& image = model.image;
    const FirstRound<Shape, Real> first(model, numbers, std::span(runs).subspan(firstRun, count));
    Buffers buffers(device, first, count * image.size);
    const auto someRounds = [&] {
      for (int i = 0; i < batch; ++i) device.run(round(buffers, i), 1 + int(first.keys.size()));
    };
    execution::Rounds<Device, RoundControl> rounds(device, buffers.control.data(), someRounds);
    const double expected = 1 + 2 * (image.tiles[0] + image.tiles[1] + image.tiles[2]); // rounds, roughly
    result.aborted = !rounds.run(
        monitor, [](const RoundControl& now) { return now.done != 0; },
        [&](const RoundControl& now) {
          return (double(firstRun) + double(count) * now.count / (now.count + expected)) /
                 double(runs.size());
        });
    rounds.finish();
    if (settings.rounds) *settings.rounds += rounds.counters().count;
    relaxed += rounds.counters().relaxed;
    result.workBytes = model.bytes() + buffers.bytes() + minSlowness.bytes();
    for (std::size_t r = 0; r < count && !result.aborted; ++r)
      model.fetch(buffers.times.data() + r * image.size, result.fields.emplace_back());
  }

  /// Returns the kernel of round i of a batch.
  RelaxTile<Shape, EdgesInTile, CopiesOfPoints> round(Buffers& buffers, int i) {
    RoundControl* const control = buffers.control.data();
    return {model.image,
            numbers,
            edges.edges(),
            model.edgeCount(),
            settings.passes,
            band,
            control,
            control->rounds + (i + 2) % 3,
            control->rounds + i % 3,
            control->rounds + (i + 1) % 3,
            buffers.listed[i % 2].data(),
            buffers.listed[1 - i % 2].data(),
            buffers.keys[i % 2].data(),
            buffers.keys[1 - i % 2].data(),
            model.slowness.data(),
            minSlowness.data(),
            model.slownessOfEdges(),
            buffers.times.data(),
            copies};
  }
};

/// solveByTiles for media that are tilted, or are not.
template <bool tilted, class Device>
void solveByTilesIn(Device& device, const Problem& problem, const Options& options,
                    const TileSettings& settings, const Monitor& monitor, Result& result) {
  withTileShape(problem.grid, options, [&](auto shape, auto rule, auto real) {
    const auto solve = [&](const auto& copies) {
      using CopiesOfPoints = std::decay_t<decltype(copies)>;
      TileSolver<decltype(shape), rule(), decltype(real), tilted, CopiesOfPoints, Device>(
          device, problem, options, copies, settings, monitor, result)
          .solve();
    };
    const grid::GridPart& part = problem.part;
    if constexpr (tilted) // one set of kernels: the weights take the time
      solve(part.periodic ? Copies(problem.grid, part) : Copies(problem.grid));
    else
      part.periodic ? solve(Copies(problem.grid, part)) : solve(NoCopies{});
  });
}

/// Solves a valid problem on a device. Sets the fields' times, relaxationsPerPoint, workBytes and aborted. If
/// predecessors or source ids are requested, also sets the predecessors that are earlier neighbours.
template <class Device>
void solveByTiles(Device& device, const Problem& problem, const Options& options,
                  const TileSettings& settings, const Monitor& monitor, Result& result) {
  const auto solve = problem.tilted ? solveByTilesIn<true, Device> : solveByTilesIn<false, Device>;
  solve(device, problem, options, settings, monitor, result);
}

/// Returns the number of bytes of device memory that solveByTiles needs, without small arrays;
/// tooManyForDevice if the tiles exceed the range of int.
inline std::size_t kernelBytes(const Problem& problem, const Options& options) {
  return withTileShape(problem.grid, options, [&](auto shape, auto, auto real) -> std::size_t {
    using Real = decltype(real);
    const PaddedImage image =
        paddedImage(problem.grid, makeForwardStar(problem.grid, options.neighbours, options.radius),
                    tileSize<decltype(shape)>);
    const std::size_t tiles = image.tileCount(), runs = runsOf(problem, options).size();
    if (tiles > std::size_t(std::numeric_limits<int>::max()) / 2 / Round::maxRuns) return tooManyForDevice;
    constexpr std::size_t perTile = 4 * sizeof(int);
    return modelBytes<Real>(problem, options, image) + tiles * sizeof(Real) +
           runsAtOnce<Real>(image, runs) * (image.size * sizeof(Real) + tiles * perTile);
  });
}

} // namespace isochrone::rays
