// Claims about derivatives of image travel times with tensors: identities, finite differences, closed forms,
// symmetry.
#include "Error.h"
#include "ImageSensitivityCases.h"
#include "ImageTensorCases.h"
#include "Reference/TensorReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace isochrone;
using namespace isochrone::image;

namespace {

std::size_t componentsOf(const Grid& grid) { return grid.nz == 1 ? 3 : 6; }

double degreeOf(const Problem& p) { return p.speedType == SpeedType::MetricTensor ? 0.5 : -0.5; }

/// Returns sum of component * dJ/dcomponent / degree, and of startValue * dJ/dstartValue.
double tensorEulerSum(const Problem& p, const Sensitivities& s) {
  double sum = 0;
  for (std::size_t n = 0; n < s.speed.size(); ++n)
    if (s.speed[n] != 0) sum += double(p.speed[n]) * s.speed[n] / degreeOf(p);
  for (std::size_t i = 0; i < p.seeds.size(); ++i) sum += p.seeds[i].startValue * s.startValue[i];
  return sum;
}

double sumOf(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.); }

/// Returns |difference quotient - derivative| along a random direction, relative to the sum of the absolute
/// terms.
template <class Objective>
double departureOf(const Case& c, const Sensitivities& s, int number, double step,
                   const Objective& objective) {
  std::vector<float> more = c.speed, less = c.speed;
  double derivative = 0, size = 0;
  const std::size_t components = componentsOf(c.problem.grid);
  for (std::size_t n = 0; n < more.size(); ++n) {
    const std::size_t first = n / components * components; // xx, the scale of the tensor
    const double change =
        double(c.speed[first]) * (2 * drawn(number, int(50000 + n)) - 1) * (components == 3 ? 1 : 0.5) * 0.01;
    more[n] = float(c.speed[n] + step * change), less[n] = float(c.speed[n] - step * change);
    const double term = (double(more[n]) - double(less[n])) * s.speed[n];
    derivative += term, size += std::abs(term);
  }
  Problem high = c.problem, low = c.problem;
  high.speed = more, low.speed = less;
  return size == 0 ? 0 : std::abs(objective(high) - objective(low) - derivative) / size;
}

/// Expects the derivatives to be right but at kinks, which the differences cross.
void expectFew(std::vector<double> departures, double median, double ninth, double largest) {
  std::ranges::sort(departures);
  EXPECT_LT(departures[departures.size() / 2], median);
  EXPECT_LT(departures[departures.size() * 9 / 10], ninth);
  EXPECT_LT(departures.back(), largest);
}

} // namespace

class ImageTensorSensitivity : public testing::TestWithParam<std::string> {};

