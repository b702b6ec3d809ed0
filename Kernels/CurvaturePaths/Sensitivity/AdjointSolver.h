// AdjointSolver.h - the discrete adjoint on any device (AdjointTile.h).
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/Scheme/HeadingStencils.h"
#include "CurvaturePaths/Sensitivity/AdjointTask.h"
#include "CurvaturePaths/Sensitivity/AdjointTile.h"
#include "Execution/Rounds.h"

#include <algorithm>
#include <span>

namespace isochrone::curvature {

/// Returns the memory that spreadOnDevice needs: travel time, masses, both lists of the front and the masses
/// taken from them, derivatives, gains; without small arrays.
inline std::size_t sensitivityBytes(const Problem& problem, bool radiusAndShift) {
  const std::size_t fields =
      problem.cost.values.size() + problem.turningRadius.values.size() + problem.curvatureShift.values.size();
  const std::size_t derivatives = radiusAndShift ? (problem.balancedRadius > 0 ? 4 : 3) : 1;
  const std::size_t times = problem.accuracy == Accuracy::SecondOrder ? 8 : 4; // with the uncorrected times
  const std::size_t perState = times + 8 + 2 * sizeof(FrontState) + 8 + 8 * derivatives + 4;
  return std::size_t(problem.grid.points()) * perState + 4 * fields;
}

/// Computes the derivatives. Sets cost, turningRadius, curvatureShift, balancedRadius and aborted of the
/// result.
template <class Device>
void spreadOnDevice(Device& device, const Problem& problem, SensitivityTask& task, bool radiusAndShift,
                    const Monitor& monitor, Sensitivities& result) {
  constexpr int batch = 16;        // rounds per launch, and at most this many too many
  constexpr double patience = 0.5; // grid steps; a smaller value takes more rounds, a larger one more visits
  const StateGrid& g = problem.grid;
  const auto points = std::size_t(g.points());
  const bool balanced = radiusAndShift && problem.balancedRadius > 0;
  const auto upload = [&](const auto& values) {
    return device.upload(std::span(values.data(), values.size()));
  };

  // 1. Arrays.
  auto terms = upload(task.plan.terms);
  auto pieces = upload(task.plan.pieces);
  auto ranges = upload(task.plan.ranges);
  auto cover = upload(task.plan.cover);
  auto wallDistance = upload(task.plan.wallDistance);
  auto cost = upload(problem.cost.values);
  auto turningRadius = upload(problem.turningRadius.values);
  auto curvatureShift = upload(problem.curvatureShift.values);
  auto u = upload(task.travelTime);
  auto before = upload(task.uncorrected);
  std::vector<int> seedStates;
  for (const HeldState& seed : task.seeds) seedStates.push_back(seed.state);
  auto seeds = upload(seedStates);
  auto tips = upload(task.tips);
  auto lists = device.template allocate<FrontState>(2 * points);
  auto taken = device.template allocate<std::int64_t>(points);
  auto mass = device.template array<std::int64_t>(points, 0);
  auto gain = device.template array<float>(points, 0);
  auto perCost = device.template array<double>(points, 0);
  auto perRadius = device.template array<double>(radiusAndShift ? points : 0, 0);
  auto perShift = device.template array<double>(radiusAndShift ? points : 0, 0);
  auto perBalance = device.template array<double>(balanced ? points : 0, 0);
  auto control = device.template array<FrontControl>(1, FrontControl{});

  // 2. The views that the kernels share.
  const auto scalar = [&](const Field& field, auto& values) {
    return ScalarView{field.constant, field.values.empty() ? nullptr : values.data(),
                      std::int64_t(field.values.size()) > g.planePoints()};
  };
  DescentView descent{int(g.nx),
                      int(g.ny),
                      g.headings,
                      task.plan.schemes,
                      task.plan.blocks,
                      task.plan.symmetric,
                      task.plan.turns,
                      {},
                      task.plan.turnWeight,
                      terms.data(),
                      pieces.data(),
                      ranges.data(),
                      cover.data(),
                      task.plan.wallDistance.empty() ? nullptr : wallDistance.data(),
                      scalar(problem.cost, cost),
                      scalar(problem.turningRadius, turningRadius),
                      scalar(problem.curvatureShift, curvatureShift),
                      u.data(),
                      task.uncorrected.empty() ? nullptr : before.data(),
                      correctionLimit(problem),
                      stopsLeaks(problem),
                      g.hx,
                      g.hy};
  std::copy_n(task.plan.factors, mostBlocks, descent.factors);

  const FrontView front{control.data(), {lists.data(), lists.data() + points}, taken.data(),
                        mass.data(),    patience * std::min(g.hx, g.hy),       device.manyThreads()};
  const auto lead = float(front.patience * rangeOf(problem, problem.cost).hi);

  // 3. Rounds until the front is empty.
  const auto rounds = [&](const auto& spread) {
    FrontControl* const counters = front.control;
    const int mostBlocksOfFront = int((points + task.tips.size()) / FrontLanes::size) + 1;
    const auto some = [&] {
      for (int i = 0; i < batch; ++i) {
        device.run(NextRound{front, tips.data(), int(task.tips.size()), lead}, 1);
        device.run(TakeMass{front}, &counters->blocks, mostBlocksOfFront);
        device.run(spread, &counters->blocks, mostBlocksOfFront);
      }
    };
    execution::Rounds<Device, FrontControl> batches(device, counters, some);
    result.aborted = !batches.run(
        monitor, [](const FrontControl& now) { return now.round > 0 && now.blocks == 0; },
        [&](const FrontControl& now) {
          if (now.blocks == 0) return now.round == 0 ? 0. : 1.;
          return std::clamp((task.latest - now.top) / (task.latest - task.earliest), 0., 1.);
        });
    batches.finish();
  };
  device.run(HoldSeeds{seeds.data(), int(task.seeds.size()), mass.data()},
             execution::blocksOf<HoldSeeds>(task.seeds.size()));
  if (radiusAndShift)
    rounds(SpreadMass<true>{descent, front, tips.data(), task.massUnit, perCost.data(), perRadius.data(),
                            perShift.data(), balanced ? perBalance.data() : nullptr, gain.data()});
  else
    rounds(SpreadMass<false>{descent, front, tips.data(), task.massUnit, perCost.data(), nullptr, nullptr,
                             nullptr, gain.data()});
  if (result.aborted) return;

  // 4. Result.
  auto arrived = device.template array<std::int64_t>(task.seeds.size(), 0);
  device.run(ReadMass{seeds.data(), int(task.seeds.size()), mass.data(), arrived.data()},
             execution::blocksOf<ReadMass>(task.seeds.size()));
  task.arrived.resize(task.seeds.size());
  device.download(arrived, task.arrived.data());
  Values<float> gains(points);
  device.download(gain, gains.data());
  for (const float value : gains) task.excess += value;
  result.cost.resize(points);
  device.download(perCost, result.cost.data());
  if (!radiusAndShift) return;
  result.turningRadius.resize(points), result.curvatureShift.resize(points);
  device.download(perRadius, result.turningRadius.data());
  device.download(perShift, result.curvatureShift.data());
  if (!balanced) return;
  result.balancedRadius.resize(points);
  device.download(perBalance, result.balancedRadius.data());
}

} // namespace isochrone::curvature
