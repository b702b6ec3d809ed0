// Claims about images with periodic axes: the bytes of the middle of a tiling, brute force, segments that
// leave the image, bad input.
#include "DistanceTransformChecks.h"
#include "DistanceTransformGrids.h"
#include "Error.h"

#include <gtest/gtest.h>

using namespace isochrone;
using namespace isochrone::distance;

namespace {

/// Returns the image repeated three times along its periodic axes.
Case tilingOf(const Case& c) {
  const Grid& g = c.problem.grid;
  GridIndex size = g.sizes();
  for (int a = 0; a < 3; ++a)
    if (c.problem.periodic[a] && size[a] > 1) size[a] *= 3;
  return makeCase(c.name + ", tiled", {size[0], size[1], size[2], g.hx, g.hy, g.hz},
                  [&](std::int64_t i, std::int64_t j, std::int64_t k) {
                    return c.sites[std::size_t(g.index(i % g.nx, j % g.ny, k % g.nz))] != 0;
                  });
}

struct TilingCase {
  const Case tiles;
  GridIndex before{}; ///< points before the middle copy
  const Grid image;

  explicit TilingCase(const Case& c) : tiles(tilingOf(c)), image(c.problem.grid) {
    for (int a = 0; a < 3; ++a)
      if (tiles.problem.grid.sizes()[a] > image.sizes()[a]) before[a] = image.sizes()[a];
  }
  std::int64_t middle(std::int64_t point) const {
    GridIndex at = image.indices(point);
    for (int a = 0; a < 3; ++a) at[a] += before[a];
    return tiles.problem.grid.index(at);
  }
  /// Returns the point of the image that a point of the tiling repeats; -1 of none.
  std::int64_t inImage(std::int64_t point) const {
    if (point < 0) return -1;
    const auto [i, j, k] = tiles.problem.grid.indices(point);
    return image.index(i % image.nx, j % image.ny, k % image.nz);
  }
};

void expectTheMiddleOfTheTiling(const Case& c, const Options& options) {
  const TilingCase tiling(c);
  const Result result = solve(c, options), all = solve(tiling.tiles, options);
  const auto compare = [&](const char* name, const auto& got, const auto& tiled, const auto& mapped) {
    ASSERT_EQ(got.empty(), tiled.empty()) << c.name << ": " << name;
    if (!got.empty())
      expectEach(
          c, nameOf(options.region) + ": " + name, got,
          [&](std::int64_t p) { return mapped(tiled[std::size_t(tiling.middle(p))]); },
          [](auto a, auto b, std::int64_t) { return a == b; });
  };
  const auto same = [](auto value) { return value; };
  compare("distance", result.distance, all.distance, same);
  compare("double distance", result.preciseDistance, all.preciseDistance, same);
  compare("squared distance", result.squaredDistance, all.squaredDistance, same);
  compare("nearest site", result.nearestSite, all.nearestSite,
          [&](std::int64_t site) { return tiling.inImage(site); });
}

} // namespace

TEST(DistancePeriodic, ALineByHand) {
  const Case c = withAxes(makeCase("six", {6, 1, 1}, oneSite(1)), {true, true, true});
  const Result result = solve(c, optionsFor("squared site"));
  EXPECT_EQ(std::vector<double>(result.squaredDistance.begin(), result.squaredDistance.end()),
            (std::vector<double>{1, 0, 1, 4, 9, 4}));
  EXPECT_EQ(std::vector<std::int64_t>(result.nearestSite.begin(), result.nearestSite.end()),
            std::vector<std::int64_t>(6, 1));
}

class DistancePeriodicImages : public testing::TestWithParam<std::string> {};

TEST_P(DistancePeriodicImages, GiveTheBytesOfTheMiddleOfATiling) {
  const std::vector<Options> requests{optionsFor("float squared site", Region::Outside),
                                      optionsFor("double", Region::Inside),
                                      optionsFor("double squared site", Region::Signed),
                                      optionsFor("float", Region::Both), optionsFor("float")};
  // In turn: the axes meet the requests on some of the images.
  const auto turn = std::size_t(std::ranges::find(caseNames(), GetParam()) - caseNames().begin());
  for (std::size_t t = 0; t < 2; ++t) {
    const Case c = withAxes(makeCase(GetParam()), allAxes()[(turn + 3 * t) % allAxes().size()]);
    expectTheMiddleOfTheTiling(c, requests[(turn + t) % requests.size()]);
  }
}

