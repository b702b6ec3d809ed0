// TileSolver.h - the paper's Algorithm 1 on any device: relaxes listed tiles until the list is empty.
#pragma once

#include "CurvaturePaths/Scheme/PartProblem.h"
#include "CurvaturePaths/Tiles/Rounds.h"
#include "Execution/Rounds.h"

#include <algorithm>
#include <array>
#include <limits>

namespace isochrone::curvature {

template <class Shape>
TileGrid tileGrid(const StateGrid& grid) {
  const auto tiles = [](std::int64_t n, int size) { return int((n + size - 1) / size); };
  const int tx = tiles(grid.nx, Shape::nx), ty = tiles(grid.ny, Shape::ny);
  return {int(grid.nx),
          int(grid.ny),
          grid.headings,
          tx,
          ty,
          tiles(grid.headings, Shape::nz),
          tx * ty,
          execution::Divisor(tx),
          execution::Divisor(tx * ty)};
}

/// Returns TilePlan::view with the margin of a plane with periodic axes as if in walls, so that no tile
/// relaxes it. No step is blocked there: the words of WallView are made from the walls.
inline std::vector<std::uint8_t> viewWithoutMargin(const Problem& problem, const TilePlan& plan) {
  const StateGrid& g = problem.grid;
  std::vector<std::uint8_t> view = plan.view;
  view.resize(std::size_t(g.planePoints()), farFromWalls);
  for (std::int64_t j = 0; j < g.ny; ++j)
    for (std::int64_t i = 0; i < g.nx; ++i)
      if (!problem.part.own.contains({i, j, 0})) view[std::size_t(i + g.nx * j)] = inWall;
  return view;
}

/// The tables and fields of a problem in device memory.
template <class Device>
struct DeviceProblem {
  template <class T>
  using Array = typename Device::template Array<T>;

  Device& device;
  const Problem& problem;
  const TilePlan& plan;

  Array<float> cost = upload(problem.cost.values), turningRadius = upload(problem.turningRadius.values),
               curvatureShift = upload(problem.curvatureShift.values);
  Array<Slot> shared = upload(plan.shared);
  Array<TilePiece> pieces = upload(plan.pieces);
  Array<TableRange> ranges = upload(plan.ranges);
  Array<std::uint8_t> view = upload(plan.view), withoutMargin;
  Array<std::uint32_t> words =
      device.template array<std::uint32_t>(plan.wallWords() * problem.grid.planePoints(), 0);

  DeviceProblem(Device& on, const Problem& input, const TilePlan& tables)
      : device(on), problem(input), plan(tables) {
    if (problem.part.periodic) withoutMargin = upload(viewWithoutMargin(problem, plan));
    if (plan.view.empty()) return;
    auto planar = upload(plan.planar);
    auto cover = upload(plan.cover);
    const TileGrid grid = tileGrid<Box<1, 1, 1>>(problem.grid);
    device.run(
        LookAround{grid, view.data(), planar.data(), cover.data(), int(plan.planar.size()), words.data()},
        LookAround::groups(grid) * int(plan.wallWords()));
  }

