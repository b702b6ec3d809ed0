// Claims about the derivatives of mesh travel times.
#include "Error.h"
#include "MeshTravelTimeChecks.h"

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

/// Returns tips at a fifth of the vertices, with weights of both signs.
std::vector<WeightedTip> someTips(const MeshCase& c) {
  std::vector<WeightedTip> tips;
  for (std::int64_t v = 2; v < c.vertexCount(); v += 5)
    tips.push_back({{v}, noise(900 + std::uint64_t(v)) - 0.3});
  return tips;
}

Sensitivities sensitivities(const MeshCase& c, const std::vector<WeightedTip>& tips, int threads = 1) {
  return differentiate(c.problem, solve(c, onHost()).travelTime, tips, threads);
}

/// Returns J by the reference in double.
double objective(const MeshCase& c, const std::vector<WeightedTip>& tips) {
  const std::vector<double> times = reference::meshTravelTimes(c.problem);
  double sum = 0;
  for (const WeightedTip& tip : tips) sum += tip.weight * times[std::size_t(tip.at.vertex)];
  return sum;
}

/// Compares all derivatives with respect to an array with central differences of the reference. A derivative
/// may deviate by 1 % of itself, or 1e-4 of the largest one. A difference that has a kink within its step is
/// counted: the two one-sided differences then deviate from each other.
void expectDifferences(MeshCase& c, std::vector<double> MeshCase::*array, const std::string& name) {
  const std::vector<WeightedTip> tips = someTips(c);
  const Sensitivities s = sensitivities(c, tips);
  const double before = objective(c, tips);
  EXPECT_NEAR(s.objective, before, 1e-6 * std::abs(before)) << name;
  ASSERT_EQ(s.medium.size(), (c.*array).size()) << name;
  double largest = 0;
  for (const double d : s.medium) largest = std::max(largest, std::abs(d));
  ASSERT_GT(largest, 0) << name;
  int kinks = 0;
  for (std::size_t i = 0; i < (c.*array).size(); ++i) {
    double& x = (c.*array)[i];
    const double old = x, step = 1e-6 * std::max(std::abs(x), 0.1);
    x = old + step;
    const double later = (objective(c, tips) - before) / step;
    x = old - step;
    const double earlier = (before - objective(c, tips)) / step;
    x = old;
    const double allowed = 0.01 * std::abs(s.medium[i]) + 1e-4 * largest;
    if (std::abs(later - earlier) > allowed)
      ++kinks;
    else
      EXPECT_NEAR(s.medium[i], (later + earlier) / 2, allowed) << name << ", number " << i;
  }
  EXPECT_LE(kinks, int((c.*array).size() / 100)) << name;
}

double eulerSum(const MeshCase& c, const Sensitivities& s) {
  double sum = 0; // the time is of degree 1/2 in the metric
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    if (const auto g = reference::metricOf(c.problem, t)) {
      const double* d = s.metric.data() + 6 * t;
      sum += 2 * (d[0] * (*g)[0][0] + d[1] * (*g)[1][1] + d[2] * (*g)[2][2] + d[3] * (*g)[0][1] +
                  d[4] * (*g)[1][2] + d[5] * (*g)[0][2]);
    }
  for (std::size_t i = 0; i < c.problem.seeds.size(); ++i)
    sum += s.startTime[i] * c.problem.seeds[i].startTime;
  return sum;
}

} // namespace

TEST(MeshTravelTimeSensitivity, AgreesWithDifferencesOfSpeeds) {
  for (const bool ofVertices : {false, true})
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      MeshCase c = withSpeed(cubes(3, 2, 3, 1, 0.2, seed), ofVertices,
                             [&](auto i, auto&) { return 0.5 + noise(std::uint64_t(i) + 1000 * seed); });
      expectDifferences(c, &MeshCase::speed, ofVertices ? "speeds of vertices" : "speeds of cells");
    }
}

TEST(MeshTravelTimeSensitivity, AgreesWithDifferencesOfTensors) {
  for (const bool ofVertices : {false, true}) {
    MeshCase c = withTensors(cubes(2, 3, 2, 1, 0.2), 0.5, 2, ofVertices);
    expectDifferences(c, &MeshCase::tensor, ofVertices ? "tensors of vertices" : "tensors of cells");
  }
}

TEST(MeshTravelTimeSensitivity, AgreesWithDifferencesOfVelocitiesAndConductivities) {
  for (const SpeedType type : {SpeedType::Fibres, SpeedType::Conductivities})
    for (const int components : {1, 2, 3}) {
      MeshCase c = withFibres(cubes(2, 2, 3, 1, 0.2), 0.6, 0.3);
      c.problem.speedType = type, c.problem.velocityScale = 0.7, c.problem.velocities = {0.6, 0.4, 0.3};
      c.problem.speed.components = components;
      for (std::int64_t t = 0; t < c.cellCount(); ++t) {
        if (components != 2) c.sheet.insert(c.sheet.end(), {0.3, 0.2, 1});
        for (int i = 0; i < components; ++i)
          c.speed.push_back(1 - 0.2 * i + 0.3 * noise(std::uint64_t(3 * t + i)));
      }
      c.link();
      expectDifferences(c, &MeshCase::speed, "velocities");
    }
}

