// PlainRelaxation.h - the paper's method, on any device: passes over all points, each against all of its
// neighbours, until no time changes. For comparison with the tiles; the times have the same bits.
#pragma once

#include "RayTracing/Tiles/DeviceModel.h"

namespace isochrone::rays {

/// Algorithm 3 of the paper, Relaxation: every point takes the minimum time that its neighbours offer.
template <class EdgesFromPoints>
struct RelaxPoints {
  using Lanes = PointBlocks::Lanes;
  using Real = typename EdgesFromPoints::Real;
  struct Shared {};
  PointBlocks blocks;
  EdgesFromPoints edges;
  int edgeCount;
  const Real* slowness; ///< padded, as are the times; in a tilted medium direction by direction
  const Real* times;
  Real* fresh; ///< the second array

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    blocks.each(team, position, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      const std::int64_t i = blocks.image.index(x, y, z);
      fresh[i] = edges.relaxed(times + i, slowness + i, times[i], 0, edgeCount, 1, true, Real(0));
    });
  }
};

/// Algorithm 4, WriteBack, with a flag per block instead of one flag that all blocks write.
template <class Real>
struct WriteBack {
  using Lanes = PointBlocks::Lanes;
  struct Shared {};
  PointBlocks blocks;
  const Real* fresh;
  Real* times;
  std::uint8_t* changed; ///< per block

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    const bool any = team.any([&](Cell c) {
      bool lower = false;
      blocks.at(c, position, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        const std::int64_t i = blocks.image.index(x, y, z);
        lower = fresh[i] < times[i];
        if (lower) times[i] = fresh[i];
      });
      return lower;
    });
    team.once([&] { changed[position] = any; });
  }
};

/// Counters in device memory that decide whether another pass follows.
struct PassControl {
  int listed = 0; ///< blocks that changed in a pass
  int count = 0;  ///< blocks of the next pass
  int passes = 0;
  int done = 0;
};

/// Ends the loop of Algorithm 2, MainFunction.
struct DecidePass {
  using Lanes = Box<1, 1, 1>;
  struct Shared {};
  int blocks;
  PassControl* control;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int) const {
    team.once([&] {
      control->passes += !control->done;
      control->done = control->listed == 0;
      control->count = control->done ? 0 : blocks;
    });
  }
};

/// Solves one run, from some sources. Returns the number of passes.
template <WeightRule rule, class Real, bool tilted, class Device>
int relaxRun(Model<rule, Real, tilted, Device>& model, std::span<const std::int32_t> sources,
             const Monitor& monitor, Result& result) {
  using Edges = typename Model<rule, Real, tilted, Device>::EdgesFromPoints;
  Device& device = model.device;
  const PaddedImage& image = model.image;
  const int blocks = int(model.blocks.count());
  const auto starts = model.starts(sources);
  auto times = device.template array<Real>(image.size, unreached<Real>);
  auto fresh = device.template array<Real>(image.size, unreached<Real>);
  auto changed = device.template array<std::uint8_t>(blocks, 0);
  auto changedBlocks = device.template array<int>(blocks, 0);
  auto startList = device.upload(std::span(starts));
  PassControl first;
  first.count = blocks;
  auto control = device.template array<PassControl>(1, first);
  PassControl* const counters = control.data();
  device.run(PlaceStarts<Real>{startList.data(), int(starts.size()), times.data()},
             blocksOf<PlaceStarts<Real>>(starts.size()));

  const auto pass = [&] {
    device.run(RelaxPoints<Edges>{model.blocks, model.edges.edges(), model.edgeCount(),
                                  model.slownessOfEdges(), times.data(), fresh.data()},
               &counters->count, blocks);
    device.run(WriteBack<Real>{model.blocks, fresh.data(), times.data(), changed.data()}, &counters->count,
               blocks);
    device.compact(changed, changedBlocks, &counters->listed);
    device.run(DecidePass{blocks, counters}, 1);
  };
  execution::Rounds<Device, PassControl> rounds(device, counters, pass);
  const double expected = double(image.n[0] + image.n[1] + image.n[2]) / image.reach[0]; // passes, roughly
  result.aborted = !rounds.run(
      monitor, [](const PassControl& now) { return now.done != 0; },
      [&](const PassControl& now) { return now.passes / (now.passes + expected); });
  rounds.finish();
  result.workBytes = model.bytes() + times.bytes() + fresh.bytes() + changed.bytes() + changedBlocks.bytes() +
                     startList.bytes();
  if (!result.aborted) model.fetch(times.data(), result.fields.emplace_back());
  return rounds.counters().passes;
}

/// relaxPlainly for media that are tilted, or are not.
template <bool tilted, class Device>
void relaxPlainlyIn(Device& device, const Problem& problem, const Options& options, const Monitor& monitor,
                    Result& result) {
  const auto runs = runsOf(problem, options);
  const auto count = double(runs.size());
  withTypes(options, [&](auto rule, auto real) {
    Model<rule(), decltype(real), tilted, Device> model(device, problem, options, noTiles);
    result.aborted = !model.place(monitor);
    double passes = 0;
    for (std::size_t run = 0; run < runs.size() && !result.aborted; ++run)
      passes += relaxRun(model, runs[run], monitor.part(double(run) / count, 1 / count), result);
    result.relaxationsPerPoint = passes / count;
  });
  if (result.aborted) result.fields.clear();
}

/// Solves a valid problem on a device. Sets what solveByTiles sets.
template <class Device>
void relaxPlainly(Device& device, const Problem& problem, const Options& options, const Monitor& monitor,
                  Result& result) {
  const auto relax = problem.tilted ? relaxPlainlyIn<true, Device> : relaxPlainlyIn<false, Device>;
  relax(device, problem, options, monitor, result);
}

/// Returns the number of bytes of work memory, without small arrays.
inline std::size_t plainBytes(const Problem& problem, const Options& options) {
  return withTypes(options, [&](auto, auto real) {
    using Real = decltype(real);
    const PaddedImage image =
        paddedImage(problem.grid, makeForwardStar(problem.grid, options.neighbours, options.radius), noTiles);
    return modelBytes<Real>(problem, options, image) + 2 * std::size_t(image.size) * sizeof(Real) +
           std::size_t(problem.grid.points()) / PointBlocks::Lanes::size * 5;
  });
}

} // namespace isochrone::rays