  auto upload(const auto& values) { return device.upload(std::span(values.data(), values.size())); }
  /// @param perUnit  a power of two: value in units of the plan per value of the user
  FieldView field(const Field& field, Array<float>& values, double perUnit) {
    const std::int64_t planePoints = problem.grid.planePoints();
    const bool perState = std::int64_t(field.values.size()) > planePoints;
    return {float(field.constant) * float(perUnit), field.values.empty() ? nullptr : values.data(),
            perState ? planePoints : 0, float(perUnit)};
  }
  FieldView costs() { return field(problem.cost, cost, 1 / plan.units.cost); }
  WallView walls() {
    if (withoutMargin.bytes()) return {withoutMargin.data(), words.data()};
    return {view.bytes() ? view.data() : nullptr, words.data()};
  }
  SharedStencils stencils(SharedStencils) { return SharedStencils{shared.data()}; }
  VaryingStencils stencils(VaryingStencils) {
    return {pieces.data(),
            ranges.data(),
            plan.turning,
            plan.layout,
            field(problem.turningRadius, turningRadius, 1 / plan.units.length),
            field(problem.curvatureShift, curvatureShift, plan.units.length)};
  }
  std::size_t bytes() const {
    return cost.bytes() + turningRadius.bytes() + curvatureShift.bytes() + shared.bytes() + pieces.bytes() +
           ranges.bytes() + view.bytes() + withoutMargin.bytes() + words.bytes();
  }
};

using execution::blocksOf;

using TileShape = Box<8, 4, 1>; ///< a warp with one heading; rows of whole sectors (DESIGN.md)

/// Runs rounds from the seeds until no tile is listed (Execution/Rounds.h). Adds to rounds, updatesPerPoint
/// and workBytes.
/// @param stencils   for RelaxTile, in memory that `data` owns
/// @param tipStates  if not empty, the rounds end when these are final
/// @param u, other   in StateLayout, +infinity everywhere; both receive the solution
template <class Scheme, class Stencils, class Prior, class Device>
void relaxRounds(DeviceProblem<Device>& data, const Stencils& stencils, const Prior& prior,
                 const PlacedSeeds& seeds, std::span<const TipStates> tipStates, float* u, float* other,
                 const Monitor& monitor, Result& result) {
  Device& device = data.device;
  const Problem& problem = data.problem;
  const TilePlan& plan = data.plan;
  constexpr int batch = 6; // rounds per launch, a multiple of 2 and 3; at most two batches too many run
  constexpr int next = batch % 3; // number of the round after a batch
  const TileGrid grid = tileGrid<TileShape>(problem.grid);
  const int tiles = grid.tiles();

  // 1. Arrays.
  auto seedStates = device.upload(std::span<const SeedState>(seeds.states));
  auto lists = std::array{device.template array<int>(tiles, 0), device.template array<int>(tiles, 0)};
  auto listedBy = device.template array<int>(tiles, 0);
  auto changed = device.template array<std::uint32_t>(tiles, 0);
  const TileReaders readers = tileReaders(plan, TileShape::nx, TileShape::ny, Scheme::symmetric);
  auto readerSteps = device.upload(std::span<const TileStep>(readers.steps));
  auto readersOf = device.upload(std::span<const TableRange>(readers.ofHeading));
  auto tips = device.upload(tipStates);
  RoundControl start{};
  start.limit = infinity;
  auto control = device.template array<RoundControl>(1, start);
  RoundControl* const counters = control.data();

  // 2. Kernels.
  float* const values[2] = {u, other};
  const auto relax = [&](int i) { // round i of a batch
    return RelaxTile<Scheme, TileShape, Stencils, Prior>{grid,
                                                         plan.layout,
                                                         data.costs(),
                                                         data.walls(),
                                                         stencils,
                                                         prior,
                                                         stopsLeaks(problem),
                                                         counters,
                                                         counters->rounds + (i + 2) % 3,
                                                         counters->rounds + i % 3,
                                                         counters->rounds + (i + 1) % 3,
                                                         lists[i % 2].data(),
                                                         lists[1 - i % 2].data(),
                                                         listedBy.data(),
                                                         changed.data(),
                                                         readerSteps.data(),
                                                         readersOf.data(),
                                                         values[i % 2],
                                                         values[1 - i % 2]};
  };
  const auto repeat = [&, own = ownPointsOf(problem)](int i) {
    return RepeatStates<TileShape>{grid,
                                   plan.layout,
                                   int(own.low[0]),
                                   int(own.low[1]),
                                   int(own.high[0]),
                                   int(own.high[1]),
                                   counters->rounds + i % 3,
                                   counters->rounds + (i + 1) % 3,
                                   lists[i % 2].data(),
                                   lists[1 - i % 2].data(),
                                   listedBy.data(),
                                   changed.data(),
                                   values[1 - i % 2]};
  };
  const LimitToTips limit{tips.data(), int(tipStates.size()), plan.layout.plane, u, counters};
  const PlaceSeeds<TileShape> place{
      grid,  plan.layout, seedStates.data(), int(seeds.states.size()), u,
      other, counters,    lists[0].data(),   listedBy.data(),          changed.data()};
  device.run(place, blocksOf<PlaceSeeds<TileShape>>(place.count));

  // 3. Rounds.
  const auto someRounds = [&] {
    if (!tipStates.empty()) device.run(limit, 1);
    for (int i = 0; i < batch; ++i) {
      device.run(relax(i), 1 + tiles);
      if (problem.part.periodic) device.run(repeat(i), tiles);
    }
  };
  execution::Rounds<Device, RoundControl> rounds(device, counters, someRounds);
  const double expected = 1 + 2 * (grid.tx + grid.ty); // rounds, an estimate for the progress bar
  result.aborted = !rounds.run(
      monitor, [](const RoundControl& now) { return now.count > 0 && now.rounds[next].listed == 0; },
      [&](const RoundControl& now) { return now.count / (now.count + expected); });
  rounds.finish();
  const RoundControl& now = rounds.counters();
  result.rounds += now.count;
  const auto states = double(ownPointsOf(problem).points() * problem.grid.headings);
  result.updatesPerPoint += double(now.tileUpdates) * TileShape::size / states;
  result.workBytes =
      std::max(result.workBytes, data.bytes() + lists[0].bytes() + lists[1].bytes() + listedBy.bytes() +
                                     changed.bytes() + readerSteps.bytes() + readersOf.bytes());
}

/// Returns the states of the usable tips.
inline std::vector<TipStates> statesOf(const TilePlan& plan, int headings,
                                       const std::vector<Placement>& tips) {
  std::vector<TipStates> states;
  for (const Placement& tip : tips)
    if (tip.status == Placement::Status::Inside)
      states.push_back(
          {plan.layout.at(int(tip.i), int(tip.j), std::max(0, tip.heading)), tip.heading < 0 ? headings : 1});
  return states;
}

/// Solves, and solves again with corrected differences if the problem corrects them.
/// @param tips  as in relaxRounds; none with corrected differences
template <class Scheme, class Stencils, class Device>
void relaxTiles(DeviceProblem<Device>& data, const Stencils& stencils, const PlacedSeeds& seeds,
                std::span<const TipStates> tips, const Monitor& monitor, Result& result) {
  Device& device = data.device;
  const TilePlan& plan = data.plan;
  const StateGrid& grid = data.problem.grid;
  const bool corrects = data.problem.accuracy == Accuracy::SecondOrder;
  constexpr double firstShare = 0.3; // share of the time, if differences are corrected afterwards
  result.rounds = 0, result.updatesPerPoint = 0, result.workBytes = 0;
  const auto newArray = [&] {
    return device.template array<float>(std::size_t(plan.layout.places), infinity);
  };
  // The array `space` has the same size and is free by then.
  const auto finish = [&](auto& u, auto& space, Values<float>& values) {
    const FinishTimes finished(plan.layout, int(grid.nx), int(grid.ny), plan.units.time(), seeds.earliest,
                               u.data(), space.data());
    device.run(finished, finished.count());
    values.resize(grid.points());
    device.download(space, values.data(), values.size());
  };

  auto u = newArray(), other = newArray();
  relaxRounds<Scheme>(data, stencils, FirstOrderPrior{}, seeds, tips, u.data(), other.data(),
                      monitor.part(0, corrects ? firstShare : 1), result);
  result.workBytes += 2 * u.bytes() - 4 * std::size_t(grid.points()); // in addition to the result
  if (result.aborted) return;
  if (!corrects) return finish(u, other, result.travelTime);
  const SolutionPrior prior{u.data(), correctionLimit(data.problem), plan.doubled};
  auto second = newArray();
  other = newArray();
  const std::size_t before = result.workBytes;
  relaxRounds<Scheme>(data, stencils, prior, seeds, {}, second.data(), other.data(),
                      monitor.part(firstShare, 1 - firstShare), result);
  result.workBytes = before + second.bytes();
  if (result.aborted) return;
  finish(second, other, result.travelTime);
  finish(u, other, result.uncorrected);
}

/// Calls `run` with the kernel for a problem.
/// @tparam Run  run(scheme, stencils) with default-constructed types
template <class Run>
auto withTileKernel(const Problem& problem, const TilePlan& plan, Run&& run) {
  const auto on = [&](auto scheme) {
    return plan.varying ? run(scheme, VaryingStencils{}) : run(scheme, SharedStencils{});
  };
  const bool straight = plan.slots == 4; // constant xi, phi = 0
  switch (problem.model) {
  case Model::ReedsShepp:
    return straight ? run(SchemeShape<1, 4, 4, true>{}, SharedStencils{}) : on(SchemeShape<1, 7, 7, true>{});
  case Model::ReedsSheppForward:
    return straight ? run(SchemeShape<1, 4, 1, true>{}, SharedStencils{}) : on(SchemeShape<1, 7, 1, true>{});
  case Model::Dubins:
    return on(SchemeShape<2, 6, 0, false>{});
  default:
    return on(SchemeShape<1, 30, 0, false>{});
  }
}

/// Returns tileBytes of a plane or of the window of a part.
inline std::size_t tileBytesInWindow(const Problem& problem, const Discretisation& discretisation) {
  const TilePlan plan = makeTilePlan(problem, discretisation);
  if (plan.layout.places > std::numeric_limits<int>::max()) return tooManyForDevice;
  const std::size_t fields =
      problem.cost.values.size() + problem.turningRadius.values.size() + problem.curvatureShift.values.size();
  const std::size_t tables = plan.shared.size() * sizeof(Slot) + plan.pieces.size() * sizeof(TilePiece);
  const std::size_t walls = plan.view.size() * (1 + 4 * plan.wallWords()) +
                            (problem.part.periodic ? std::size_t(problem.grid.planePoints()) : 0);
  const std::size_t tiles = tileGrid<TileShape>(problem.grid).tiles(), perTile = 4 * sizeof(int);
  const std::size_t arrays = problem.accuracy == Accuracy::SecondOrder ? 3 : 2;
  return 4 * (arrays * std::size_t(plan.layout.places) + fields) + tables + walls + tiles * perTile +
         (std::size_t(16) << 20);
}

/// Returns the device memory that solveTiles needs, without small arrays; tooManyForDevice if the states
/// cannot be indexed in 31 bits (StateLayout).
inline std::size_t tileBytes(const Problem& problem, const Discretisation& discretisation) {
  if (!problem.part.isDivided()) return tileBytesInWindow(problem, discretisation);
  const PartProblem part(problem);
  return tileBytesInWindow(part.problem(), Discretisation(part.problem(), discretisation));
}

/// Solves a plane, or the window of a part, as solveTiles does.
template <class Device>
void solveTilesInWindow(Device& device, const Problem& problem, const Discretisation& discretisation,
                        const std::vector<StartState>& starts, const std::vector<Placement>& tips,
                        const Monitor& monitor, Result& result) {
  const TilePlan plan = makeTilePlan(problem, discretisation);
  const PlacedSeeds seeds = placedSeeds(starts, plan);
  DeviceProblem<Device> data(device, problem, plan);
  std::vector<TipStates> tipStates;
  if (problem.accuracy != Accuracy::SecondOrder) tipStates = statesOf(plan, problem.grid.headings, tips);
  withTileKernel(problem, plan, [&](auto scheme, auto stencils) {
    relaxTiles<decltype(scheme)>(data, data.stencils(stencils), seeds, tipStates, monitor, result);
  });
}

/// Solves a valid problem by tiles. Sets travelTime, uncorrected, rounds, updatesPerPoint, workBytes and
/// aborted. A plane in parts has periodic axes; the result is that of its window.
/// @param starts  each state once
/// @param tips    placements of options.stopAt; ignored with corrected differences, where all values are made
///         final
template <class Device>
void solveTiles(Device& device, const Problem& problem, const Discretisation& discretisation,
                const std::vector<StartState>& starts, const std::vector<Placement>& tips,
                const Monitor& monitor, Result& result) {
  if (!problem.part.isDivided())
    return solveTilesInWindow(device, problem, discretisation, starts, tips, monitor, result);
  const PartProblem part(problem);
  solveTilesInWindow(device, part.problem(), Discretisation(part.problem(), discretisation),
                     part.inWindow(starts), part.inWindow(tips), monitor, result);
}

} // namespace isochrone::curvature