INSTANTIATE_TEST_SUITE_P(Images, DistancePeriodicImages, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST(DistancePeriodic, TheNearestSiteIsThatOfBruteForce) {
  for (const Grid& grid : {Grid{13, 10, 1}, Grid{7, 6, 8}, Grid{2, 9, 3}})
    for (const Axes& axes : allAxes())
      for (const double share : {0.02, 0.4, 0.97}) {
        const Case c = withAxes(makeCase("random", grid, randomSites(share)), axes);
        const Result result = solve(c, optionsFor("squared site", Region::Both));
        for (std::int64_t p = 0; p < grid.points(); ++p) {
          double nearest = infinite;
          for (std::int64_t q = 0; q < grid.points(); ++q)
            if (!c.sites[std::size_t(q)] != !c.sites[std::size_t(p)])
              nearest = std::min(nearest, double(squaredSteps(c.problem, p, q)));
          ASSERT_EQ(result.squaredDistance[std::size_t(p)], nearest) << p;
          const std::int64_t site = result.nearestSite[std::size_t(p)];
          ASSERT_EQ(site < 0, std::isinf(nearest));
          if (site >= 0) ASSERT_EQ(double(squaredSteps(c.problem, p, site)), nearest) << p;
        }
      }
}

TEST(DistancePeriodic, ThreadsAndInstructionSetsDoNotChangeTheBytes) {
  for (const char* name : {"Everything", "EverythingUnequal", "Share01"})
    expectSameBytesEverywhere(withAxes(makeCase(name), {true, true, true}));
}

TEST(DistancePeriodic, AMaximumDistanceLeavesTheRestUnreached) {
  Options options = optionsFor("float site");
  options.maximumDistance = 6.5;
  for (const Axes& axes : allAxes())
    expectTheMiddleOfTheTiling(withAxes(makeCase("random", {31, 29, 27}, randomSites(0.001)), axes), options);
}

TEST(DistancePeriodic, LongLinesNeedDoubles) { // 3 * 9000 squared exceeds 2^29
  expectTheMiddleOfTheTiling(
      withAxes(makeCase("long", {9000, 2, 1}, randomSites(0.0003)), {true, true, true}),
      optionsFor("float squared site"));
}

TEST(DistancePeriodic, SegmentsAreThoseOfTheTiling) {
  for (const Grid& grid : {Grid{40, 31, 1}, Grid{17, 12, 14}})
    for (const Axes& axes : allAxes()) {
      const Case c = withAxes(makeCase("random", grid, randomSites(0.004, 7)), axes);
      const TilingCase tiling(c);
      const Options options = optionsFor("double", Region::Both);
      std::vector<Position> tips, moved;
      for (std::uint64_t t = 0; t < 200; ++t) {
        Position tip{}, inTiling{};
        for (int a = 0; a < 3; ++a) { // eighths of a step, which are exact
          tip[a] = std::floor(8 * noise(3 * t + std::uint64_t(a)) * double(grid.sizes()[a])) / 8 - 0.5;
          inTiling[a] = tip[a] + double(tiling.before[a]);
        }
        tips.push_back(tip), moved.push_back(inTiling);
      }
      const std::vector<Segment> segments = nearestSites(c.problem, options, solve(c, options), tips),
                                 expected = nearestSites(tiling.tiles.problem, options,
                                                         solve(tiling.tiles, options), moved);
      std::vector<Position> beyond = tips; // by whole periods
      for (Position& tip : beyond)
        for (int a = 0; a < 3; ++a)
          if (axes[a]) tip[a] += double((a - 3) * grid.sizes()[a]);
      const std::vector<Segment> again = nearestSites(c.problem, options, solve(c, options), beyond);
      for (std::size_t t = 0; t < tips.size(); ++t) {
        ASSERT_EQ(segments[t].status, Segment::Status::Found);
        ASSERT_EQ(segments[t].distance, expected[t].distance) << t;
        ASSERT_EQ(segments[t].site, tiling.inImage(expected[t].site)) << t;
        double squared = 0;
        for (int a = 0; a < 3; ++a) {
          ASSERT_EQ(segments[t].end[a] + double(tiling.before[a]), expected[t].end[a]) << t;
          if (grid.sizes()[a] > 1) squared += std::pow(segments[t].end[a] - tips[t][a], 2);
          if (grid.sizes()[a] > 1) ASSERT_EQ(again[t].end[a] - beyond[t][a], segments[t].end[a] - tips[t][a]);
        }
        ASSERT_NEAR(std::sqrt(squared), segments[t].distance, 1e-12);
        ASSERT_EQ(again[t].site, segments[t].site);
      }
    }
}

TEST(DistancePeriodic, TipsBeyondTheOtherAxesAreOutside) {
  const Case c = withAxes(makeCase("random", {12, 9, 1}, randomSites(0.1)), {true, false, false});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Position> tips{{100, 3, 0},      {3, 100, 0},       {nan, 3, 0},
                                   {infinite, 3, 0}, {-infinite, 3, 0}, {1e10, 3, 0}};
  const Options options = optionsFor("float");
  const std::vector<Segment> segments = nearestSites(c.problem, options, solve(c, options), tips);
  EXPECT_EQ(segments[0].status, Segment::Status::Found);
  for (std::size_t t = 1; t < tips.size(); ++t) EXPECT_EQ(segments[t].status, Segment::Status::Outside) << t;
}

TEST(DistancePeriodic, AnAbortedSolveHasNoResults) {
  const Case c = withAxes(makeCase("Everything"), {true, true, true});
  Monitor monitor;
  int calls = 0;
  monitor.progress = [&](double) { return ++calls < 2; };
  const Result result = solveDistanceTransform(c.problem, optionsFor("float site"), monitor);
  EXPECT_TRUE(result.aborted);
  EXPECT_TRUE(result.distance.empty() && result.nearestSite.empty());
}

TEST(DistancePeriodic, BadInputIsRefusedWithTheRemedy) {
  const auto messageOf = [](const Problem& problem) {
    try {
      solveDistanceTransform(problem, optionsFor("float"), {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto expectMessage = [](const std::string& message, const char* part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  const Case c = withAxes(makeCase("random", {12, 9, 1}, randomSites(0.1)), {true, false, true});
  Problem shared = c.problem;
  shared.sharing.owned = shared.sharing.solved = {shared.box()};
  expectMessage(messageOf(shared), "an image with periodic axes cannot be divided");
  surface::Surface surface;
  Problem toSurface = c.problem;
  toSurface.surface = &surface;
  expectMessage(messageOf(toSurface), "distances to a surface are not possible with periodic axes");
  Problem longer = c.problem;
  longer.grid = {6000000, 2, 1};
  const std::vector<std::uint8_t> sites(12000000);
  longer.sites = sites;
  expectMessage(messageOf(longer), "a periodic axis may have at most 5592405 points, got 6000000 along x");
  longer.periodic = {false, true, false};
  EXPECT_EQ(messageOf(longer), "accepted");
}
