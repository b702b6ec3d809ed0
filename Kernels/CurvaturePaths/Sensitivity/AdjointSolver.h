// AdjointSolver.h - the discrete adjoint on any device (AdjointTile.h).
#pragma once

#include "Adjoint/MassRounds.h"
#include "CurvaturePaths/CurvaturePaths.h"
#include "CurvaturePaths/Sensitivity/AdjointTask.h"
#include "CurvaturePaths/Sensitivity/AdjointTile.h"

#include <algorithm>
#include <span>
#include <vector>

namespace isochrone::curvature {

/// Returns the memory that spreadOnDevice needs: travel time, masses and front, derivatives, gains; without
/// small arrays.
inline std::size_t sensitivityBytes(const Problem& problem, bool radiusAndShift) {
  const std::size_t fields =
      problem.cost.values.size() + problem.turningRadius.values.size() + problem.curvatureShift.values.size();
  const std::size_t derivatives = radiusAndShift ? (problem.balancedRadius > 0 ? 4 : 3) : 1;
  const std::size_t times = problem.accuracy == Accuracy::SecondOrder ? 8 : 4; // with the uncorrected times
  const std::size_t perState = times + adjoint::bytesPerState + 8 * derivatives + 4;
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
  Array<float> gain = device.template array<float>(points, 0);
  Array<double> perCost = zeros(true), perRadius = zeros(radiusAndShift), perShift = zeros(radiusAndShift),
                perBalance = zeros(radiusAndShift && problem.balancedRadius > 0);

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

  void download(Sensitivities& result) {
    Values<float> gains;
    fetch(gain, gains);
    for (const float value : gains) task.excess += value;
    fetch(perCost, result.cost);
    fetch(perRadius, result.turningRadius);
    fetch(perShift, result.curvatureShift);
    fetch(perBalance, result.balancedRadius);
  }

private:
  auto upload(const auto& values) { return device.upload(std::span(values.data(), values.size())); }
  Array<double> zeros(bool used) { return device.template array<double>(used ? points : 0, 0); }
  void fetch(auto& from, auto& to) {
    to.resize(from.bytes() / sizeof to[0]);
    if (!to.empty()) device.download(from, to.data());
  }
};

/// Computes the derivatives. Sets cost, turningRadius, curvatureShift, balancedRadius and aborted of the
/// result.
template <class Device>
void spreadOnDevice(Device& device, const Problem& problem, SensitivityTask& task, bool radiusAndShift,
                    const Monitor& monitor, Sensitivities& result) {
  constexpr double waitingSteps = 0.5; // fewer take more rounds, more take more visits
  const double waitPerCost = waitingSteps * std::min(problem.grid.hx, problem.grid.hy);
  AdjointBuffers<Device> memory{device, problem, task, radiusAndShift};
  std::vector<int> seeds;
  for (const StartState& start : task.seeds) seeds.push_back(int(start.state));
  adjoint::MassRounds<Device> rounds(device, memory.points, task.masses, seeds);
  const DescentView descent = memory.descent();
  const auto run = [&](const auto& step) {
    result.aborted =
        !rounds.run(step, float(waitPerCost * task.discretisation->cost.hi), task.earliest, monitor);
  };
  const double unit = task.masses.unit;
  double* const perCost = memory.perCost.data();
  float* const gain = memory.gain.data();
  if (radiusAndShift)
    run(DescentStep<true>{descent, waitPerCost, unit, perCost, memory.perRadius.data(),
                          memory.perShift.data(),
                          problem.balancedRadius > 0 ? memory.perBalance.data() : nullptr, gain});
  else
    run(DescentStep<false>{descent, waitPerCost, unit, perCost, nullptr, nullptr, nullptr, gain});
  if (result.aborted) return;
  task.arrived = rounds.arrived();
  memory.download(result);
}

} // namespace isochrone::curvature
