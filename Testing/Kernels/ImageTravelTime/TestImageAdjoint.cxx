// Claims about the adjoint of images on host teams: the derivatives are those of the host's own way, for any
// number of threads and order of work.
#include "Execution/HostDevice.h"
#include "ImageAdjointCases.h"
#include "ImageTravelTime/Sensitivity/AdjointSolver.h"
#include "ImageTravelTime/Sensitivity/SecondOrderSolver.h"
#include "ImageTravelTime/Sensitivity/TensorAdjointSolver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

using namespace isochrone;
using namespace isochrone::image;

namespace {

/// Differentiates by the kernels of a device.
Sensitivities deriveByKernels(const Problem& problem, std::span<const float> travelTime,
                              std::span<const WeightedTip> tips, SourceFactoring factoring, int threads = 1,
                              const Monitor& monitor = {}) {
  Options options;
  options.backend = Backend::Host;
  options.factoring = factoring;
  const SolverInput input(problem, options);
  const DependenceScheme scheme(input, travelTime);
  Sensitivities result;
  result.startValue.assign(problem.seeds.size(), 0);
  std::map<std::int64_t, double> weights;
  for (const WeightedTip& tip : tips) {
    const Placement at = placeTip(problem, travelTime, tip.at);
    if (at.point < 0) continue;
    weights[at.point] += tip.weight;
    result.objective += tip.weight * double(travelTime[std::size_t(at.point)]);
  }
  std::vector<PointMass> masses;
  for (const auto& [point, weight] : weights) masses.push_back({point, weight});
  AdjointTask task(input, scheme, travelTime, masses);
  execution::HostDevice device(threads);
  adjointOnDevice(device, task, monitor);
  result.aborted = task.aborted;
  if (!task.aborted) task.addTo(result);
  return result;
}

} // namespace

class ImageAdjoint : public testing::TestWithParam<std::string> {};

TEST_P(ImageAdjoint, GivesTheDerivativesOfTheHost) {
  for (const SourceFactoring factoring : offAndAdditive) {
    const AdjointCase c(GetParam(), factoring);
    SCOPED_TRACE(factoring == SourceFactoring::Off ? "Off" : "Additive");
    expectEqual(derive(*c.problem, c.travelTime, c.tips, factoring),
                deriveByKernels(*c.problem, c.travelTime, c.tips, factoring));
  }
}

/// Of second order: the derivatives of all points, and the masses, are those of the host.
TEST_P(ImageAdjoint, PassesTheMassesOfSecondOrder) {
  for (const SourceFactoring factoring : offAndAdditive) {
    const AdjointCase c(GetParam(), factoring, 2);
    Options options;
    options.backend = Backend::Host, options.factoring = factoring, options.order = 2;
    const SolverInput input(*c.problem, options);
    const Values<float> first = solve(*c.problem, factoring).travelTime;
    std::map<std::int64_t, double> weights;
    for (const WeightedTip& tip : c.tips)
      if (const Placement at = placeTip(*c.problem, c.travelTime, tip.at); at.point >= 0)
        weights[at.point] += tip.weight;
    SecondOrderTask tasks[3];
    for (const auto& [point, weight] : weights)
      for (SecondOrderTask& task : tasks)
        task.tips.tips.push_back({int(point), 0, std::llround(weight * 0x1p40)});
    SecondOrderDependences host(input, first, c.travelTime), device(input, first, c.travelTime);
    ASSERT_TRUE(host.evaluate({}));
    execution::HostDevice one(1), three(3);
    passMasses(one, host.uses(), first.size(), tasks[0], {});
    secondOrderOnDevice(three, device, tasks[1], {});
    ASSERT_FALSE(tasks[0].aborted || tasks[1].aborted);
    EXPECT_EQ(tasks[0].mass, tasks[1].mass);
    for (SecondOrderTask& task : tasks) std::ranges::sort(task.reached);
    EXPECT_EQ(tasks[0].reached, tasks[1].reached);
    for (const int point : tasks[0].reached) {
      EXPECT_EQ(host.of(point).isStart, device.of(point).isStart) << point;
      EXPECT_EQ(host.of(point).perSlowness, device.of(point).perSlowness) << point;
      EXPECT_EQ(host.of(point).rounding, device.of(point).rounding) << point;
    }
    secondOrderOnDevice(one, device, tasks[2], Monitor{[](double) { return false; }});
    EXPECT_TRUE(tasks[2].aborted);
  }
}

