// Claims about the derivatives of mesh travel times.
#include "Error.h"
#include "Execution/SimulatedWorkers.h"
#include "MeshSensitivityCases.h"
#include "MeshTravelTime/Sensitivity/MassFlow.h"
#include "MeshTravelTimeSurfaces.h"

#include <cstdlib>
#include <initializer_list>
#include <optional>

using namespace isochrone;
using namespace isochrone::mesh;

namespace {

/// The same for all numbers of an array.
void expectDifferences(MeshCase& c, std::vector<double> MeshCase::*array, const std::string& name) {
  const std::vector<WeightedTip> tips = someTips(c);
  const Sensitivities s = sensitivities(c, tips);
  EXPECT_NEAR(s.objective, objective(c, tips), 1e-6 * std::abs(s.objective)) << name;
  ASSERT_EQ(s.medium.size(), (c.*array).size()) << name;
  expectDifferences(c, tips, s.medium, name, [&](std::size_t i, double by) { (c.*array)[i] += by; });
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

VertexDependence uses(std::initializer_list<std::pair<int, double>> used) {
  VertexDependence d;
  for (const auto& [vertex, weight] : used) d.vertex[d.count] = vertex, d.weight[d.count++] = weight;
  return d;
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
                           "SpeedsAtRandom", "SpeedsOfVertices", "Conductivities", "Holes", "SeedsInCells",
                           "Triangles", "TrianglesInSpace", "Slivers"}) {
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
  EXPECT_EQ(one.lostWeight, three.lostWeight);
}

TEST(MeshTravelTimeSensitivity, RefusesWhatHasNoDerivatives) {
  MeshCase c = cubes(2, 2, 2, 1, 0);
  const std::vector<float> times(std::size_t(c.vertexCount()), 1.f);
  const std::vector<WeightedTip> nan{{{3}, NAN}};
  EXPECT_THROW(differentiate(c.problem, times, nan, {}), Error);
  EXPECT_THROW(differentiate(c.problem, std::span(times).first(3), {}, {}), Error);
  EXPECT_THROW(differentiateEach(c.problem, std::span(times).first(3), {}, {}), Error);
  EXPECT_NO_THROW(requireDifferentiable(c.problem));
  const MeshCase flat = exact(squares(3, 3, 1, 0, 0));
  EXPECT_THROW(requireDifferentiable(flat.problem), Error);
  EXPECT_THROW(differentiateEach(flat.problem, times, {}, onOneThread), Error);
  c.problem.sharing.exchange = [](auto, auto, auto) { return 0.; };
  EXPECT_THROW(requireDifferentiable(c.problem), Error);
}

TEST(MeshTravelTimeSensitivity, AgreesWithDifferencesAtTipsInCells) {
  MeshCase c =
      withSpeed(cubes(2, 2, 2, 1, 0.2), false, [](auto t, auto&) { return 0.5 + noise(std::uint64_t(t)); });
  std::vector<WeightedTip> tips;
  for (const std::int64_t t : {3, 20, 45}) tips.push_back({{-1, t, c.middle(t)}, 1. + double(t) / 20});
  const Sensitivities s = sensitivities(c, tips);
  EXPECT_NEAR(s.objective, objective(c, tips), 1e-6 * s.objective);
  expectDifferences(c, tips, s.medium, "tips in cells", [&](auto i, double by) { c.speed[i] += by; });
}

TEST(MeshTravelTimeSensitivity, OfAFoldedKiteIsTheLengthInEachTriangle) {
  Dice dice{31};
  for (int n = 0; n < 50; ++n) {
    // The edge from a to b lies on the first axis, x before it and c behind it, turned about the edge.
    const double half = dice(0.9, 1.1), atX = dice(-0.4, 0.4), atC = dice(-0.4, 0.4), height = dice(0.1, 0.5),
                 behind = dice(0.1, 0.5), angle = dice(-2, 2), speed = dice(0.5, 2);
    MeshCase kite;
    addPoint(kite, {atX, -height, 0}), addPoint(kite, {-half, 0, 0}), addPoint(kite, {half, 0, 0});
    addPoint(kite, {atC, behind * std::cos(angle), behind * std::sin(angle)});
    addTriangle(kite, 0, 1, 2), addTriangle(kite, 1, 2, 3);
    kite.problem.constantSpeed = speed;
    const double length = std::hypot(atX - atC, height + behind), near = length * height / (height + behind);
    for (const int from : {0, 3}) {
      kite.problem.seeds = {{from}};
      kite.link();
      const Sensitivities s = sensitivities(kite, std::vector<WeightedTip>{{{3 - from}, 1}});
      EXPECT_NEAR(s.objective, length / speed, 1e-6);
      EXPECT_NEAR(-s.medium[0] * speed * speed, near, 1e-6) << n;
      EXPECT_NEAR(-s.medium[1] * speed * speed, length - near, 1e-6) << n;
    }
    // From the line between both apexes straight to an end of the edge: through one of the triangles.
    kite.problem.seeds = {{0}, {3, -1, {}, dice(-0.05, 0.05)}};
    kite.link();
    const Sensitivities s = sensitivities(kite, std::vector<WeightedTip>{{{1}, 1}});
    const double ofC = s.startTime[1], y = (1 - ofC) * -height + ofC * behind,
                 line = std::hypot((1 - ofC) * atX + ofC * atC + half, y);
    EXPECT_NEAR(line / speed + ofC * kite.problem.seeds[1].startTime, s.objective, 1e-6) << n;
    EXPECT_NEAR(-s.medium[y < 0 ? 0 : 1] * speed * speed, line, 1e-6) << n;
    EXPECT_EQ(s.medium[y < 0 ? 1 : 0], 0) << n;
  }
}

TEST(MeshTravelTimeSensitivity, AgreesWithDifferencesOfOneTensorOnAFoldedKite) {
  for (const double angle : {0., 0.5, 1.2})
    for (const bool ofVertices : {false, true}) {
      MeshCase kite;
      addPoint(kite, {0, -0.3, 0}), addPoint(kite, {-1, 0, 0}), addPoint(kite, {1, 0, 0});
      addPoint(kite, {0.15, 0.3 * std::cos(angle), 0.3 * std::sin(angle)});
      addTriangle(kite, 0, 1, 2), addTriangle(kite, 1, 2, 3);
      kite.problem.speedType = SpeedType::Tensor, kite.problem.tensor.ofVertices = ofVertices;
      for (int n = 0; n < (ofVertices ? 4 : 2); ++n)
        kite.tensor.insert(kite.tensor.end(), {1.2, 0.8, 1, 0.2, 0.1, -0.1});
      kite.problem.seeds = {{0}, {3, -1, {}, 0.02}};
      kite.link();
      for (const int end : {1, 2}) {
        const std::vector<WeightedTip> tips{{{end}, 1}};
        const Sensitivities s = sensitivities(kite, tips);
        EXPECT_EQ(s.ofVertices, ofVertices);
        EXPECT_GT(s.startTime[0] * s.startTime[1], 0.1); // from between both seeds
        EXPECT_NEAR(eulerSum(kite, s), s.objective, 1e-6);
        std::vector<double> sums(6, 0);
        for (std::size_t i = 0; i < s.medium.size(); ++i) sums[i % 6] += s.medium[i];
        expectDifferences(kite, tips, sums, "a tensor on a kite", [&](std::size_t component, double by) {
          for (std::size_t i = component; i < kite.tensor.size(); i += 6) kite.tensor[i] += by;
        });
        double row = 0;
        for (const double weight : differentiateEach(kite.problem, solve(kite, onHost()).travelTime,
                                                     std::vector<Tip>{{end}}, onOneThread)
                                       .matrix.weight)
          row += weight;
        EXPECT_NEAR(row + 0.02 * s.startTime[1], s.objective, 1e-6);
      }
    }
}

TEST(MeshTravelTimeSensitivity, AgreesWithDifferencesOfRegionsOfUnfoldedSurfaces) {
  // Triangles are unfolded where both have one speed, so that of a whole region is changed.
  const auto regionOf = [](const Point& x) {
    return std::size_t(std::clamp(std::floor(x[0] / 3), 0., 2.) +
                       3 * std::clamp(std::floor(x[1] / 3), 0., 2.));
  };
  MeshCase c = withSpeed(roughSquare(9, 0.3, 5), false,
                         [&](auto, const Point& x) { return 1 + 0.1 * double(regionOf(x)); });
  c.problem.accuracy = Accuracy::FirstOrder, c.problem.seeds = {{44}};
  const std::vector<WeightedTip> tips = someTips(c);
  const Sensitivities s = sensitivities(c, tips);
  EXPECT_NEAR(s.objective, objective(c, tips), 1e-6 * std::abs(s.objective));
  std::vector<double> ofRegions(9, 0);
  for (std::int64_t t = 0; t < c.cellCount(); ++t)
    ofRegions[regionOf(c.middle(t))] += s.medium[std::size_t(t)];
  c.problem.unfolds = false;
  EXPECT_GT(std::abs(sensitivities(c, tips).objective - s.objective), 1e-3 * std::abs(s.objective));
  c.problem.unfolds = true;
  expectDifferences(c, tips, ofRegions, "regions of a surface", [&](std::size_t region, double by) {
    for (std::int64_t t = 0; t < c.cellCount(); ++t)
      if (regionOf(c.middle(t)) == region) c.speed[std::size_t(t)] += by;
  });
}

TEST(MeshTravelTimeSensitivity, AgreesWithDifferencesOfOneTensorOnUnfoldedSurfaces) {
  for (const double height : {0., 0.4}) {
    MeshCase c = roughSquare(8, height, 6);
    c.problem.accuracy = Accuracy::FirstOrder, c.problem.seeds = {{40}};
    c.problem.speedType = SpeedType::Tensor;
    for (std::int64_t t = 0; t < c.cellCount(); ++t)
      c.tensor.insert(c.tensor.end(), {1.2, 0.8, 1, 0.2, 0.1, -0.1});
    c.link();
    const std::vector<WeightedTip> tips = someTips(c);
    const Sensitivities s = sensitivities(c, tips);
    std::vector<double> sums(6, 0);
    for (std::size_t i = 0; i < s.medium.size(); ++i) sums[i % 6] += s.medium[i];
    expectDifferences(c, tips, sums, height > 0 ? "a tensor on a surface" : "a tensor on a plane",
                      [&](std::size_t component, double by) {
                        for (std::size_t i = component; i < c.tensor.size(); i += 6) c.tensor[i] += by;
                      });
  }
}

TEST(MeshTravelTimeSensitivity, PassesMassesThroughCycles) {
  // 0 uses 1; 1 and 2 use each other and 3; 4 and 5 only each other; 6 nothing; 7 has a vertex twice.
  const std::vector<VertexDependence> dependence{uses({{1, 1}}),
                                                 uses({{2, 0.5}, {3, 0.5}}),
                                                 uses({{1, 0.5}, {3, 0.5}}),
                                                 {},
                                                 uses({{5, 1}}),
                                                 uses({{4, 1}}),
                                                 {},
                                                 uses({{6, 0.25}, {6, 0.25}, {3, 0.5}})};
  execution::RoundPool pool(1);
  MassFlow flow(dependence, pool);
  const std::vector<std::int32_t> tips{7, 0, 4, 0};
  std::vector<double> mass{3, 0, 0, 0, 2, 0, 0, 4};
  double lost = 0;
  ASSERT_TRUE(flow.prepare(tips, {}) && flow.pass(mass, lost, {}));
  const std::vector<double> expected{3, 4, 2, 5, 0, 0, 2, 4};
  for (std::size_t v = 0; v < mass.size(); ++v) EXPECT_NEAR(mass[v], expected[v], 1e-14) << v;
  EXPECT_EQ(lost, 2);
}

TEST(MeshTravelTimeSensitivity, PassesMassesThroughLargeCycles) {
  // Each of 600 vertices uses two earlier ones, and a later one with a smaller weight; the first ends all.
  constexpr int count = 600;
  Dice dice{17};
  std::vector<VertexDependence> dependence(count);
  for (int v = 1; v < count; ++v) {
    VertexDependence& d = dependence[std::size_t(v)];
    const double back = v + 1 < count ? dice(0, 0.6) : 0, part = dice(0.2, 0.8);
    d = uses({{v - 1, (1 - back) * part},
              {int(dice.below(std::size_t(v))), (1 - back) * (1 - part)},
              {std::min(count - 1, v + 1 + int(dice.below(9))), back}});
    d.count = back > 0 ? 3 : 2, d.value = v;
  }
  for (const int threads : {1, 3}) {
    execution::RoundPool pool(threads);
    MassFlow flow(dependence, pool);
    std::vector<double> mass(count, 0), expected(count, 0);
    double lost = 0;
    mass[599] = expected[599] = 2, mass[300] = expected[300] = -0.5;
    ASSERT_TRUE(flow.prepare(std::vector<std::int32_t>{599, 300}, {}) && flow.pass(mass, lost, {}));
    const auto group = flow.groupAt(flow.rankOf(300));
    EXPECT_GT(group.end - group.begin, 100);
    for (std::int32_t v = 0; v < count; ++v)
      flow.forUsed(
          v, [&](std::int32_t w, double share) { expected[std::size_t(w)] += share * mass[std::size_t(v)]; });
    for (std::size_t v = 0; v < count; ++v) EXPECT_NEAR(mass[v], expected[v], 1e-13) << v;
    EXPECT_NEAR(mass[0], 1.5, 1e-13);
    EXPECT_EQ(lost, 0);
  }
}

TEST(MeshTravelTimeSensitivity, PassesManyMassesWithTheSameBitsOnAnyThreads) {
  // Each of 20 000 vertices uses earlier ones, or, of twenty two, the other one, so that both lose their
  // mass.
  constexpr int count = 20000;
  Dice dice{5};
  std::vector<VertexDependence> dependence(count);
  std::vector<std::int32_t> tips;
  std::vector<double> placed(count, 0);
  for (int v = 0; v < count; ++v) {
    VertexDependence& d = dependence[std::size_t(v)];
    if (const int group = v % 20; v >= 20) {
      const double part = dice(0.2, 0.8);
      d = group < 2
              ? uses({{group == 0 ? v + 1 : v - 1, 1}})
              : uses({{int(dice.below(std::size_t(v))), part}, {int(dice.below(std::size_t(v))), 1 - part}});
      d.value = v;
    }
    if (v >= 3 * count / 4) tips.push_back(v), placed[std::size_t(v)] = dice(-1, 1); // most are reached
  }
  std::vector<double> expected;
  double expectedLost = 0;
  for (const int threads : {1, 2, 5, -2, -5}) { // simulated ones take turns, whatever the load of the machine
    std::optional<execution::SimulatedWorkers> simulated;
    if (threads < 0) simulated.emplace();
    execution::RoundPool pool(std::abs(threads));
    MassFlow flow(dependence, pool);
    std::vector<double> mass = placed;
    double lost = 0;
    ASSERT_TRUE(flow.prepare(tips, {}) && flow.pass(mass, lost, {}));
    if (threads == 1) expected = mass, expectedLost = lost;
    EXPECT_EQ(mass, expected);
    EXPECT_EQ(lost, expectedLost);
  }
  EXPECT_NE(expectedLost, 0);
}

TEST(MeshTravelTimeSensitivity, RefusesMassesThatHardlyLeaveACycleAndCanBeStopped) {
  // Each vertex uses the one before, and the first one the last one but for a small part.
  const auto cycle = [](int count) {
    std::vector<VertexDependence> dependence(std::size_t(count) + 1);
    for (int v = 1; v <= count; ++v) {
      VertexDependence& d = dependence[std::size_t(v)];
      d = v > 1 ? uses({{v - 1, 1}}) : uses({{count, 1 - 1e-9}, {0, 1e-9}});
      d.value = v;
    }
    return dependence;
  };
  execution::RoundPool pool(1);
  const std::vector<VertexDependence> small = cycle(100), large = cycle(20000);
  MassFlow few(small, pool), many(large, pool);
  std::vector<double> mass(large.size(), 0);
  double lost = 0;
  mass[50] = 1;
  ASSERT_TRUE(few.prepare(std::vector<std::int32_t>{50}, {}));
  ASSERT_TRUE(many.prepare(std::vector<std::int32_t>{50}, {}));
  EXPECT_FALSE(many.pass(mass, lost, Monitor{[](double) { return false; }}));
  mass.assign(small.size(), 0), mass[50] = 1;
  EXPECT_THROW(few.pass(mass, lost, {}), Error);
}

TEST(MeshTravelTimeSensitivity, ReportsWeightsThatReachNoSeed) {
  // Two vertices at one place give each other a time that nothing else gives.
  MeshCase c;
  addPoint(c, {0, 0, 0}), addPoint(c, {0, 0, 0}), addPoint(c, {1, 0, 0}), addPoint(c, {0, 1, 0});
  addTriangle(c, 0, 1, 2), addTriangle(c, 0, 1, 3);
  c.problem.seeds = {{3}};
  c.link();
  const std::vector<float> times{0.5f, 0.5f, 1.5f, 0};
  const Sensitivities s = differentiate(c.problem, times, std::vector<WeightedTip>{{{2}, 3}}, onOneThread);
  EXPECT_EQ(s.lostWeight, 3);
  EXPECT_EQ(s.startTime[0], 0);
  const Jacobian rows = differentiateEach(c.problem, times, std::vector<Tip>{{2}, {3}}, onOneThread);
  EXPECT_EQ(rows.lostWeight, 1);
  EXPECT_GT(rows.matrix.row[1], 0); // of the cells on the way
  EXPECT_EQ(rows.seed, (std::vector<std::int32_t>{-1, 0}));
}

TEST(MeshTravelTimeSensitivity, StopsWhenTheMonitorRequestsIt) {
  const MeshCase c = meshMakerOf("Everything").make();
  const Values<float> times = solve(c, onHost()).travelTime;
  int reports = 0;
  const auto stopAt = [&](int last) {
    return Monitor{[&reports, last](double) { return reports++ < last; }};
  };
  const std::vector<WeightedTip> tips = someTips(c);
  const std::vector<Tip> places = everyVertex(c);
  for (const int last : {0, 2, 4}) {
    reports = 0;
    EXPECT_TRUE(differentiate(c.problem, times, tips, onOneThread, stopAt(last)).aborted);
    reports = 0;
    const Jacobian rows = differentiateEach(c.problem, times, places, onOneThread, stopAt(last));
    EXPECT_TRUE(rows.aborted && rows.matrix.row.empty());
  }
}
