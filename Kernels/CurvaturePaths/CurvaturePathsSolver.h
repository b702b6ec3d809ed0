// CurvaturePathsSolver.h - the paper's Algorithm 1 on any device: relaxes active tiles until none changes.
#pragma once

#include "CurvaturePaths/Starts.h"
#include "CurvaturePaths/TileRounds.h"

#include <algorithm>
#include <chrono>

namespace isochrone::curvature {

struct TileSettings {
  int iterations = 1; ///< R of Algorithm 2
  Tagging tagging = Tagging::Agsi;
  bool inPlace = false; ///< as in the paper: rounds write `u` directly. Not the same bits in every run; one
                        ///< thread on the host
  double* seconds = nullptr; ///< if given, receives the time of the rounds: no set-up, no copies
  std::vector<TipStates> tips =
      {}; ///< if not empty, the rounds end when these are final (not with corrections)
};

template <class Shape>
TileGrid tileGrid(const StateGrid& grid) {
  const auto tiles = [](std::int64_t n, int size) { return int((n + size - 1) / size); };
  return {int(grid.nx),
          int(grid.ny),
          grid.headings,
          tiles(grid.nx, Shape::nx),
          tiles(grid.ny, Shape::ny),
          tiles(grid.headings, Shape::nz)};
}

/// The tables and fields of a problem in device memory.
template <class Device>
struct DeviceProblem {
  template <class T>
  using Array = typename Device::template Array<T>;

  Array<float> cost, turningRadius, curvatureShift;
  Array<Slot> shared;
  Array<TilePiece> pieces;
  Array<PieceRange> ranges;
  Array<std::uint8_t> view;
  Array<std::uint32_t> words;

  DeviceProblem(Device& device, const Problem& problem, const TilePlan& plan)
      : cost(device.upload(problem.cost.values)), turningRadius(device.upload(problem.turningRadius.values)),
        curvatureShift(device.upload(problem.curvatureShift.values)), shared(upload(device, plan.shared)),
        pieces(upload(device, plan.pieces)), ranges(upload(device, plan.ranges)),
        view(upload(device, plan.view)),
        words(device.template array<std::uint32_t>(plan.wallWords() * problem.grid.planePoints(), 0)) {
    if (plan.view.empty()) return;
    auto planar = upload(device, plan.planar);
    auto cover = upload(device, plan.cover);
    const TileGrid grid = tileGrid<Box<1, 1, 1>>(problem.grid);
    device.run(
        LookAround{grid, view.data(), planar.data(), cover.data(), int(plan.planar.size()), words.data()},
        LookAround::groups(grid) * int(plan.wallWords()));
  }

  template <class T>
  static Array<T> upload(Device& device, const std::vector<T>& values) {
    return device.upload(std::span<const T>(values));
  }
  /// @param perUnit  a power of two: value in units of the plan per value of the user
  static FieldView field(const Problem& problem, const Field& field, Array<float>& values, double perUnit) {
    const bool perState = std::int64_t(field.values.size()) > problem.grid.planePoints();
    return {float(field.constant), field.values.empty() ? nullptr : values.data(), perState, float(perUnit)};
  }
  WallView walls() { return {view.bytes() ? view.data() : nullptr, words.data()}; }

