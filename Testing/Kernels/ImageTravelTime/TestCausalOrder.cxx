// Claims about the order in which points are visited.
#include "ImageTravelTime/Host/CausalOrder.h"
#include "ImageTravelTimeCases.h"

#include <gtest/gtest.h>

#include <atomic>

using namespace isochrone;
using namespace isochrone::image;

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

/// Visits all points; expects each finite one once, after the points that it depends on.
void expectCausal(const Grid& grid, const std::vector<float>& times, int threads) {
  CausalOrder order(grid, times);
  std::vector<std::atomic<int>> visits(times.size());
  std::atomic<int> tooEarly = 0;
  execution::RoundPool pool(threads);
  order.run(pool, {}, [&](std::int64_t p) {
    for (int axis = 0; axis < 3; ++axis) {
      const UpstreamNeighbour up = order.upstream(p, axis, grid.indices(p)[axis]);
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
