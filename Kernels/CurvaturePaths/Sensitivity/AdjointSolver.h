// AdjointSolver.h - the discrete adjoint on any device (AdjointTile.h).
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"
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

/// The memory of the discrete adjoint on a device.
template <class Device>
struct AdjointBuffers {
  template <class T>
  using Array = typename Device::template Array<T>;

  Array<FlowTerm> terms;
  Array<FlowPiece> pieces;
  Array<TableRange> ranges;
  Array<Pixel> cover;
  Array<std::uint8_t> wallDistance;
  Array<float> cost, turningRadius, curvatureShift, travelTime, uncorrected;
  Array<int> seeds; ///< states
  Array<TipMass> tips;
  Array<FrontState> lists; ///< both lists of the front
  Array<std::int64_t> taken, mass;
  Array<float> gain;
  Array<double> perCost, perRadius, perShift, perBalance; ///< the last three if requested
  Array<FrontControl> control;

  AdjointBuffers(Device& device, const Problem& problem, const SensitivityTask& task, bool radiusAndShift)
      : terms(upload(device, task.plan.terms)), pieces(upload(device, task.plan.pieces)),
        ranges(upload(device, task.plan.ranges)), cover(upload(device, task.plan.cover)),
        wallDistance(upload(device, task.plan.wallDistance)), cost(upload(device, problem.cost.values)),
        turningRadius(upload(device, problem.turningRadius.values)),
        curvatureShift(upload(device, problem.curvatureShift.values)),
        travelTime(upload(device, task.travelTime)), uncorrected(upload(device, task.uncorrected)),
        seeds(upload(device, statesOf(task.seeds))), tips(upload(device, task.tips)),
        lists(device.template allocate<FrontState>(2 * points(problem))),
        taken(device.template allocate<std::int64_t>(points(problem))),
        mass(device.template array<std::int64_t>(points(problem), 0)),
        gain(device.template array<float>(points(problem), 0)), perCost(zeros(device, problem, true)),
        perRadius(zeros(device, problem, radiusAndShift)), perShift(zeros(device, problem, radiusAndShift)),
        perBalance(zeros(device, problem, radiusAndShift && problem.balancedRadius > 0)),
        control(device.template array<FrontControl>(1, FrontControl{})) {}

  DescentView descent(const Problem& problem, const SensitivityTask& task) {
    const StateGrid& g = problem.grid;
    const auto field = [&](const Field& field, Array<float>& values) {
      return ScalarView{field.constant, field.values.empty() ? nullptr : values.data(),
                        std::int64_t(field.values.size()) > g.planePoints()};
    };
    DescentView view{int(g.nx),
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
                     field(problem.cost, cost),
                     field(problem.turningRadius, turningRadius),
                     field(problem.curvatureShift, curvatureShift),
                     travelTime.data(),
                     task.uncorrected.empty() ? nullptr : uncorrected.data(),
                     correctionLimit(problem),
                     stopsLeaks(problem),
                     g.hx,
                     g.hy};
    std::copy_n(task.plan.factors, maxBlocks, view.factors);
    return view;
  }

  FrontView front(const Problem& problem, bool manyThreads) {
    constexpr double waitingSteps = 0.5; // fewer take more rounds, more take more visits
    return {control.data(),
            {lists.data(), lists.data() + points(problem)},
            taken.data(),
            mass.data(),
            waitingSteps * std::min(problem.grid.hx, problem.grid.hy),
            manyThreads};
  }