  SharedStencils stencils(const Problem&, const TilePlan&, SharedStencils) {
    return SharedStencils{shared.data()};
  }
  VaryingStencils stencils(const Problem& problem, const TilePlan& plan, VaryingStencils) {
    VaryingStencils varying{pieces.data(),
                            ranges.data(),
                            {},
                            plan.turnWeight,
                            field(problem, problem.turningRadius, turningRadius, 1 / plan.lengthUnit),
                            field(problem, problem.curvatureShift, curvatureShift, plan.lengthUnit)};
    std::copy_n(plan.factors, mostBlocks, varying.factors);
    return varying;
  }
  std::size_t bytes() const {
    return cost.bytes() + turningRadius.bytes() + curvatureShift.bytes() + shared.bytes() + pieces.bytes() +
           ranges.bytes() + view.bytes() + words.bytes();
  }
};

/// Blocks of a kernel with one lane per item.
template <class Kernel>
int blocksOf(std::int64_t items) {
  return int((items + Kernel::Lanes::size - 1) / Kernel::Lanes::size);
}

/// Tiles that hold a seed count as changed in round 0, the others as never changed.
template <class Shape>
std::vector<int> tilesOfSeeds(const TileGrid& grid, std::span<const SeedState> seeds) {
  std::vector<int> lastChange(grid.tiles(), -2);
  for (const SeedState& seed : seeds) {
    const std::int64_t plane = seed.state % grid.planePoints();
    const int x = int(plane % grid.nx) / Shape::nx, y = int(plane / grid.nx) / Shape::ny;
    const int z = int(seed.state / grid.planePoints()) / Shape::nz;
    lastChange[x + grid.tx * (y + grid.ty * z)] = 0;
  }
  return lastChange;
}

/// Rounds from the seeds until nothing changes. The device decides what each round does; the host sends them
/// in batches and learns the counters of the batch before. Adds to rounds, updatesPerPoint and workBytes.
/// @param stencils  where RelaxTile takes them from, in memory that `data` owns
/// @param u         receives the solution; +infinity everywhere
/// @param from, to  the part of the progress that these rounds make
template <class Scheme, class Shape, class Stencils, class Prior, class Device>
void relaxRounds(Device& device, const Problem& problem, const TilePlan& plan, DeviceProblem<Device>& data,
                 const Stencils& stencils, const Prior& prior, const PlacedSeeds& seeds,
                 const TileSettings& settings, float* u, const Monitor& monitor, double from, double to,
                 Result& result) {
  constexpr int batch = 8; // rounds: one launch, and at most this many too many
  const TileGrid grid = tileGrid<Shape>(problem.grid);
  const int tiles = grid.tiles();

  // 1. Arrays.
  auto fresh =
      device.template array<float>(settings.inPlace ? 0 : std::size_t(tiles) * Shape::size, infinity);
  auto seedStates = device.upload(std::span<const SeedState>(seeds.states));
  const std::vector<int> changed = tilesOfSeeds<Shape>(grid, seeds.states);
  auto lastChange = device.upload(std::span<const int>(changed));
  auto tips = device.upload(std::span<const TipStates>(settings.tips));
  auto flags = device.template array<std::uint8_t>(tiles, 0);
  auto active = device.template array<int>(tiles, 0);
  RoundControl first{};
  first.limit = infinity;
  auto control = device.template array<RoundControl>(1, first);
  RoundControl* const counters = control.data();

  // 2. Kernels.
  const RelaxTile<Scheme, Shape, Stencils, Prior> relax{
      grid,
      data.field(problem, problem.cost, data.cost, 1 / plan.costUnit),
      data.walls(),
      stencils,
      prior,
      stopsLeaks(problem),
      float(problem.grid.hx / plan.lengthUnit),
      float(problem.grid.hy / plan.lengthUnit),
      settings.iterations,
      counters,
      active.data(),
      lastChange.data(),
      u,
      settings.inPlace ? nullptr : fresh.data(),
      u};
  const CommitTile<Shape> commit{grid, counters, active.data(), lastChange.data(), fresh.data(), u};
  const TagTiles tag{grid, settings.tagging, counters, lastChange.data(), flags.data()};
  const DecideRound decide{grid, counters};
  const LimitToTips limit{tips.data(), int(settings.tips.size()), grid.planePoints(), u, counters};
  const auto tagAndList = [&] {
    device.run(tag, blocksOf<TagTiles>(tiles));
    device.compact(flags, active, &counters->listed);
  };
  device.run(PlaceSeeds{seedStates.data(), int(seeds.states.size()), u},
             blocksOf<PlaceSeeds>(seeds.states.size()));
  tagAndList();

  // 3. Rounds.
  const auto someRounds = [&] {
    if (!settings.tips.empty()) device.run(limit, 1);
    for (int i = 0; i < batch; ++i) {
      device.run(decide, 1);
      device.run(relax, &counters->count, tiles);
      if (!settings.inPlace) device.run(commit, &counters->count, tiles);
      tagAndList();
    }
  };
  device.wait();
  const auto start = std::chrono::steady_clock::now();
  someRounds(); // unrecorded, so that all kernels are loaded before the recording
  auto rounds = device.record(someRounds);
  auto watch = device.watch(counters);
  RoundControl now{};
  const double expected = 1 + grid.tx + grid.ty; // rounds, a guess that serves the progress bar
  while (!now.done && !result.aborted) {
    rounds.replay();
    now = watch.latest();
    result.aborted = !monitor.goOn(from + (to - from) * now.round / (now.round + expected));
  }
  device.wait();
  if (settings.seconds)
    *settings.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.rounds += now.round;
  result.updatesPerPoint +=
      double(now.tileUpdates) * Shape::size * settings.iterations / double(problem.grid.points());
  result.workBytes = std::max(result.workBytes, data.bytes() + fresh.bytes() + lastChange.bytes() +
                                                    flags.bytes() + active.bytes());
}

/// The states of the usable tips.
inline std::vector<TipStates> statesOf(const StateGrid& grid, const std::vector<Placement>& tips) {
  std::vector<TipStates> states;
  for (const Placement& tip : tips)
    if (tip.status == Placement::Status::Inside)
      states.push_back(tip.heading < 0 ? TipStates{grid.index(tip.i, tip.j, 0), grid.headings}
                                       : TipStates{grid.index(tip.i, tip.j, tip.heading), 1});
  return states;
}

/// Solves; where differences are corrected, once more by them.
template <class Scheme, class Shape, class Stencils, class Device>
void relaxTiles(Device& device, const Problem& problem, const TilePlan& plan, DeviceProblem<Device>& data,
                const Stencils& stencils, const PlacedSeeds& seeds, const TileSettings& settings,
                const Monitor& monitor, Result& result) {
  const bool corrects = problem.accuracy == Accuracy::SecondOrder;
  const std::int64_t points = problem.grid.points();
  constexpr double firstShare = 0.3; // of the time, where differences are corrected afterwards
  if (settings.seconds) *settings.seconds = 0;
  result.rounds = 0, result.updatesPerPoint = 0, result.workBytes = 0;
  const auto finish = [&](auto& u, Values<float>& values) {
    device.run(FinishTimes{plan.timeUnit(), seeds.earliest, points, u.data()}, blocksOf<FinishTimes>(points));
    values.resize(points);
    device.download(u, values.data());
  };

  auto u = device.template array<float>(points, infinity);
  relaxRounds<Scheme, Shape>(device, problem, plan, data, stencils, FirstOrderPrior{}, seeds, settings,
                             u.data(), monitor, 0, corrects ? firstShare : 1, result);
  if (result.aborted) return;
  if (!corrects) return finish(u, result.travelTime);
  const SolutionPrior prior{u.data(), correctionLimit(problem), plan.doubled};
  auto second = device.template array<float>(points, infinity);
  relaxRounds<Scheme, Shape>(device, problem, plan, data, stencils, prior, seeds, settings, second.data(),
                             monitor, firstShare, 1, result);
  result.workBytes += u.bytes();
  if (result.aborted) return;
  finish(u, result.uncorrected);
  finish(second, result.travelTime);
}

/// Chooses the kernel for a problem. Tile shapes and R: the best of the paper's Table 1.
/// @tparam Run  run(scheme, shape, stencils, settings) with default-made types
template <class Run>
auto withTileKernel(const Problem& problem, const TilePlan& plan, Run&& run) {
  const auto on = [&](auto scheme, auto shape, int iterations) {
    const TileSettings settings{iterations};
    return plan.varying ? run(scheme, shape, VaryingStencils{}, settings)
                        : run(scheme, shape, SharedStencils{}, settings);
  };
  const auto straight = [&](auto scheme, auto shape, int iterations) { // four slots: constant xi, phi = 0
    return run(scheme, shape, SharedStencils{}, TileSettings{iterations});
  };
  using Cube = Box<4, 4, 4>;
  using Slab = Box<4, 4, 2>;
  switch (problem.model) {
  case Model::ReedsShepp:
    return plan.slots == 4 ? straight(SchemeShape<1, 4, 4, true>{}, Cube{}, 6)
                           : on(SchemeShape<1, 7, 7, true>{}, Cube{}, 6);
  case Model::ReedsSheppForward:
    return plan.slots == 4 ? straight(SchemeShape<1, 4, 1, true>{}, Cube{}, 6)
                           : on(SchemeShape<1, 7, 1, true>{}, Cube{}, 6);
  case Model::Dubins:
    return on(SchemeShape<2, 6, 0, false>{}, Slab{}, 1);
  default:
    return on(SchemeShape<1, 30, 0, false>{}, Slab{}, 1);
  }
}

/// Device memory that solveTiles needs, small arrays left out.
inline std::size_t tileBytes(const Problem& problem) {
  const TilePlan plan = makeTilePlan(problem);
  const std::size_t fields =
      problem.cost.values.size() + problem.turningRadius.values.size() + problem.curvatureShift.values.size();
  const std::size_t tables = plan.shared.size() * sizeof(Slot) + plan.pieces.size() * sizeof(TilePiece);
  const std::size_t walls = plan.view.size() * (1 + 4 * plan.wallWords());
  return withTileKernel(problem, plan, [&](auto, auto shape, auto, const TileSettings&) {
    using Shape = decltype(shape);
    const std::size_t tiles = tileGrid<Shape>(problem.grid).tiles(), perTile = 4 * Shape::size + 10;
    const std::size_t solutions = problem.accuracy == Accuracy::SecondOrder ? 2 : 1;
    return 4 * (solutions * std::size_t(problem.grid.points()) + fields) + tables + walls + tiles * perTile +
           (std::size_t(16) << 20);
  });
}

/// Solves a valid problem with the paper's tiles. Sets travelTime, uncorrected, rounds, updatesPerPoint,
/// workBytes and aborted.
/// @param starts  each state once
/// @param tips    placements of options.stopAt; with corrected differences all values are made final
template <class Device>
void solveTiles(Device& device, const Problem& problem, const std::vector<StartState>& starts,
                const std::vector<Placement>& tips, const Monitor& monitor, Result& result) {
  const TilePlan plan = makeTilePlan(problem);
  const PlacedSeeds seeds = placedSeeds(starts, plan);
  DeviceProblem<Device> data(device, problem, plan);
  withTileKernel(problem, plan, [&](auto scheme, auto shape, auto stencils, TileSettings settings) {
    if (problem.accuracy != Accuracy::SecondOrder) settings.tips = statesOf(problem.grid, tips);
    relaxTiles<decltype(scheme), decltype(shape)>(device, problem, plan, data,
                                                  data.stencils(problem, plan, stencils), seeds, settings,
                                                  monitor, result);
  });
}

} // namespace isochrone::curvature
