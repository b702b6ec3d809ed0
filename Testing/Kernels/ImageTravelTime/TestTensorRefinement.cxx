// Claims about second order and multiplicative factoring with tensors.
#include "ImageTensorCases.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "ImageTravelTime/Tensors/TimeOrder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <stdexcept>

using namespace isochrone;
using namespace isochrone::image;

namespace {

constexpr auto allFactorings = {SourceFactoring::Off, SourceFactoring::Additive,
                                SourceFactoring::Multiplicative};

Result solve(const Problem& problem, SourceFactoring factoring, int order, int threads = 0) {
  Options options;
  options.backend = Backend::Host;
  options.factoring = factoring;
  options.order = order;
  options.threads = threads;
  return solveImageTravelTime(problem, options, {});
}

/// A medium whose speed grows linearly, seen in oblique coordinates: x' = x + slant y, stretched along y, has
/// the speed 1 + gradient y'. Times are known.
class Slanted {
public:
  Slanted(std::int64_t n, bool plane) : size(n), h(1. / double(n - 1)) {
    const Grid grid{n, n, plane ? 1 : n, h, h, plane ? 1 : h};
    c = tensorCase(grid, [&](double i, double j, double k) {
      const Position x = stretched({i * h, j * h, k * h});
      const double s = 1 / (1 + gradient * x[1]);
      // G = A^T A s^2 with A = (1 slant 0; 0 stretch 0; 0 0 1)
      return std::array<double, 6>{
          s * s, (slant * slant + stretch * stretch) * s * s, s * s, slant * s * s, 0, 0};
    });
    c.problem.speedType = SpeedType::MetricTensor;
    c.problem.seeds = {{{0.5 + 0.3 * h, 0.5 - 0.2 * h, plane ? 0 : 0.5 + 0.1 * h}, 0}};
  }

  const Problem& problem() const { return c.problem; }

  /// Returns the mean and the maximum relative error at distances of 0.05 to 0.3 from the seed, where the
  /// border has no influence: a third of the points in the plane, a tenth in space.
  std::array<double, 2> errors(std::span<const float> travelTime) const {
    double sum = 0, maximum = 0;
    std::int64_t count = 0;
    for (std::int64_t p = 0; p < c.problem.grid.points(); ++p) {
      const auto [i, j, k] = c.problem.grid.indices(p);
      const Position seed = c.problem.seeds[0].at, x{double(i) * h, double(j) * h, double(k) * h};
      const double away = std::hypot(x[0] - seed[0], x[1] - seed[1], x[2] - seed[2]);
      if (away < 0.05 || away > 0.3) continue;
      const double exact = time(stretched(seed), stretched(x)),
                   error = std::abs(travelTime[p] - exact) / exact;
      sum += error, maximum = std::max(maximum, error), ++count;
    }
    return {sum / double(count), maximum};
  }

private:
  static constexpr double gradient = 0.5, slant = 0.6, stretch = 2;
  std::int64_t size;
  double h;
  Case c;

  static Position stretched(const Position& x) { return {x[0] + slant * x[1], stretch * x[1], x[2]}; }
  static double time(const Position& a, const Position& b) {
    const double squared = std::pow(a[0] - b[0], 2) + std::pow(a[1] - b[1], 2) + std::pow(a[2] - b[2], 2);
    return std::acosh(1 +
                      gradient * gradient * squared / (2 * (1 + gradient * a[1]) * (1 + gradient * b[1]))) /
           gradient;
  }
};

} // namespace