  void download(Device& device, SensitivityTask& task, Sensitivities& result) {
    auto arrived = device.template array<std::int64_t>(task.seeds.size(), 0);
    device.run(ReadMass{seeds.data(), int(task.seeds.size()), mass.data(), arrived.data()},
               execution::blocksOf<ReadMass>(task.seeds.size()));
    task.arrived.resize(task.seeds.size());
    device.download(arrived, task.arrived.data());
    Values<float> gains;
    fetch(device, gain, gains);
    for (const float value : gains) task.excess += value;
    fetch(device, perCost, result.cost);
    fetch(device, perRadius, result.turningRadius);
    fetch(device, perShift, result.curvatureShift);
    fetch(device, perBalance, result.balancedRadius);
  }

private:
  static std::size_t points(const Problem& problem) { return std::size_t(problem.grid.points()); }
  static std::vector<int> statesOf(const std::vector<StartState>& seeds) {
    std::vector<int> states;
    for (const StartState& seed : seeds) states.push_back(int(seed.state));
    return states;
  }
  static auto upload(Device& device, const auto& values) {
    return device.upload(std::span(values.data(), values.size()));
  }
  static Array<double> zeros(Device& device, const Problem& problem, bool used) {
    return device.template array<double>(used ? points(problem) : 0, 0);
  }
  static void fetch(Device& device, auto& from, auto& to) {
    to.resize(from.bytes() / sizeof to[0]);
    if (!to.empty()) device.download(from, to.data());
  }
};

/// Passes masses down in rounds until the front is empty. Returns whether the monitor stopped it.
/// @param spread  SpreadMass
template <class Device, class Spread>
bool moveFront(Device& device, const SensitivityTask& task, const Spread& spread, const Monitor& monitor) {
  constexpr int batch = 16; // rounds per launch, and at most this many too many
  const FrontView& front = spread.front;
  FrontControl* const counters = front.control;
  const int tips = int(task.tips.size());
  const auto lead = float(front.waitPerCost * task.discretisation->cost.hi);
  const int listedBlocks = int((task.travelTime.size() + task.tips.size()) / FrontLanes::size) + 1;
  const auto someRounds = [&] {
    for (int i = 0; i < batch; ++i) {
      device.run(NextRound{front, spread.tips, tips, lead}, 1);
      device.run(TakeMass{front}, &counters->blocks, listedBlocks);
      device.run(spread, &counters->blocks, listedBlocks);
    }
  };
  execution::Rounds<Device, FrontControl> rounds(device, counters, someRounds);
  const bool done = rounds.run(
      monitor, [](const FrontControl& now) { return now.round > 0 && now.blocks == 0; },
      [&](const FrontControl& now) {
        if (now.blocks == 0) return now.round == 0 ? 0. : 1.;
        return std::clamp((task.latest - now.top) / (task.latest - task.earliest), 0., 1.);
      });
  rounds.finish();
  return !done;
}

/// Computes the derivatives. Sets cost, turningRadius, curvatureShift, balancedRadius and aborted of the
/// result.
template <class Device>
void spreadOnDevice(Device& device, const Problem& problem, SensitivityTask& task, bool radiusAndShift,
                    const Monitor& monitor, Sensitivities& result) {
  AdjointBuffers<Device> memory(device, problem, task, radiusAndShift);
  const DescentView descent = memory.descent(problem, task);
  const FrontView front = memory.front(problem, device.manyThreads());
  device.run(HoldSeeds{memory.seeds.data(), int(task.seeds.size()), memory.mass.data()},
             execution::blocksOf<HoldSeeds>(task.seeds.size()));
  const auto run = [&](auto spread) { return moveFront(device, task, spread, monitor); };
  double* const perCost = memory.perCost.data();
  float* const gain = memory.gain.data();
  if (radiusAndShift)
    result.aborted = run(SpreadMass<true>{
        descent, front, memory.tips.data(), task.massUnit, perCost, memory.perRadius.data(),
        memory.perShift.data(), problem.balancedRadius > 0 ? memory.perBalance.data() : nullptr, gain});
  else
    result.aborted = run(SpreadMass<false>{descent, front, memory.tips.data(), task.massUnit, perCost,
                                           nullptr, nullptr, nullptr, gain});
  if (!result.aborted) memory.download(device, task, result);
}

} // namespace isochrone::curvature