TEST_P(ImageTensorSensitivity, IsHomogeneousOfDegreeOneHalf) {
  const Case c = makeTensorCase(GetParam());
  for (const auto& [factoring, order] : schemes) {
    SCOPED_TRACE(testing::Message() << "factoring " << int(factoring) << ", order " << order);
    const Result solved = solve(c.problem, factoring, 0, order);
    const std::vector<WeightedTip> tips = someTips(c.problem.grid, 30);
    const Sensitivities s = derive(c.problem, solved.travelTime, tips, factoring, 1, order);
    const auto [size, rounded, weights] = sumOverTips(tips, s, solved.travelTime);
    EXPECT_EQ(s.lostWeight, 0);
    EXPECT_NEAR(tensorEulerSum(c.problem, s), s.objective, 1e-6 * size);
    EXPECT_NEAR(rounded, s.objective, 1e-5 * size);
    EXPECT_NEAR(sumOf(s.startValue), weights, 1e-9);
    for (const int threads : {2, 3}) {
      const Sensitivities more = derive(c.problem, solved.travelTime, tips, factoring, threads, order);
      EXPECT_EQ(s.objective, more.objective);
      EXPECT_EQ(s.speed, more.speed);
      EXPECT_EQ(s.startValue, more.startValue);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ImageTensorSensitivity, testing::ValuesIn(tensorCaseNames()),
                         [](const auto& info) { return info.param; });

/// The reference in double does not factor. The sum of the absolute terms along the random direction is 1.
TEST(ImageTensorSensitivity, EqualsDifferencesOfAReferenceInDouble) {
  std::vector<double> departures;
  for (int number = 0; number < 40; ++number) {
    const Case c = randomTensorCase(number, true);
    const std::vector<WeightedTip> tips = someTips(c.problem.grid, int(c.problem.grid.points() / 10));
    const Sensitivities s = derive(c.problem, tips, SourceFactoring::Off);
    const auto objective = [&](const Problem& p) {
      const std::vector<double> u = reference::tensorTimes(p);
      double sum = 0;
      for (std::size_t t = 0; t < tips.size(); ++t)
        if (s.tips[t].point >= 0) sum += tips[t].weight * u[std::size_t(s.tips[t].point)];
      return sum;
    };
    EXPECT_EQ(s.lostWeight, 0) << number;
    EXPECT_NEAR(objective(c.problem), s.objective, 1e-9 * (1 + std::abs(s.objective))) << number;
    departures.push_back(departureOf(c, s, number, 1e-2, objective));
  }
  expectFew(departures, 1e-5, 1e-3, 0.02); // 36 of 40 are below 3e-4; largest: 0.009, 0.006, 0.002
}

/// With a step a hundred times as long some differences cross kinks, and in the second order jumps.
TEST(ImageTensorSensitivity, EqualsDifferencesOfTheSolver) {
  for (const auto& [factoring, order] : schemes) {
    SCOPED_TRACE(testing::Message() << "factoring " << int(factoring) << ", order " << order);
    std::vector<double> departures;
    for (int number = 0; number < 60; ++number) {
      const Case c = randomTensorCase(number, false);
      const std::vector<WeightedTip> tips = someTips(c.problem.grid, int(c.problem.grid.points() / 10));
      const Sensitivities s = derive(c.problem, tips, factoring, order);
      EXPECT_EQ(s.lostWeight, 0) << number;
      const auto objective = [&](const Problem& p) { return derive(p, tips, factoring, order).objective; };
      departures.push_back(departureOf(c, s, number, 1e-4, objective));
    }
    // Medians 2e-8 to 5e-8. Off and Additive: all below 5e-7 but one, 8e-6 and in the second order 1.6e-5.
    // Multiplicative: the three largest are 4e-7, 5e-6, 7e-5; in the second order 3e-6, 2e-5, 3e-5.
    expectFew(departures, 1e-7, 1e-5, 2e-4);
  }
}

/// Along one straight line all points have the tensor of the line: the sums are the derivatives of its time.
TEST(ImageTensorSensitivity, SumsToTheDerivativeOfTheLineInOneMedium) {
  for (const Position& seed : {Position{10, 8, 6}, Position{10.25, 8.5, 6.125}}) {
    Case c = constantTensors({21, 17, 13, 1, 1, 1}, 0.5, 0.3, 2);
    c.problem.speedType = SpeedType::MetricTensor;
    c.problem.seeds = {{seed, 7}};
    const auto& g = c.problem.speed;
    for (const Position& tip : {Position{15, 12, 9}, Position{4, 5, 8}}) {
      const WeightedTip tips[] = {{tip, 1}};
      const Sensitivities s = derive(c.problem, tips, SourceFactoring::Additive);
      std::array<double, 6> sums{};
      for (std::size_t n = 0; n < s.speed.size(); ++n) sums[n % 6] += s.speed[n];
      const double x = tip[0] - seed[0], y = tip[1] - seed[1], z = tip[2] - seed[2];
      const double time = std::sqrt(g[0] * x * x + g[1] * y * y + g[2] * z * z +
                                    2 * (g[3] * x * y + g[4] * y * z + g[5] * x * z));
      const double expected[] = {x * x, y * y, z * z, 2 * x * y, 2 * y * z, 2 * x * z};
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_NEAR(sums[k], expected[k] / (2 * time), 5e-4 * (x * x + y * y + z * z) / time) << k;
      EXPECT_NEAR(s.startValue[0], 1, 1e-12);
    }
  }
}

/// On an isotropic medium both schemes are the same, on the diagonal. Off it, a term appears on either side.
TEST(ImageTensorSensitivity, OfIsotropicTensorsFollowsFromThatOfTheSpeed) {
  for (const Grid& g : {Grid{17, 14, 1, 1, 1, 1}, Grid{8, 7, 9, 1, 1, 1}}) {
    std::vector<float> speed;
    for (std::int64_t n = 0; n < g.points(); ++n) speed.push_back(float(1 + noise(std::uint64_t(n))));
    std::int64_t n = 0;
    Case c = tensorCase(g, [&](double, double, double) {
      const double square = std::pow(double(speed[std::size_t(n++)]), 2);
      return std::array<double, 6>{square, square, square, 0, 0, 0};
    });
    Problem p = c.problem;
    p.speedType = SpeedType::Speed;
    p.speed = speed;
    const std::vector<WeightedTip> tips = someTips(g, 20);
    const Sensitivities s = derive(c.problem, tips, SourceFactoring::Off),
                        expected = derive(p, tips, SourceFactoring::Off);
    const std::size_t components = componentsOf(g), diagonal = g.nz == 1 ? 2 : 3;
    for (std::size_t k = 0; k < speed.size(); ++k) {
      double sum = 0;
      for (std::size_t a = 0; a < diagonal; ++a) sum += s.speed[k * components + a];
      EXPECT_NEAR(sum * 2 * speed[k], expected.speed[k], 1e-5) << k;
    }
    EXPECT_NEAR(s.startValue[0], expected.startValue[0], 1e-12);
  }
}

/// The derivative off the diagonal, at its kink, is the mean of both sides.
TEST(ImageTensorSensitivity, IsTheMeanOfBothSidesWhereAWeightVanishes) {
  Case c = tensorCase({11, 10, 1, 1, 1, 1}, [](double i, double j, double) {
    return std::array<double, 6>{1 + 0.1 * noise(std::uint64_t(i + 11 * j)), 1, 1, 0, 0, 0};
  });
  const std::vector<WeightedTip> tips = someTips(c.problem.grid, 6);
  const Sensitivities s = derive(c.problem, tips, SourceFactoring::Off);
  const auto objective = [&](std::size_t n, float value) {
    c.speed[n] = value;
    const std::vector<double> u = reference::tensorTimes(c.problem);
    c.speed[n] = 0;
    double sum = 0;
    for (const WeightedTip& tip : tips) sum += tip.weight * u[std::size_t(place(c.problem, tip.at).point)];
    return sum;
  };
  const Grid& g = c.problem.grid;
  for (std::int64_t j = 1; j + 1 < g.ny; ++j) // at the border the stencil reaches outside on either side
    for (std::int64_t i = 1; i + 1 < g.nx; ++i) {
      const auto xy = std::size_t(3 * g.index(i, j, 0) + 2);
      const double difference = (objective(xy, 1e-5f) - objective(xy, -1e-5f)) / 2e-5;
      EXPECT_NEAR(s.speed[xy], difference, 1e-3 * (1 + std::abs(difference))) << i << ' ' << j;
    }
}

/// The same with refined times, by differences of the solver.
TEST(ImageTensorSensitivity, IsThisMeanInAllSchemes) {
  for (const auto& [factoring, order] : schemes) {
    SCOPED_TRACE(testing::Message() << "factoring " << int(factoring) << ", order " << order);
    Case c = tensorCase({9, 8, 1, 1, 1, 1}, [](double i, double j, double) {
      return std::array<double, 6>{1 + 0.1 * noise(std::uint64_t(i + 11 * j)), 1, 1, 0, 0, 0};
    });
    const std::vector<WeightedTip> tips = someTips(c.problem.grid, 6);
    const Sensitivities s = derive(c.problem, tips, factoring, order);
    const Grid& g = c.problem.grid;
    int kinks = 0;
    for (std::int64_t j = 1; j + 1 < g.ny; ++j)
      for (std::int64_t i = 1; i + 1 < g.nx; ++i) {
        const auto xy = std::size_t(3 * g.index(i, j, 0) + 2);
        const auto objective = [&](float value) {
          c.speed[xy] = value;
          const double sum = derive(c.problem, tips, factoring, order).objective;
          c.speed[xy] = 0;
          return sum;
        };
        const double above = (objective(1e-4f) - s.objective) / 1e-4,
                     below = (s.objective - objective(-1e-4f)) / 1e-4;
        EXPECT_NEAR(s.speed[xy], (above + below) / 2, 1e-3 * (1 + std::abs(above - below))) << i << ' ' << j;
        kinks += std::abs(above - below) > 1e-2;
      }
    EXPECT_GT(kinks, 3);
  }
}

TEST(ImageTensorSensitivity, IsPermutedAndMirroredWithTheImage) {
  const Case c = randomTensorCase(9, false);
  const Grid& g = c.problem.grid;
  Case turned = c; // x, y, z become z, -x, y
  turned.problem.grid = {g.nz, g.nx, g.ny, g.hz, g.hx, g.hy};
  const auto pointOf = [&](std::int64_t n) {
    const auto [i, j, k] = g.indices(n);
    return turned.problem.grid.index(k, g.nx - 1 - i, j);
  };
  constexpr std::size_t from[] = {2, 0, 1, 5, 3, 4}; // zz xx yy xz xy yz
  constexpr float sign[] = {1, 1, 1, -1, -1, 1};
  for (std::int64_t n = 0; n < g.points(); ++n)
    for (std::size_t k = 0; k < 6; ++k)
      turned.speed[std::size_t(6 * pointOf(n)) + k] = sign[k] * c.speed[std::size_t(6 * n) + from[k]];
  turned.problem.speed = turned.speed;
  const auto move = [&](const Position& at) {
    return Position{at[2], double(g.nx - 1) * g.hx - at[0], at[1]};
  };
  for (Seed& seed : turned.problem.seeds) seed.at = move(seed.at);
  if (!c.barriers.empty())
    for (std::int64_t n = 0; n < g.points(); ++n)
      turned.barriers[std::size_t(pointOf(n))] = c.barriers[std::size_t(n)];
  turned.problem.barriers = turned.barriers;
  std::vector<WeightedTip> tips = someTips(g, 25), moved = tips;
  for (WeightedTip& tip : moved) tip.at = move(tip.at);
  for (const auto& [factoring, order] : schemes) {
    SCOPED_TRACE(testing::Message() << "factoring " << int(factoring) << ", order " << order);
    const Sensitivities s = derive(c.problem, tips, factoring, order),
                        t = derive(turned.problem, moved, factoring, order);
    double departure = 0, size = 0;
    for (std::int64_t n = 0; n < g.points(); ++n)
      for (std::size_t k = 0; k < 6; ++k) {
        const double expected = sign[k] * s.speed[std::size_t(6 * n) + from[k]];
        departure += std::abs(t.speed[std::size_t(6 * pointOf(n)) + k] - expected),
            size += std::abs(expected);
      }
    EXPECT_LT(departure, 1e-5 * size);
    EXPECT_GT(size, 0);
  }
}

/// A wider grid with tensors that are as much larger has the same times.
TEST(ImageTensorSensitivity, ScalesWithTheGrid) {
  const Case c = randomTensorCase(3, false);
  Case wide = c;
  Problem& p = wide.problem;
  p.grid.hx *= 4, p.grid.hy *= 0.5;
  const double scale[] = {16, 0.25, 1, 2, 0.5, 4};
  for (std::size_t n = 0; n < wide.speed.size(); ++n) wide.speed[n] *= float(scale[n % 6]);
  p.speed = wide.speed;
  for (Seed& seed : p.seeds) seed.at[0] *= 4, seed.at[1] *= 0.5;
  std::vector<WeightedTip> tips = someTips(c.problem.grid, 9), moved = tips;
  for (WeightedTip& tip : moved) tip.at[0] *= 4, tip.at[1] *= 0.5;
  for (const int order : {1, 2}) {
    const Sensitivities s = derive(c.problem, tips, SourceFactoring::Off, order),
                        t = derive(p, moved, SourceFactoring::Off, order);
    for (std::size_t n = 0; n < s.speed.size(); ++n)
      EXPECT_NEAR(t.speed[n] * scale[n % 6], s.speed[n], 1e-9 * (1 + std::abs(s.speed[n]))) << n;
  }
}

/// A row has the derivatives with respect to the slowness in all directions.
TEST(ImageTensorSensitivity, OfEachTipIsARowOfTheJacobian) {
  for (const char* name : {"SpaceRubble", "SeveralSeeds", "PlaneUnequal", "Metric"})
    for (const auto& [factoring, order] : schemes) {
      SCOPED_TRACE(testing::Message() << name << ", factoring " << int(factoring) << ", order " << order);
      const Case c = makeTensorCase(name);
      const Problem& p = c.problem;
      const Result solved = solve(p, factoring, 0, order);
      std::vector<WeightedTip> tips = someTips(p.grid, 12);
      tips.push_back(tips[3]), tips.push_back({{-9, 0, 0}, 1});
      std::vector<Position> positions;
      for (const WeightedTip& tip : tips) positions.push_back(tip.at);
      SensitivityOptions options;
      options.factoring = factoring;
      options.order = order;
      options.threads = 1;
      const Jacobian rows = differentiateEach(p, solved.travelTime, positions, options);
      options.threads = 3;
      const Jacobian more = differentiateEach(p, solved.travelTime, positions, options);
      EXPECT_EQ(rows.matrix.element, more.matrix.element);
      EXPECT_EQ(rows.matrix.weight, more.matrix.weight);
      EXPECT_EQ(rows.lostWeight, 0);
      const std::size_t components = componentsOf(p.grid);
      for (std::size_t t = 0; t < tips.size(); ++t) {
        const WeightedTip tip[] = {{tips[t].at, 1}};
        const Sensitivities s = derive(p, solved.travelTime, tip, factoring, 0, order);
        EXPECT_EQ(rows.tips[t].point, s.tips[0].point);
        std::vector<double> expected(std::size_t(p.grid.points()), 0);
        for (std::size_t n = 0; n < s.speed.size(); ++n)
          if (s.speed[n] != 0) expected[n / components] += double(p.speed[n]) * s.speed[n] / degreeOf(p);
        for (std::int64_t e = rows.matrix.row[t]; e < rows.matrix.row[t + 1]; ++e)
          expected[std::size_t(rows.matrix.element[std::size_t(e)])] -= rows.matrix.weight[std::size_t(e)];
        for (const double difference : expected) EXPECT_NEAR(difference, 0, 1e-9 * (1 + s.objective));
      }
    }
}

TEST(ImageTensorSensitivity, CountsTheStartsOfARegion) {
  Case c = makeTensorCase("Plane");
  std::vector<std::int32_t> regions(std::size_t(c.problem.grid.points()), -1);
  for (const std::size_t n : {0, 1, 45, 46, 90}) regions[n] = 0;
  c.problem.seeds = {{{}, 0.5, true}};
  c.problem.seedRegions = regions;
  const std::vector<WeightedTip> tips = someTips(c.problem.grid, 20);
  double weights = 0;
  for (const WeightedTip& tip : tips) weights += tip.weight;
  for (const auto& [factoring, order] : schemes) {
    SCOPED_TRACE(testing::Message() << "factoring " << int(factoring) << ", order " << order);
    const Sensitivities s = derive(c.problem, tips, factoring, order);
    EXPECT_NEAR(tensorEulerSum(c.problem, s), s.objective, 1e-6 * std::abs(s.objective));
    EXPECT_NEAR(s.startValue[0], weights, 1e-9);
  }
}

/// The times of a region with a speed of 10^10 cannot be told apart.
TEST(ImageTensorSensitivity, ReportsWeightsThatReachNoSeed) {
  Case line = tensorCase({30, 1, 1, 1, 1, 1}, [](double i, double, double) {
    const double square = i >= 10 && i < 20 ? 1e20 : 1;
    return std::array<double, 6>{square, square, square, 0, 0, 0};
  });
  line.problem.seeds = {{{0, 0, 0}, 0}};
  const WeightedTip tips[] = {tipAt(line.problem.grid, 29, 2)};
  for (const auto& [factoring, order] : schemes) {
    SCOPED_TRACE(testing::Message() << "factoring " << int(factoring) << ", order " << order);
    const Sensitivities s = derive(line.problem, tips, factoring, order);
    // Multiplicative times depend on the start value, too. Refined masses are doubles.
    const bool isMultiplicative = factoring == SourceFactoring::Multiplicative;
    const double rounding = order == 2 || isMultiplicative ? 1e-12 : 0;
    EXPECT_NEAR(s.lostWeight, 2, isMultiplicative ? 0.05 : rounding);
    EXPECT_NEAR(s.startValue[0], 2 - s.lostWeight, rounding);
    EXPECT_TRUE(std::ranges::all_of(s.speed, [](double d) { return std::isfinite(d); }));
  }
}

TEST(ImageTensorSensitivity, RefusesWhatItCannotDifferentiate) {
  Case c = makeTensorCase("Plane");
  const Result solved = solve(c.problem, SourceFactoring::Off);
  const WeightedTip tips[] = {tipAt(c.problem.grid, 30)};
  const auto expectError = [&](const auto& call, const std::string& words) {
    try {
      call();
      ADD_FAILURE() << "no error: " << words;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  SensitivityOptions options;
  Problem drifting = c.problem;
  const std::vector<float> drift(std::size_t(2 * c.problem.grid.points()), 0.01f);
  drifting.drift = drift;
  expectError([&] { differentiate(drifting, solved.travelTime, tips, options); }, "a drift");
  Problem shorter = c.problem;
  shorter.speed = shorter.speed.subspan(3);
  expectError([&] { differentiate(shorter, solved.travelTime, tips, options); }, "tensors");
  expectError([&] { differentiate(c.problem, std::span(solved.travelTime).subspan(1), tips, options); },
              "travel time");
}
