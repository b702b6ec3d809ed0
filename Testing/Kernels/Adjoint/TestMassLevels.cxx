// Claims about masses that pass level by level, on host teams: they are those of sums in any order of users,
// and points that use each other keep them.
#include "Adjoint/LevelRounds.h"
#include "Execution/HostDevice.h"
#include "Noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

using namespace isochrone;
using namespace isochrone::adjoint;

namespace {

struct Edge {
  int used;
  double share;
};
using Graph = std::vector<std::vector<Edge>>; // per point, the points that it uses

struct GraphView {
  const std::vector<Edge>* points;

  template <class F>
  void forUsed(int point, F&& f) const {
    for (const auto& [used, share] : points[point]) f(used, share);
  }
};

struct Passed {
  std::vector<double> mass;
  std::vector<std::int32_t> waiting;
  bool isTooLarge;
};

Passed pass(const Graph& graph, const std::vector<StateWeight>& weights, int threads = 1, int bits = massBits,
            std::int64_t maximum = maximumMass) {
  execution::HostDevice device(threads);
  const TipMasses tips = massesOf(weights, bits);
  LevelRounds rounds(device, graph.size(), tips);
  EXPECT_TRUE(rounds.run(GraphView{graph.data()}, maximum, {}));
  Passed passed;
  passed.isTooLarge = rounds.isTooLarge();
  for (const std::int64_t mass : rounds.masses()) passed.mass.push_back(double(mass) * tips.unit);
  passed.waiting = rounds.waiting();
  return passed;
}

/// Each point uses three earlier ones, some twice.
Graph randomGraph(int size) {
  Graph graph(static_cast<std::size_t>(size));
  for (int p = 1; p < size; ++p) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t n = 6 * std::uint64_t(p) + 2 * std::uint64_t(k);
      const int back = 1 + int(noise(n) * std::min(p, 30));
      graph[std::size_t(p)].push_back({std::max(0, p - back), noise(n + 1)});
      sum += noise(n + 1);
    }
    for (Edge& e : graph[std::size_t(p)]) e.share /= sum;
  }
  return graph;
}

std::vector<StateWeight> randomTips(int size) {
  std::vector<StateWeight> tips;
  for (int p = 3; p < size; p += 7) tips.push_back({p, float(p), noise(9000 + std::uint64_t(p)) - 0.4});
  return tips;
}

/// The masses in double, in descending order of points that use earlier ones.
struct Sums {
  std::vector<double> mass;
  double all = 0, total = 0; ///< sums of the weights, without and with their signs
};

Sums sumsOf(const Graph& graph, const std::vector<StateWeight>& tips) {
  Sums sums{std::vector<double>(graph.size(), 0)};
  for (const StateWeight& tip : tips) {
    sums.mass[std::size_t(tip.state)] += tip.weight;
    sums.all += std::abs(tip.weight), sums.total += tip.weight;
  }
  for (std::size_t p = graph.size(); p-- > 0;)
    for (const Edge& e : graph[p]) sums.mass[std::size_t(e.used)] += e.share * sums.mass[p];
  return sums;
}

} // namespace

TEST(MassLevels, OfADiamondMeetAgain) {
  const Graph graph{{}, {{0, 1}}, {{0, 1}}, {{1, 0.25}, {2, 0.75}}};
  const Passed passed = pass(graph, {{3, 3, 4}});
  EXPECT_EQ(passed.mass, (std::vector<double>{4, 1, 3, 4}));
  EXPECT_TRUE(passed.waiting.empty());
}

TEST(MassLevels, OfATipOnThePathOfAnotherOneAddUp) {
  const Graph graph{{}, {{0, 1}}, {{1, 1}}, {{0, 1}}};
  const Passed passed = pass(graph, {{2, 2, 1}, {1, 1, -3}});
  EXPECT_EQ(passed.mass, (std::vector<double>{-2, -2, 1, 0})); // nothing comes to point 3
  EXPECT_TRUE(passed.waiting.empty());
}

TEST(MassLevels, WaitAtPointsThatUseEachOtherAndBehindThem) {
  // 5 -> 4 <-> 3 -> 2 -> 0; 5 -> 1 -> 0
  const Graph graph{{}, {{0, 1}}, {{0, 1}}, {{4, 0.5}, {2, 0.5}}, {{3, 1}}, {{4, 0.5}, {1, 0.5}}};
  const Passed passed = pass(graph, {{5, 5, 8}, {2, 2, 1}});
  EXPECT_EQ(passed.mass, (std::vector<double>{4, 4, 1, 0, 4, 8}));
  EXPECT_EQ(passed.waiting, (std::vector<std::int32_t>{0, 2, 3, 4}));
  EXPECT_EQ(pass({{{0, 1}}}, {{0, 0, 2}}).waiting, (std::vector<std::int32_t>{0})); // uses itself
}