TEST_P(ImageAdjoint, HasTheSameBitsForAnyThreadCount) {
  const AdjointCase c(GetParam(), SourceFactoring::Additive);
  const Sensitivities one = deriveByKernels(*c.problem, c.travelTime, c.tips, SourceFactoring::Additive);
  for (const int threads : {2, 5}) {
    const Sensitivities more =
        deriveByKernels(*c.problem, c.travelTime, c.tips, SourceFactoring::Additive, threads);
    EXPECT_EQ(one.speed, more.speed);
    EXPECT_EQ(one.startValue, more.startValue);
    EXPECT_EQ(one.objective, more.objective);
  }
}

INSTANTIATE_TEST_SUITE_P(Images, ImageAdjoint, testing::ValuesIn(adjointCaseNames()),
                         [](const auto& info) { return info.param; });

/// A solved image with tensors, and what its points use.
struct TensorCase {
  const Values<float> u;
  const Options options;
  SolverInput input;
  const TensorDependences dependences;

  TensorCase(const Problem& problem, SourceFactoring factoring)
      : u(solve(problem, factoring).travelTime), options{.factoring = factoring}, input(problem, options),
        dependences(input, u) {}
};

class TensorAdjoint : public testing::TestWithParam<std::string> {};

TEST_P(TensorAdjoint, FindsWhatEachPointUses) {
  const Case c = makeTensorAdjointCase(GetParam());
  for (const SourceFactoring factoring : offAndAdditive) {
    TensorCase solved(c.problem, factoring);
    const TensorDependences& dependences = solved.dependences;
    execution::HostDevice device(3);
    auto found = evaluateOnDevice(device, dependences, solved.input.pool, {});
    ASSERT_TRUE(found);
    for (std::int64_t p = 0; p < c.problem.grid.points(); ++p) {
      const TensorDependence host = dependences.at(p), kernel = found->data()[p];
      ASSERT_EQ(host.from, kernel.from) << p;
      EXPECT_EQ(host.value, kernel.value) << p;
      EXPECT_EQ(host.perMetric, kernel.perMetric) << p;
      const auto used = [](const TensorDependence& d) {
        std::vector<std::pair<int, double>> all;
        d.forUsed([&](int point, double share) { all.emplace_back(point, share); });
        return all;
      };
      EXPECT_EQ(used(host), used(kernel)) << p;
      double sum = 0;
      for (const auto& [point, share] : used(host)) sum += share;
      if (!used(host).empty()) EXPECT_NEAR(sum, 1, 1e-14) << p;
    }
  }
}

/// All that enters at the tips arrives where masses end, or waits.
TEST_P(TensorAdjoint, PassesEachMassOn) {
  const Case c = makeTensorAdjointCase(GetParam());
  for (const SourceFactoring factoring : offAndAdditive) {
    TensorCase solved(c.problem, factoring);
    const TensorDependences& dependences = solved.dependences;
    std::map<std::int64_t, std::int64_t> weights;
    for (const WeightedTip& tip : someTips(c.problem.grid, 40))
      if (const Placement at = placeTip(c.problem, solved.u, tip.at); at.point >= 0)
        weights[at.point] += std::llround(tip.weight * 0x1p50);
    TensorAdjointTask tasks[3];
    std::int64_t entered = 0;
    for (const auto& [point, weight] : weights) {
      entered += weight;
      for (TensorAdjointTask& task : tasks) task.tips.tips.push_back({int(point), 0, weight});
    }
    for (int n = 0; n < 2; ++n) {
      execution::HostDevice device(1 + 2 * n);
      adjointOnDevice(device, dependences, solved.input.pool, tasks[n], {});
      ASSERT_FALSE(tasks[n].aborted);
    }
    EXPECT_EQ(tasks[0].mass, tasks[1].mass);
    EXPECT_EQ(tasks[0].waiting, tasks[1].waiting);
    if (factoring == SourceFactoring::Off) EXPECT_TRUE(tasks[0].waiting.empty());
    std::int64_t arrived = 0;
    for (std::int64_t p = 0; p < c.problem.grid.points(); ++p) {
      bool ends = std::ranges::binary_search(tasks[0].waiting, int(p));
      if (!ends) {
        ends = true;
        dependences.at(p).forUsed([&](int, double) { ends = false; });
      }
      if (ends) arrived += tasks[0].mass[std::size_t(p)];
    }
    EXPECT_EQ(arrived, entered);
    execution::HostDevice device(1);
    adjointOnDevice(device, dependences, solved.input.pool, tasks[2], Monitor{[](double) { return false; }});
    EXPECT_TRUE(tasks[2].aborted);
  }
}

