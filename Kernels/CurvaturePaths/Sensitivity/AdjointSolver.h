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

  Device& device;
  const Problem& problem;
  SensitivityTask& task;
  bool radiusAndShift;

  std::size_t points = std::size_t(problem.grid.points());
  Array<FlowTerm> terms = upload(task.plan.terms);
  Array<FlowPiece> pieces = upload(task.plan.pieces);
  Array<TableRange> ranges = upload(task.plan.ranges);
  Array<Pixel> cover = upload(task.plan.cover);
  Array<std::uint8_t> wallDistance = upload(task.plan.wallDistance);
  Array<float> cost = upload(problem.cost.values), turningRadius = upload(problem.turningRadius.values),
               curvatureShift = upload(problem.curvatureShift.values);
  Array<float> travelTime = upload(task.travelTime), uncorrected = upload(task.uncorrected);
  Array<int> seeds = upload(statesOf(task.seeds));
  Array<TipMass> tips = upload(task.tips);
  Array<FrontState> lists = device.template allocate<FrontState>(2 * points); ///< both lists of the front
  Array<std::int64_t> taken = device.template allocate<std::int64_t>(points);
  Array<std::int64_t> mass = device.template array<std::int64_t>(points, 0);
  Array<float> gain = device.template array<float>(points, 0);
  Array<double> perCost = zeros(true), perRadius = zeros(radiusAndShift), perShift = zeros(radiusAndShift),
                perBalance = zeros(radiusAndShift && problem.balancedRadius > 0);
  Array<FrontControl> control = device.template array<FrontControl>(1, FrontControl{});

  /// Not an aggregate, whose initial values clang 21 denies the private functions.
  AdjointBuffers(Device& d, const Problem& p, SensitivityTask& t, bool withRadiusAndShift)
      : device(d), problem(p), task(t), radiusAndShift(withRadiusAndShift) {}

  DescentView descent() {
    const StateGrid& g = problem.grid;
    const auto field = [&](const Field& field, Array<float>& values) {
      return ScalarView{field.constant, field.values.empty() ? nullptr : values.data(), field.isPerState(g)};
    };
    return {int(g.nx),
            int(g.ny),
            g.headings,
            task.plan.form,
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
  }

  FrontView front() {
    constexpr double waitingSteps = 0.5; // fewer take more rounds, more take more visits
    return {control.data(),
            {lists.data(), lists.data() + points},
            taken.data(),
            mass.data(),
            waitingSteps * std::min(problem.grid.hx, problem.grid.hy),
            device.manyThreads()};
  }

  void download(Sensitivities& result) {
    auto arrived = device.template array<std::int64_t>(task.seeds.size(), 0);
    device.run(ReadMass{seeds.data(), int(task.seeds.size()), mass.data(), arrived.data()},
               execution::blocksOf<ReadMass>(task.seeds.size()));
    fetch(arrived, task.arrived);
    Values<float> gains;
    fetch(gain, gains);
    for (const float value : gains) task.excess += value;
    fetch(perCost, result.cost);
    fetch(perRadius, result.turningRadius);
    fetch(perShift, result.curvatureShift);
    fetch(perBalance, result.balancedRadius);
  }

private:
  static std::vector<int> statesOf(const std::vector<StartState>& starts) {
    std::vector<int> states;
    for (const StartState& start : starts) states.push_back(int(start.state));
    return states;
  }
  auto upload(const auto& values) { return device.upload(std::span(values.data(), values.size())); }
  Array<double> zeros(bool used) { return device.template array<double>(used ? points : 0, 0); }
  void fetch(auto& from, auto& to) {
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
  AdjointBuffers<Device> memory{device, problem, task, radiusAndShift};
  device.run(HoldSeeds{memory.seeds.data(), int(task.seeds.size()), memory.mass.data()},
             execution::blocksOf<HoldSeeds>(task.seeds.size()));
  const DescentView descent = memory.descent();
  const FrontView front = memory.front();
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
  if (!result.aborted) memory.download(result);
}

} // namespace isochrone::curvature
