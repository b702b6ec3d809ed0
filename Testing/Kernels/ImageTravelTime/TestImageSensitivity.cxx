// Claims about derivatives of image travel times: identities, finite differences, symmetry.
#include "ImageSensitivityCases.h"
#include "ImageTravelTimeCases.h"
#include "Reference/FactoredReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace isochrone;
using namespace isochrone::image;

namespace {

struct DifferenceCase {
  std::string name;
  Grid grid;
  Position seed;
  double variation;
  SourceFactoring factoring;
};

/// Travel times in double, with the factoring balls of the solver.
class Reference {
public:
  Reference(const Problem& p, SourceFactoring factoring)
      : problem(p), isMultiplicative(factoring == SourceFactoring::Multiplicative) {
    if (factoring != SourceFactoring::Off) radius = solve(p, SourceFactoring::Additive).ballRadius;
  }
  std::vector<double> times(std::span<const double> slowness) const {
    return reference::sweepFactored(problem, slowness, radius, isMultiplicative);
  }
  double objective(std::span<const WeightedTip> tips, std::span<const double> slowness) const {
    const std::vector<double> u = times(slowness);
    double sum = 0;
    for (const WeightedTip& tip : tips) sum += tip.weight * u[std::size_t(place(problem, tip.at).point)];
    return sum;
  }

private:
  const Problem& problem;
  bool isMultiplicative;
  std::vector<double> radius;
};

} // namespace

class ImageSensitivity : public testing::TestWithParam<std::string> {};