INSTANTIATE_TEST_SUITE_P(Images, TensorAdjoint, testing::ValuesIn(tensorAdjointCaseNames()),
                         [](const auto& info) { return info.param; });

/// The times of a region with a speed of 10^10 cannot be told apart.
TEST(ImageAdjointRuns, ReportsWeightsThatReachNoSeed) {
  Case line = makeLine(30);
  for (std::size_t n = 10; n < 20; ++n) line.speed[n] = 1e10f;
  line.problem.speed = line.speed;
  const WeightedTip tips[] = {tipAt(line.problem.grid, 29, 2)};
  const Result solved = solve(line.problem, SourceFactoring::Off);
  const Sensitivities s = deriveByKernels(line.problem, solved.travelTime, tips, SourceFactoring::Off);
  EXPECT_EQ(s.lostWeight, 2);
  EXPECT_EQ(s.startValue[0], 0);
}

/// Weights of both signs that cancel in part, and weights of very different sizes.
TEST(ImageAdjointRuns, KeepsEulersIdentityForWeightsOfAnySize) {
  const AdjointCase c("OffGrid", SourceFactoring::Additive);
  std::vector<WeightedTip> tips = c.tips;
  for (std::size_t t = 0; t < tips.size(); ++t) tips[t].weight *= std::pow(10., double(t % 13) - 6);
  const Sensitivities s = deriveByKernels(*c.problem, c.travelTime, tips, SourceFactoring::Additive);
  double size = 0, weights = 0;
  for (const WeightedTip& tip : tips) {
    size += std::abs(tip.weight) * double(c.travelTime[std::size_t(place(*c.problem, tip.at).point)]);
    weights += tip.weight;
  }
  EXPECT_NEAR(eulerSum(*c.problem, s), s.objective, 1e-12 * size);
  EXPECT_NEAR(std::accumulate(s.startValue.begin(), s.startValue.end(), 0.), weights, 1e-12 * size);
}

/// Two points on both sides of a plane through the seed that have their time only from each other.
TEST(ImageAdjointRuns, ReportsWeightsOfPointsThatOnlyUseEachOther) {
  Problem p;
  p.grid = {14, 12, 1, 1, 1, 1};
  p.constantSpeed = 1;
  p.seeds = {{{5, 5.5, 0}, 0}};
  Values<float> u = solve(p, SourceFactoring::Additive).travelTime;
  const std::int64_t below = p.grid.index(9, 5, 0), above = p.grid.index(9, 6, 0);
  for (std::int64_t n = 0; n < p.grid.points(); ++n)
    if (n != below && n != above && p.grid.indices(n)[0] > 5)
      u[std::size_t(n)] = std::numeric_limits<float>::infinity();
  const WeightedTip tips[] = {tipAt(p.grid, below, 3)};
  const Sensitivities host = derive(p, u, tips, SourceFactoring::Additive),
                      kernels = deriveByKernels(p, u, tips, SourceFactoring::Additive);
  EXPECT_EQ(host.lostWeight, 3);
  EXPECT_EQ(kernels.lostWeight, 3);
  EXPECT_EQ(kernels.startValue[0], 0);
}

TEST(ImageAdjointRuns, StopsWhenTheMonitorDoes) {
  const AdjointCase c("OffGrid", SourceFactoring::Additive); // masses return to later points
  const auto run = [&](const std::function<bool(double)>& report) {
    return deriveByKernels(*c.problem, c.travelTime, c.tips, SourceFactoring::Additive, 1, Monitor{report});
  };
  const Sensitivities s = run([](double) { return false; });
  EXPECT_TRUE(s.aborted);
  EXPECT_TRUE(s.speed.empty());
  double last = 0;
  run([&](double share) {
    EXPECT_GE(share, last);
    last = share;
    return true;
  });
  EXPECT_EQ(last, 1);
}