TEST(MeshTravelTimeSensitivity, AgreesWithDifferencesOfStartTimes) {
  MeshCase c =
      withSpeed(cubes(4, 4, 4, 1, 0.2), false, [](auto t, auto&) { return 0.5 + noise(std::uint64_t(t)); });
  c.problem.seeds = {{0}, {-1, 200, c.middle(200), 0.3}, {124, -1, {}, 0.2}};
  const std::vector<WeightedTip> tips = someTips(c);
  const Sensitivities s = sensitivities(c, tips);
  double weights = 0, sum = 0;
  for (const WeightedTip& tip : tips) weights += tip.weight;
  for (std::size_t i = 0; i < 3; ++i) {
    double& start = c.problem.seeds[i].startTime;
    const double old = start;
    start = old + 1e-6;
    const double later = objective(c, tips);
    start = old - 1e-6;
    EXPECT_NEAR(s.startTime[i], (later - objective(c, tips)) / 2e-6, 0.01 * std::abs(s.startTime[i]) + 1e-4);
    start = old, sum += s.startTime[i];
  }
  EXPECT_NEAR(sum, weights, 1e-9);
}

TEST(MeshTravelTimeSensitivity, SatisfiesEulersIdentity) {
  for (const char* name : {"Isotropic", "ThreeToOne", "TenToOne", "Tensors", "TensorsOfVertices",
                           "SpeedsAtRandom", "SpeedsOfVertices", "Conductivities", "Holes", "SeedsInCells"}) {
    MeshCase c = meshMakerOf(name).make();
    for (const double radius : {0., 0.2}) {
      c.problem.ballRadius = radius;
      std::vector<WeightedTip> tips;
      for (const WeightedTip& tip : someTips(c)) tips.push_back({tip.at, std::abs(tip.weight)});
      const Sensitivities s = sensitivities(c, tips);
      EXPECT_NEAR(eulerSum(c, s), s.objective, 1e-6 * std::abs(s.objective)) << name << ", radius " << radius;
      EXPECT_EQ(s.lostWeight, 0) << name;
    }
  }
}

TEST(MeshTravelTimeSensitivity, IsTheLengthOfTheLineInEachCellOfABall) {
  MeshCase c = cubes(4, 4, 4, 1, 0.2);
  c.problem.ballRadius = 10, c.problem.constantSpeed = 2;
  const std::vector<WeightedTip> tips{{{c.vertexCount() - 1}, 1}};
  const Sensitivities s = sensitivities(c, tips);
  double sum = 0;
  std::int64_t crossed = 0;
  for (const double d : s.medium) {
    EXPECT_LE(d, 1e-12); // minus the length, divided by the squared speed
    sum += d, crossed += d < -1e-9;
  }
  EXPECT_NEAR(-4 * sum, std::sqrt(48.), 1e-9);
  EXPECT_GE(crossed, 4);
}

TEST(MeshTravelTimeSensitivity, DoesNotDependOnThreads) {
  const MeshCase c = meshMakerOf("Everything").make();
  const Sensitivities one = sensitivities(c, someTips(c)), three = sensitivities(c, someTips(c), 3);
  EXPECT_EQ(one.medium, three.medium);
  EXPECT_EQ(one.metric, three.metric);
  EXPECT_EQ(one.startTime, three.startTime);
  EXPECT_EQ(one.objective, three.objective);
}

TEST(MeshTravelTimeSensitivity, RefusesWhatHasNoDerivatives) {
  MeshCase c = cubes(2, 2, 2, 1, 0);
  const std::vector<float> times(std::size_t(c.vertexCount()), 1.f);
  const std::vector<WeightedTip> nan{{{3}, NAN}};
  EXPECT_THROW(differentiate(c.problem, times, nan, 1), Error);
  EXPECT_THROW(differentiate(c.problem, std::span(times).first(3), {}, 1), Error);
  MeshCase surface = squares(6, 6, 1, 0.3, 0);
  const Values<float> solved = solve(surface, onHost()).travelTime;
  EXPECT_THROW(differentiate(surface.problem, solved, {}, 1), Error);
  surface.problem.unfolds = false;
  EXPECT_NO_THROW(differentiate(surface.problem, solve(surface, onHost()).travelTime, {}, 1));
  surface.problem.accuracy = Accuracy::Exact;
  EXPECT_THROW(differentiate(surface.problem, solved, {}, 1), Error);
}
