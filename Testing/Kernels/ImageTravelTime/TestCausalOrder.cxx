// Claims about the order in which points are visited, forth and back.
#include "Error.h"
#include "ImageTravelTime/Host/CausalOrder.h"
#include "ImageTravelTime/Sensitivity/OrderedPass.h"
#include "ImageTravelTimeCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

using namespace isochrone;
using namespace isochrone::image;

namespace {

/// Visits all points; expects each finite one once, after the points that it depends on.
void expectCausal(const Grid& grid, const std::vector<float>& times, int threads) {
  CausalOrder order(grid, times);
  const UpstreamNeighbours upstream(grid, times.data());
  std::vector<std::atomic<int>> visits(times.size());
  std::atomic<int> tooEarly = 0;
  execution::RoundPool pool(threads);
  order.run(pool, {}, [&](std::int64_t p) {
    for (int axis = 0; axis < 3; ++axis) {
      const UpstreamNeighbour up = upstream(p, axis, grid.indices(p)[axis]);
      for (const std::int64_t q : {up.near, up.far})
        if (q >= 0 && std::isfinite(times[q]) && visits[q] != 1) ++tooEarly;
    }
    ++visits[p];
  });
  EXPECT_EQ(tooEarly, 0);
  for (std::size_t p = 0; p < times.size(); ++p) ASSERT_EQ(visits[p], std::isfinite(times[p]) ? 1 : 0) << p;
}

} // namespace

TEST(CausalOrder, VisitsEachPointOnceAfterItsPredecessors) {
  for (const Grid& grid : {Grid{23, 19, 11, 1, 1, 1}, Grid{60, 41, 1, 1, 1, 1}, Grid{50, 1, 1, 1, 1, 1}}) {
    std::vector<float> times(grid.points());
    for (std::size_t p = 0; p < times.size(); ++p) times[p] = float(noise(p));
    for (const int threads : {1, 3}) expectCausal(grid, times, threads);
  }
}

TEST(CausalOrder, VisitsFartherPointsFirstWhereTimesDifferByRounding) {
  const Grid grid{40, 30, 5, 1, 1, 1};
  std::vector<float> times(grid.points());
  for (std::size_t p = 0; p < times.size(); ++p)
    times[p] = float(1 + int(4 * noise(p)) + 2.4e-7 * int(4 * noise(p + 1)));
  for (const int threads : {1, 3}) expectCausal(grid, times, threads);
}

TEST(CausalOrder, TerminatesWithTiesGivenValuesAndUnreachedPoints) {
  const Grid grid{30, 30, 4, 1, 1, 1};
  std::vector<float> times(grid.points());
  for (std::size_t p = 0; p < times.size(); ++p) {
    const double r = noise(p);
    times[p] = r < 0.1 ? infinite : r < 0.3 ? -infinite : float(int(5 * r)); // many ties
  }
  for (const int threads : {1, 3}) expectCausal(grid, times, threads);
}

namespace {

/// Random times, and up to 6 earlier points that each point uses, with shares of both signs.
struct Graph {
  struct Used {
    std::int64_t point;
    double share;
  };
  std::vector<float> times;
  std::vector<std::vector<Used>> used;

  explicit Graph(std::size_t points) : times(points), used(points) {
    for (std::size_t p = 0; p < points; ++p) times[p] = float(noise(p) - 0.5);
    for (std::size_t p = 0; p < points; ++p)
      for (std::uint64_t n = 0; n < 6 && times[p] >= -0.4f; ++n) {
        const auto q = std::size_t(noise(p * 31 + n) * double(points));
        if (times[q] < times[p]) used[p].push_back({std::int64_t(q), noise(p * 37 + n) - 0.4});
      }
  }
  template <class F>
  void forUsed(std::int64_t point, const F& f) const {
    for (const Used& u : used[std::size_t(point)]) f(u.point, u.share);
  }
};

/// Returns the masses that pass each point, per lane.
template <int lanes>
std::vector<std::vector<double>> pass(const Graph& graph,
                                      std::span<const typename OrderedPass<lanes>::Tip> tips) {
  execution::RoundPool pool(1);
  const TimeRanks ranks(graph.times, pool);
  OrderedPass<lanes> pass(ranks);
  std::vector<std::vector<double>> passed(lanes, std::vector<double>(graph.times.size(), 0));
  float last = infinite;
  EXPECT_TRUE(pass.run(tips, graph,
                       [&](std::int64_t p, const std::array<double, lanes>& mass) {
                         EXPECT_LE(graph.times[p], last);
                         last = graph.times[p];
                         for (int l = 0; l < lanes; ++l) passed[l][p] += mass[l];
                       },
                       {}));
  return passed;
}

} // namespace

TEST(OrderedPass, PassesMassesByHand) {
  Graph g(0);
  g.times = {-infinite, 1, 1, 2, infinite}; // 3 depends on 1 and 2, these on 0; nothing on 4
  g.used = {{}, {{0, 1}}, {}, {{1, 1.5}, {2, -0.5}}, {}};
  const OrderedPass<2>::Tip tips[] = {{3, {2, 0}}, {1, {10, 1}}};
  const std::vector<std::vector<double>> passed = pass<2>(g, tips);
  EXPECT_EQ(passed[0], (std::vector<double>{13, 13, -1, 2, 0}));
  EXPECT_EQ(passed[1], (std::vector<double>{1, 1, 0, 0, 0}));
}

TEST(OrderedPass, EqualsTheSumsOverAllPoints) {
  const Graph g(20000);
  std::vector<OrderedPass<1>::Tip> tips;
  std::vector<double> expected(g.times.size(), 0);
  for (std::int64_t t = 0; t < 4000; ++t) {
    const auto p = std::size_t(noise(std::uint64_t(t) + 7) * 20000);
    tips.push_back({std::int64_t(p), {noise(p + 9) - 0.5}});
    expected[p] += tips.back().mass[0];
  }
  std::vector<std::size_t> order(expected.size());
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
  std::ranges::sort(order, std::greater(), [&](std::size_t p) { return g.times[p]; });
  double largest = 0;
  for (const std::size_t p : order) {
    largest = std::max(largest, std::abs(expected[p]));
    for (const Graph::Used& u : g.used[p]) expected[std::size_t(u.point)] += u.share * expected[p];
  }
  const std::vector<double> one = pass<1>(g, tips)[0];
  for (std::size_t p = 0; p < one.size(); ++p) ASSERT_NEAR(one[p], expected[p], 1e-12 * largest) << p;
}

TEST(OrderedPass, StopsAndRefusesAPointThatDependsOnALaterOne) {
  Graph g(3);
  g.times = {0, 1, 2};
  g.used = {{}, {{2, 1}}, {}};
  const OrderedPass<1>::Tip tips[] = {{1, {1}}};
  EXPECT_THROW(pass<1>(g, tips), Error);
  g.used[1].clear();
  execution::RoundPool pool(1);
  const TimeRanks ranks(g.times, pool);
  OrderedPass<1> pass(ranks);
  const auto slow = [](std::int64_t, const std::array<double, 1>&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(101));
  };
  EXPECT_FALSE(pass.run(tips, g, slow, Monitor{[](double) { return false; }}));
  EXPECT_TRUE(pass.run(tips, g, slow, {}));
}