TEST(MassLevels, AreThoseOfSumsInDouble) {
  constexpr int size = 20000;
  const Graph graph = randomGraph(size);
  const std::vector<StateWeight> tips = randomTips(size);
  const auto [expected, all, total] = sumsOf(graph, tips);
  const Passed passed = pass(graph, tips);
  EXPECT_TRUE(passed.waiting.empty());
  for (std::size_t p = 0; p < size; ++p) ASSERT_NEAR(passed.mass[p], expected[p], 1e-14 * all) << p;
  EXPECT_NEAR(passed.mass[0], total, 1e-16 * all * double(tips.size())); // nothing is lost
}

TEST(MassLevels, HaveTheSameBitsForAnyNumberOfThreads) {
  constexpr int size = 20000;
  Graph graph = randomGraph(size);
  graph[500].push_back({520, 0}); // points that use each other, and many behind them
  const std::vector<StateWeight> tips = randomTips(size);
  const Passed one = pass(graph, tips, 1);
  EXPECT_FALSE(one.waiting.empty());
  for (const int threads : {2, 3, 7}) {
    const Passed more = pass(graph, tips, threads);
    EXPECT_EQ(one.mass, more.mass);
    EXPECT_EQ(one.waiting, more.waiting);
  }
}

TEST(MassLevels, MayHaveNegativeShares) {
  const Graph two{{}, {}, {{0, 1.5}, {1, -0.5}}, {{2, 2}, {1, -1}}};
  const Passed few = pass(two, {{3, 3, 4}}, 1, signedMassBits, maximumSignedMass);
  EXPECT_EQ(few.mass, (std::vector<double>{12, -8, 8, 4}));

  constexpr int size = 2000;
  Graph graph(size);
  for (int p = 2; p < size; ++p) // as differences over three points: perturbations fade
    graph[std::size_t(p)] = {{p - 1, 4. / 3}, {p - 2, -1. / 3}};
  const std::vector<StateWeight> tips = randomTips(size);
  const auto [expected, all, total] = sumsOf(graph, tips);
  const Passed passed = pass(graph, tips, 2, signedMassBits, maximumSignedMass);
  EXPECT_FALSE(passed.isTooLarge);
  for (std::size_t p = 0; p < size; ++p) ASSERT_NEAR(passed.mass[p], expected[p], 1e-13 * all) << p;
  EXPECT_NEAR(passed.mass[0] + passed.mass[1], total, 1e-14 * all);
}

TEST(MassLevels, SayIfTheyGrowTooLarge) {
  for (const double share :
       {3., std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Graph graph(40);
    for (int p = 2; p < 40; ++p) graph[std::size_t(p)] = {{p - 1, share}, {p - 2, 1 - share}};
    EXPECT_TRUE(pass(graph, {{39, 39, 1}}, 1, signedMassBits, maximumSignedMass).isTooLarge) << share;
  }
  const Graph graph{{}, {{0, 1}}};
  EXPECT_FALSE(pass(graph, {{1, 1, 1e300}}).isTooLarge);
}

TEST(MassLevels, StopWhenAsked) {
  const Graph graph = randomGraph(2000);
  const TipMasses tips = massesOf(randomTips(2000));
  execution::HostDevice device(1);
  int late = 0; // reports while masses pass
  for (bool goesOn = false; !goesOn;) {
    int reports = 0;
    const int allowed = late; // each run may report once more than the last one
    LevelRounds rounds(device, graph.size(), tips);
    goesOn = rounds.run(GraphView{graph.data()}, maximumMass,
                        Monitor{[&](double share) { return share <= 0.5 || reports++ < allowed; }});
    late += !goesOn;
  }
  EXPECT_GT(late, 50); // one per level
}

TEST(MassLevels, RefuseWeightsWithoutAFiniteSum) {
  const double most = std::numeric_limits<double>::max();
  EXPECT_THROW(massesOf(std::vector<StateWeight>{{0, 0, most}, {1, 0, -most}}), Error);
}