/// Mean errors of the finer of two images, whose spacing is half of the other's.
TEST(TensorRefinement, ConvergesToTheTimesOfAKnownMedium) {
  struct Claim {
    SourceFactoring factoring;
    int order;
    double ratio, inPlane, inSpace; ///< of the errors, at least; mean errors, at most
  };
  for (const Claim& claim :
       {Claim{SourceFactoring::Off, 1, 1.3, 5e-2, 1.1e-1}, Claim{SourceFactoring::Off, 2, 1.6, 2e-2, 3e-2},
        Claim{SourceFactoring::Additive, 1, 1.7, 3e-3, 6e-3},
        Claim{SourceFactoring::Additive, 2, 2.8, 3e-4, 1.2e-3},
        Claim{SourceFactoring::Multiplicative, 1, 1.7, 1e-4, 3e-4},
        Claim{SourceFactoring::Multiplicative, 2, 2.8, 1e-4, 4e-4}})
    for (const bool plane : {true, false}) {
      const std::int64_t n = plane ? 65 : 25;
      const Slanted coarse(n, plane), fine(2 * n - 1, plane);
      const auto before = coarse.errors(solve(coarse.problem(), claim.factoring, claim.order).travelTime),
                 after = fine.errors(solve(fine.problem(), claim.factoring, claim.order).travelTime);
      const auto what = [&] {
        return testing::Message() << int(claim.factoring) << ", order " << claim.order
                                  << (plane ? ", plane: " : ", space: ") << before[0] << " and " << after[0]
                                  << ", maximum " << after[1];
      };
      EXPECT_GT(before[0] / after[0], claim.ratio) << what();
      EXPECT_LT(after[0], plane ? claim.inPlane : claim.inSpace) << what();
      EXPECT_LT(after[1], 20 * (plane ? claim.inPlane : claim.inSpace)) << what();
    }
}

/// Returns the relative differences from the scalar solver, mean and maximum, of isotropic tensors.
std::array<double, 2> differencesFromScalars(const Problem& scalar, SourceFactoring factoring) {
  const std::size_t components = scalar.grid.nz == 1 ? 3 : 6;
  std::vector<float> speed(scalar.speed.size() * components, 0.f);
  for (std::size_t n = 0; n < scalar.speed.size(); ++n)
    for (std::size_t a = 0; a < components / 2; ++a)
      speed[components * n + a] = float(double(scalar.speed[n]) * scalar.speed[n]);
  for (std::size_t n = 0; components == 3 && n < scalar.speed.size(); ++n) speed[3 * n + 1] = speed[3 * n];
  Problem tensors = scalar;
  tensors.speed = speed, tensors.speedType = SpeedType::SquaredVelocityTensor;
  const Result ours = solve(tensors, factoring, 2), theirs = solve(scalar, factoring, 2);
  double sum = 0, maximum = 0;
  for (std::size_t n = 0; n < theirs.travelTime.size(); ++n) {
    EXPECT_EQ(std::isinf(ours.travelTime[n]), std::isinf(theirs.travelTime[n])) << n;
    if (!(theirs.travelTime[n] > 0) || std::isinf(theirs.travelTime[n])) continue;
    const double apart = std::abs(ours.travelTime[n] / theirs.travelTime[n] - 1);
    sum += apart, maximum = std::max(maximum, apart);
  }
  return {sum / double(theirs.travelTime.size()), maximum};
}

TEST(TensorRefinement, IsTheScalarSchemeForIsotropicTensors) {
  for (const char* name : {"Maze", "Layers", "Diagonal"}) {
    const auto [mean, maximum] = differencesFromScalars(makeCase(name).problem, SourceFactoring::Off);
    EXPECT_LT(mean, 2e-4) << name << " maximum " << maximum;
  }
  const Cube cube = gradientCube(32);
  EXPECT_LT(differencesFromScalars(cube.problem, SourceFactoring::Off)[0], 2e-5);
  for (const auto factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
    // Points next to the seed keep other start values.
    const auto [mean, maximum] = differencesFromScalars(cube.problem, factoring);
    EXPECT_LT(mean, 4e-4) << int(factoring) << " maximum " << maximum;
  }
}

TEST(TensorRefinement, IsExactForConstantTensors) {
  for (const double ratio : {2., 10.})
    for (const auto factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative})
      for (const int order : {1, 2}) {
        Case c = constantTensors({65, 65, 1, 1, 1, 1}, 0.4, 0, ratio);
        c.problem.seeds[0].at = {32.3, 31.7, 0};
        const Result result = solve(c.problem, factoring, order);
        double maximum = 0; // at distances up to 20: beyond, the border causes some error
        for (std::int64_t p = 0; p < c.problem.grid.points(); ++p) {
          const auto [i, j, k] = c.problem.grid.indices(p);
          const Position away{double(i) - 32.3, double(j) - 31.7, 0};
          if (std::hypot(away[0], away[1]) < 20)
            maximum = std::max(maximum, std::abs(result.travelTime[p] / metricDistance(c.problem, away) - 1));
        }
        EXPECT_LT(maximum, 1e-5) << ratio << ' ' << int(factoring) << ' ' << order;
      }
}