TEST_P(ImageSensitivity, IsHomogeneousOfDegreeOne) {
  const Case c = makeCase(GetParam());
  for (const SourceFactoring factoring : factorings) {
    const Result solved = solve(c.problem, factoring);
    const std::vector<WeightedTip> tips = someTips(c.problem.grid, 30);
    const Sensitivities s = derive(c.problem, solved.travelTime, tips, factoring);
    const auto [size, rounded, weights] = sumOverTips(tips, s, solved.travelTime);
    EXPECT_EQ(s.lostWeight, 0);
    EXPECT_NEAR(eulerSum(c.problem, s), s.objective, 1e-6 * size);
    EXPECT_NEAR(rounded, s.objective, 1e-5 * size);
    EXPECT_NEAR(std::accumulate(s.startValue.begin(), s.startValue.end(), 0.), weights, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ImageSensitivity, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

class ImageSensitivityDifferences : public testing::TestWithParam<DifferenceCase> {};

/// Central differences in the slowness of every point, and in the start value, in double.
TEST_P(ImageSensitivityDifferences, EqualTheDerivatives) {
  const DifferenceCase& d = GetParam();
  const Sample sample(d.grid, d.seed, d.variation, 1);
  const Result solved = solve(sample.problem, d.factoring);
  const std::vector<WeightedTip> tips = someTips(d.grid, 3);
  const Sensitivities s = derive(sample.problem, solved.travelTime, tips, d.factoring);
  const Reference exact(sample.problem, d.factoring);
  const auto objective = [&](std::span<const double> slowness) { return exact.objective(tips, slowness); };
  EXPECT_NEAR(objective(sample.exact), s.objective, 1e-6 * std::abs(s.objective));
  const double largest =
      std::abs(*std::ranges::max_element(s.speed, {}, [](double v) { return std::abs(v); }));
  constexpr double step = 1e-5;
  std::vector<double> slowness = sample.exact;
  for (std::size_t n = 0; n < slowness.size(); ++n) {
    slowness[n] = sample.exact[n] + step;
    const double more = objective(slowness);
    slowness[n] = sample.exact[n] - step;
    const double difference = (more - objective(slowness)) / (2 * step);
    slowness[n] = sample.exact[n];
    EXPECT_NEAR(s.speed[n], difference, 0.01 * std::abs(difference) + 1e-4 * largest) << n;
  }
  Problem later = sample.problem;
  later.seeds[0].startValue += step;
  const Reference laterStart(later, d.factoring);
  const double difference = (laterStart.objective(tips, slowness) - objective(slowness)) / step;
  EXPECT_NEAR(s.startValue[0], difference, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ImageSensitivityDifferences,
    testing::Values(
        DifferenceCase{"Plane", {12, 11, 1, 1, 1.2, 1}, {4.3, 5.1, 0}, 0.7, SourceFactoring::Off},
        DifferenceCase{"PlaneNear", {12, 11, 1, 1, 1.2, 1}, {4.3, 5.1, 0}, 0.7, SourceFactoring::Additive},
        DifferenceCase{"OnPoint", {12, 11, 1, 1, 1, 1}, {4, 5, 0}, 0.3, SourceFactoring::Additive},
        DifferenceCase{"Midway", {12, 11, 1, 1, 1, 1}, {4.5, 5, 0}, 0.3, SourceFactoring::Additive},
        DifferenceCase{"Rough", {12, 11, 1, 1, 1, 1}, {4, 5.3, 0}, 3, SourceFactoring::Additive},
        DifferenceCase{
            "PlaneRatio", {12, 11, 1, 1, 1.2, 1}, {4.3, 5.1, 0}, 0.7, SourceFactoring::Multiplicative},
        DifferenceCase{"OnPointRatio", {12, 11, 1, 1, 1, 1}, {4, 5, 0}, 0.3, SourceFactoring::Multiplicative},
        DifferenceCase{
            "MidwayRatio", {12, 11, 1, 1, 1, 1}, {4.5, 5, 0}, 0.3, SourceFactoring::Multiplicative},
        DifferenceCase{
            "SpaceRatio", {5, 5, 4, 1, 1.3, 0.8}, {2.3, 2.6, 1.7}, 0.7, SourceFactoring::Multiplicative},
        DifferenceCase{"Space", {6, 5, 5, 1, 1.3, 0.8}, {2.3, 2.6, 1.7}, 0.7, SourceFactoring::Off},
        DifferenceCase{"SpaceNear", {6, 5, 5, 1, 1.3, 0.8}, {2.3, 2.6, 1.7}, 0.7, SourceFactoring::Additive}),
    [](const auto& info) { return info.param.name; });

/// Returns by how much derivatives of random problems along random directions differ from differences of the
/// reference, relative to the sum of the absolute terms, ascending. The problems lie in the plane and in
/// space, with one to three seeds on points, planes and between points, and a tenth of the points as tips.
template <class Problems>
std::vector<double> departures(int count, SourceFactoring factoring, const Problems& problems) {
  std::vector<double> departures;
  for (int number = 0; number < count; ++number) {
    const Sample sample = problems(number);
    const Problem& p = sample.problem;
    const std::vector<WeightedTip> tips = someTips(p.grid, int(p.grid.points() / 10));
    const Sensitivities s = derive(p, tips, factoring);
    EXPECT_EQ(s.lostWeight, 0) << number;
    constexpr double step = 1e-6;
    std::vector<double> more = sample.exact, less = sample.exact;
    double derivative = 0, size = 0;
    for (std::size_t n = 0; n < more.size(); ++n) {
      const double change = sample.exact[n] * (2 * noise(std::uint64_t(number) * 17 + n) - 1);
      more[n] += step * change, less[n] -= step * change;
      derivative += change * s.speed[n], size += std::abs(change * s.speed[n]);
    }
    const Reference exact(p, factoring);
    const double difference = (exact.objective(tips, more) - exact.objective(tips, less)) / (2 * step);
    departures.push_back(std::abs(difference - derivative) / size);
  }
  std::ranges::sort(departures);
  return departures;
}

/// Slownesses up to 1 : 2.2, from point to point.
TEST(ImageSensitivity, EqualsDifferencesAlongRandomDirections) {
  const std::vector<double> additive = departures(120, SourceFactoring::Additive, randomSample);
  EXPECT_LT(additive.back(), 0.01);
  EXPECT_LT(additive[60], 1e-6);
}

/// A few multiplicative times depend on the order of work, and come from times that neighbours no longer have
/// (DESIGN.md).
TEST(ImageSensitivity, EqualsDifferencesOfMultiplicativeFactoring) {
  const std::vector<double> smooth = departures(60, SourceFactoring::Multiplicative, smoothSample),
                            rough = departures(60, SourceFactoring::Multiplicative, randomSample);
  for (const std::vector<double>& all : {smooth, rough}) {
    EXPECT_LT(all[30], 1e-6);
    EXPECT_LT(all[54], 1e-4);
    EXPECT_LT(all.back(), 0.03);
  }
}

TEST(ImageSensitivity, SumsToTheDistanceAtConstantSpeed) {
  for (const Position& seed : {Position{3, 4, 2}, Position{3.25, 4.5, 2.125}}) {
    Problem p;
    p.grid = {21, 15, 11, 1, 1, 1};
    p.speedType = SpeedType::Slowness;
    p.seeds = {{seed, 7}};
    for (const Position& tip : {Position{20, 4, 2}, Position{0, 0, 0}, Position{18, 13, 9}}) {
      const WeightedTip tips[] = {{tip, 1}};
      const double distance = std::hypot(tip[0] - seed[0], tip[1] - seed[1], tip[2] - seed[2]);
      for (const auto factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
        const Sensitivities s = derive(p, tips, factoring);
        EXPECT_NEAR(sumOf(s.speed), distance, 1e-5 * distance);
        EXPECT_NEAR(s.startValue[0], 1, 1e-12);
      }
    }
  }
}

/// Beside the row of the seed, a side may count from its bound on, its own time. Where the equation with it
/// gives this very time, rounding decides whether the point or its neighbour is earlier.
TEST(ImageSensitivity, ExplainsTheTimeWhereTheEquationMeetsABound) {
  for (const double start : {0., 1000.}) {
    Problem p;
    p.grid = {8, 3, 1, 1, 1, 1};
    p.speedType = SpeedType::Slowness;
    std::vector<float> slowness(24, 1);
    p.speed = slowness;
    p.seeds = {{{0, 0, 0}, start}};
    constexpr std::size_t point = 4, neighbour = 12;
    const auto isLater = [&] { // and later than the neighbour, so that the equation gives its time
      const Result solved = solve(p, SourceFactoring::Additive);
      return solved.travelTime[point] > solved.travelTime[neighbour];
    };
    float low = 1, high = 3;
    while (std::nextafter(low, high) < high) {
      slowness[point] = (low + high) / 2;
      (isLater() ? high : low) = slowness[point];
    }
    int equal = 0;
    slowness[point] = low;
    for (int n = 0; n < 40; ++n) slowness[point] = std::nextafter(slowness[point], 0.f);
    for (int n = 0; n < 80; ++n, slowness[point] = std::nextafter(slowness[point], 9.f)) {
      const Result solved = solve(p, SourceFactoring::Additive);
      equal += solved.travelTime[point] == solved.travelTime[neighbour];
      const WeightedTip tips[] = {tipAt(p.grid, std::int64_t(point))};
      const Sensitivities s = derive(p, solved.travelTime, tips, SourceFactoring::Additive);
      EXPECT_NEAR(eulerSum(p, s), solved.travelTime[point], 1e-6 * solved.travelTime[point])
          << start << ' ' << slowness[point];
    }
    EXPECT_GT(equal, 39);
    EXPECT_LT(equal, 80);
  }
}

TEST(ImageSensitivity, IsTheStepAtEachPointOfALine) {
  const Case line = makeLine(50);
  Problem p = line.problem;
  p.speedType = SpeedType::Slowness;
  p.grid.hx = 0.5;
  const WeightedTip tips[] = {tipAt(p.grid, 40, 3)};
  const Sensitivities s = derive(p, tips, SourceFactoring::Off);
  for (std::size_t n = 0; n < 50; ++n) EXPECT_NEAR(s.speed[n], n > 0 && n <= 40 ? 1.5 : 0, 1e-12) << n;
  EXPECT_NEAR(s.startValue[0], 3, 1e-12);
}

/// With the ratio to the distance, u_n = n / (n + 1) * the sum of s_0 to s_n.
TEST(ImageSensitivity, OfARatioIsTheMeanSlownessTimesTheLengthOnALine) {
  const Case line = makeLine(7);
  Problem p = line.problem;
  p.speedType = SpeedType::Slowness;
  for (const double start : {0., 7.}) {
    p.seeds[0].startValue = start;
    const WeightedTip tips[] = {tipAt(p.grid, 4)};
    const Sensitivities s = derive(p, tips, SourceFactoring::Multiplicative);
    for (std::size_t n = 0; n < 7; ++n) EXPECT_NEAR(s.speed[n], n <= 4 ? 0.8 : 0, 1e-6) << n;
    EXPECT_NEAR(s.startValue[0], 1, 1e-12);
  }
}

/// 2 * 1.5^2 * (v - m)^2 = s_3^2 at the corner opposite to the seed, with m = sqrt(2) / 1.5 * (s_0 + s_i)
/// / 2.
TEST(ImageSensitivity, OfARatioOnFourPointsByHand) {
  Problem p;
  p.grid = {2, 2, 1, 1, 1, 1};
  p.speedType = SpeedType::Slowness;
  p.seeds = {{{0, 0, 0}, 0}};
  const WeightedTip tips[] = {tipAt(p.grid, 3)};
  const Sensitivities s = derive(p, tips, SourceFactoring::Multiplicative);
  const double third = std::sqrt(2.) / 3, expected[] = {third, third / 2, third / 2, third};
  for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(s.speed[n], expected[n], 1e-6) << n;
  EXPECT_NEAR(s.startValue[0], 1, 1e-12);
}

TEST(ImageSensitivity, IsMirroredWithTheImage) {
  for (const SourceFactoring factoring : factorings) {
    Sample sample({13, 11, 9, 1, 1, 1}, {4.3, 6.1, 3.2}, 0.8, 3);
    const Grid& g = sample.problem.grid;
    const WeightedTip tips[] = {tipAt(g, g.index(11, 2, 7)), tipAt(g, g.index(1, 9, 1), 2)};
    const Sensitivities s = derive(sample.problem, tips, factoring);
    std::vector<float> mirrored(sample.slowness.size());
    const auto mirror = [&](std::size_t n) {
      const auto [i, j, k] = g.indices(std::int64_t(n));
      return std::size_t(g.index(g.nx - 1 - i, j, g.nz - 1 - k));
    };
    for (std::size_t n = 0; n < mirrored.size(); ++n) mirrored[mirror(n)] = sample.slowness[n];
    Problem p = sample.problem;
    p.speed = mirrored;
    p.seeds[0].at = {12 - 4.3, 6.1, 8 - 3.2};
    const WeightedTip opposite[] = {tipAt(g, g.index(1, 2, 1)), tipAt(g, g.index(11, 9, 7), 2)};
    const Sensitivities m = derive(p, opposite, factoring);
    double departure = 0;
    for (std::size_t n = 0; n < mirrored.size(); ++n) departure += std::abs(m.speed[mirror(n)] - s.speed[n]);
    EXPECT_LT(departure, 10 * roundingOf(factoring) * sumOf(s.speed));
  }
}

TEST(ImageSensitivity, IsSymmetricWhereTwoSidesAreEquallyEarly) {
  Problem p;
  p.grid = {9, 9, 1, 1, 1, 1};
  p.seeds = {{{4, 0, 0}, 0}, {{0, 4, 0}, 0}, {{8, 4, 0}, 0}, {{4, 8, 0}, 0}};
  const WeightedTip tips[] = {{{4, 4, 0}, 1}};
  const Sensitivities s = derive(p, tips, SourceFactoring::Off);
  for (const double start : s.startValue) EXPECT_NEAR(start, 0.25, 1e-12);
}

TEST(ImageSensitivity, OfASpeedFollowsFromThatOfItsSlowness) {
  Sample sample({12, 11, 1, 1, 1, 1}, {4.3, 5.1, 0}, 1, 5);
  std::vector<float> speed;
  for (float& s : sample.slowness) s = std::exp2(std::round(8 * std::log2(s)) / 8), speed.push_back(1 / s);
  const WeightedTip tips[] = {{{11, 10, 0}, 1}};
  const Sensitivities bySlowness = derive(sample.problem, tips, SourceFactoring::Additive);
  Problem p = sample.problem;
  p.speedType = SpeedType::Speed;
  p.speed = speed;
  const Sensitivities bySpeed = derive(p, tips, SourceFactoring::Additive);
  for (std::size_t n = 0; n < speed.size(); ++n) {
    const double s = sample.slowness[n];
    EXPECT_NEAR(bySpeed.speed[n], -s * s * bySlowness.speed[n], 1e-5) << n;
  }
}

TEST(ImageSensitivity, IsZeroWhereNoTipDependsOnThePoint) {
  Sample sample({20, 9, 1, 1, 1, 1}, {10, 4, 0}, 0.1, 2);
  const WeightedTip tips[] = {{{19, 4, 0}, 1}};
  const Sensitivities s = derive(sample.problem, tips, SourceFactoring::Off);
  for (std::int64_t j = 0; j < 9; ++j)
    for (std::int64_t i = 0; i < 9; ++i) EXPECT_EQ(s.speed[std::size_t(i + 20 * j)], 0);
  EXPECT_GT(sumOf(s.speed), 8);
}