class TensorRefinements : public testing::TestWithParam<std::string> {};

TEST_P(TensorRefinements, ReachTheSamePointsAndKeepTheSeeds) {
  const Case c = makeTensorCase(GetParam());
  for (const auto factoring : allFactorings) {
    const Result first = solve(c.problem, SourceFactoring::Off, 1), second = solve(c.problem, factoring, 2);
    for (std::size_t p = 0; p < first.travelTime.size(); ++p)
      ASSERT_EQ(std::isfinite(first.travelTime[p]), std::isfinite(second.travelTime[p])) << p;
    for (std::size_t s = 0; s < second.seeds.size(); ++s) {
      const std::int64_t point = second.seeds[s].point;
      if (first.travelTime[point] == float(c.problem.seeds[s].startValue))
        EXPECT_EQ(second.travelTime[point], first.travelTime[point]);
    }
  }
}

TEST_P(TensorRefinements, HaveTheSameBitsForAnyNumberOfThreads) {
  const Case c = makeTensorCase(GetParam());
  for (const auto factoring : allFactorings) {
    const Result one = solve(c.problem, factoring, 2, 1);
    for (const int threads : {2, 3, 7})
      EXPECT_EQ(solve(c.problem, factoring, 2, threads).travelTime, one.travelTime) << threads;
  }
}

INSTANTIATE_TEST_SUITE_P(Images, TensorRefinements, testing::ValuesIn(tensorCaseNames()),
                         [](const auto& info) { return info.param; });

TEST(TensorRefinement, HonoursAbort) {
  const Case c = makeTensorCase("Space");
  Options options;
  options.backend = Backend::Host;
  options.order = 2;
  const Monitor monitor{[](double share) { return share < 0.951; }};
  const Result result = solveImageTravelTime(c.problem, options, monitor);
  EXPECT_TRUE(result.aborted);
  EXPECT_TRUE(result.travelTime.empty());
}

TEST(TimeOrder, VisitsEachPointOnceAndInOrder) {
  std::vector<float> times;
  for (int n = 0; n < 5000; ++n) times.push_back(float(noise(std::uint64_t(n)) - 0.5));
  times[17] = std::numeric_limits<float>::infinity(), times[18] = -std::numeric_limits<float>::infinity();
  times[20] = times[21];
  std::vector<std::int64_t> byTime;
  for (int n = 0; n < 5000; ++n)
    if (std::isfinite(times[std::size_t(n)])) byTime.push_back(n);
  std::ranges::stable_sort(byTime, {}, [&](std::int64_t n) { return times[std::size_t(n)]; });
  std::vector<std::int64_t> before(5000, -1);
  for (std::size_t i = 1; i < byTime.size(); ++i) before[std::size_t(byTime[i])] = byTime[i - 1];
  for (const int threads : {1, 2, 5}) {
    execution::RoundPool pool(threads);
    TimeOrder order(times, pool);
    std::vector<int> visits(5000, 0); // not atomic: each visit reads what the one before it has written
    EXPECT_TRUE(order.run({}, [&](std::int64_t p) {
      const std::int64_t earlier = before[std::size_t(p)];
      if (earlier >= 0) order.waitFor(earlier);
      visits[std::size_t(p)] = earlier < 0 ? 1 : visits[std::size_t(earlier)] + 1;
    }));
    for (std::size_t i = 0; i < byTime.size(); ++i) ASSERT_EQ(visits[std::size_t(byTime[i])], int(i) + 1);
  }
}

TEST(TimeOrder, AnExceptionEndsTheThreadsThatWait) {
  const std::vector<float> times(3000, 1);
  execution::RoundPool pool(3);
  TimeOrder order(times, pool);
  EXPECT_THROW(order.run({},
                         [&](std::int64_t p) {
                           if (p == 100) throw std::runtime_error("a visit");
                           if (p > 0) order.waitFor(p - 1);
                         }),
               std::runtime_error);
}
