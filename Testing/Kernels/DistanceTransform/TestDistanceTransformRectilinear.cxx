// Claims about rectilinear grids: brute force in extended precision, the transform of an image where the
// coordinates are even, symmetry, units, tips, threads and instruction sets, bad input.
#include "DistanceTransformChecks.h"
#include "DistanceTransformGrids.h"
#include "Error.h"

#include <gtest/gtest.h>

using namespace isochrone;
using namespace isochrone::distance;

namespace {

/// Expects distances and sites to be those of all pairs, up to rounding.
void expectAllPairs(const RectilinearCase& c, Region region, double maximumDistance = 0) {
  Options options = optionsFor("double squared site", region);
  options.maximumDistance = maximumDistance;
  const Result result = solve(c.sites, options);
  const std::int64_t count = c.sites.problem.grid.points();
  for (std::int64_t p = 0; p < count; ++p) {
    const bool among = region == Region::Outside || (region != Region::Inside && !c.isSite(p));
    long double nearest = infinite;
    for (std::int64_t q = 0; q < count; ++q)
      if (c.isSite(q) == among) nearest = std::min(nearest, c.square(p, q));
    if (maximumDistance > 0 && nearest > (long double)maximumDistance * maximumDistance) nearest = infinite;
    const auto i = std::size_t(p);
    const double sign = region == Region::Signed && c.isSite(p) ? -1 : 1;
    const std::string where = nameOf(region) + ", point " + std::to_string(p);
    ASSERT_TRUE(near(result.squaredDistance[i], double(nearest), 1e-13)) << where;
    ASSERT_TRUE(near(result.preciseDistance[i], sign * std::sqrt(double(nearest)), 1e-13)) << where;
    const std::int64_t site = result.nearestSite[i];
    ASSERT_EQ(site < 0, std::isinf(nearest)) << where;
    if (site < 0) continue;
    ASSERT_EQ(c.isSite(site), among) << where;
    ASSERT_TRUE(near(double(c.square(p, site)), double(nearest), 1e-13)) << where;
  }
}

const std::vector<Grid>& smallGrids() {
  static const std::vector<Grid> all{Grid{200, 1, 1}, Grid{1, 1, 90}, Grid{37, 41, 1}, Grid{1, 30, 33},
                                     Grid{13, 11, 9}, Grid{2, 3, 70}, Grid{1, 1, 1}};
  return all;
}

} // namespace

TEST(DistanceRectilinear, ALineByHand) {
  const RectilinearCase c{makeCase("line", {6, 1, 1}, [](auto i, auto, auto) { return i == 0 || i == 4; }),
                          {{{-1, 0, 2, 4, 5, 9}, {0}, {0}}}};
  const Result result = solve(c.sites, optionsFor("squared site"));
  EXPECT_EQ(std::vector<double>(result.squaredDistance.begin(), result.squaredDistance.end()),
            (std::vector<double>{0, 1, 9, 1, 0, 16}));
  EXPECT_EQ(std::vector<std::int64_t>(result.nearestSite.begin(), result.nearestSite.end()),
            (std::vector<std::int64_t>{0, 0, 0, 4, 4, 4})); // at 2 both are equally near
}

TEST(DistanceRectilinear, AreThoseOfAllPairs) {
  for (const Grid& grid : smallGrids())
    for (const double share : {0.0, 0.01, 0.3, 1.0})
      for (const double least : {1.0, 1e-6})
        for (const Region region : allRegions)
          ASSERT_NO_FATAL_FAILURE(expectAllPairs(
              unevenCase(grid, randomSites(share, std::uint64_t(grid.nx)), least, std::uint64_t(grid.ny)),
              region));
}

TEST(DistanceRectilinear, AreThoseOfAllPairsAroundAShell) { // each point of a line is nearest to some other
  expectAllPairs(unevenCase({40, 44, 1}, shell(20, 22, 0, 15), 0.3), Region::Signed);
  expectAllPairs(unevenCase({16, 15, 14}, shell(8, 7, 7, 5), 0.3), Region::Both);
}

TEST(DistanceRectilinear, BeyondTheMaximumDistanceNothingIsReached) {
  for (const double maximum : {0.4, 2.0, 7.5})
    expectAllPairs(unevenCase({31, 29, 5}, randomSites(0.005)), Region::Outside, maximum);
}

TEST(DistanceRectilinear, EvenCoordinatesGiveTheDistancesOfTheImage) {
  for (const char* name : {"Everything", "EverythingUnequal", "Share01"}) {
    const Case image = makeCase(name);
    Coordinates at;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::int64_t i = 0; i < image.problem.grid.sizes()[a]; ++i)
        at[a].push_back(double(i) * image.problem.grid.spacing()[a]);
    Case sites = makeCase(name);
    sites.problem.grid = {image.problem.grid.nx, image.problem.grid.ny, image.problem.grid.nz};
    const RectilinearCase c{std::move(sites), at};
    for (const Region region : allRegions) {
      const Options options = optionsFor("float squared", region);
      const Result expected = solve(image, options), result = solve(c.sites, options);
      for (std::size_t p = 0; p < expected.distance.size(); ++p) {
        ASSERT_TRUE(near(result.squaredDistance[p], expected.squaredDistance[p], 1e-13)) << name << p;
        ASSERT_TRUE(near(result.distance[p], expected.distance[p], 0x1p-23)) << name << p;
      }
    }
  }
}

TEST(DistanceRectilinear, MirroredAxesAndOtherUnitsGiveTheSameDistances) {
  const Grid grid{31, 17, 12};
  const RectilinearCase c = unevenCase(grid, randomSites(0.02));
  const Options options = optionsFor("squared", Region::Both);
  const Result expected = solve(c.sites, options);
  for (const double unit : {0x1p-320, 0x1p-30, 1024.0, 0x1p320}) {
    Coordinates at;
    for (std::size_t a = 0; a < 3; ++a)
      for (const double x : c.at[a]) at[a].insert(at[a].begin(), -x * unit);
    const Sites isSite = randomSites(0.02);
    const RectilinearCase other{makeCase("mirrored", grid,
                                         [&](std::int64_t i, std::int64_t j, std::int64_t k) {
                                           return isSite(30 - i, 16 - j, 11 - k);
                                         }),
                                at};
    const Result result = solve(other.sites, options);
    const std::size_t last = expected.squaredDistance.size() - 1;
    for (std::size_t p = 0; p <= last; ++p)
      ASSERT_TRUE(near(result.squaredDistance[last - p], expected.squaredDistance[p] * unit * unit, 1e-12))
          << p;
  }
}

TEST(DistanceRectilinear, ThreadsAndInstructionSetsDoNotChangeTheBytes) {
  expectSameBytesEverywhere(unevenCase({150, 70, 20}, randomSites(0.01)).sites);
  expectSameBytesEverywhere(unevenCase({300, 200, 1}, shell(150, 100, 0, 80), 0.5).sites);
}

TEST(DistanceRectilinear, SegmentsLeadToTheNearestOfAllSites) {
  for (const Grid& grid : {Grid{40, 31, 1}, Grid{17, 12, 14}}) {
    const RectilinearCase c = unevenCase(grid, randomSites(0.01, 5), 0.05);
    for (const Region region : {Region::Outside, Region::Both}) {
      const Options options = optionsFor("double", region);
      std::vector<Position> tips;
      for (std::uint64_t t = 0; t < 200; ++t) {
        Position tip{};
        for (int a = 0; a < 3; ++a)
          if (grid.sizes()[a] > 1) tip[a] = noise(3 * t + std::uint64_t(a)) * double(grid.sizes()[a] - 1);
        tips.push_back(tip);
      }
      const std::vector<Segment> segments =
          nearestSites(c.sites.problem, options, solve(c.sites, options), tips);
      for (std::size_t t = 0; t < tips.size(); ++t) {
        ASSERT_EQ(segments[t].status, Segment::Status::Found);
        const std::int64_t end = segments[t].site;
        long double nearest = infinite, toEnd = 0;
        for (std::int64_t q = 0; q < grid.points(); ++q) {
          long double square = 0;
          for (int a = 0; a < 3; ++a) {
            const double place = c.grid->coordinate(a, tips[t][a]);
            const long double d = (long double)place - c.at[std::size_t(a)][std::size_t(grid.indices(q)[a])];
            square += d * d;
          }
          if (q == end) toEnd = square;
          if (c.isSite(q) == c.isSite(end)) nearest = std::min(nearest, square);
        }
        ASSERT_TRUE(near(double(toEnd), double(nearest), 1e-12)) << t;
        ASSERT_TRUE(near(segments[t].distance, std::sqrt(double(nearest)), 1e-12)) << t;
        for (int a = 0; a < 3; ++a) ASSERT_EQ(segments[t].end[a], double(grid.indices(end)[a]));
      }
    }
  }
}

TEST(DistanceRectilinear, AnAbortedSolveHasNoResults) {
  Monitor monitor;
  int calls = 0;
  monitor.progress = [&](double) { return ++calls < 2; };
  const RectilinearCase c = unevenCase({60, 50, 40}, randomSites(0.01));
  const Result result = solveDistanceTransform(c.sites.problem, optionsFor("float site"), monitor);
  EXPECT_TRUE(result.aborted && result.distance.empty() && result.nearestSite.empty());
}

TEST(DistanceRectilinear, BadInputIsRefusedWithTheRemedy) {
  const auto expectRefused = [](const Problem& problem, const char* part) {
    try {
      solveDistanceTransform(problem, optionsFor("float"), {});
      ADD_FAILURE() << "accepted: " << part;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  const RectilinearCase c = unevenCase({12, 9, 1}, randomSites(0.1));
  Problem problem = c.sites.problem;
  problem.periodic = {true, false, false};
  expectRefused(problem, "a rectilinear grid has no periodic axes");
  problem = c.sites.problem;
  problem.sharing.owned = problem.sharing.solved = {problem.box()};
  expectRefused(problem, "a rectilinear grid cannot be divided");
  const surface::Surface surface;
  problem = c.sites.problem;
  problem.surface = &surface;
  expectRefused(problem, "distances to a surface are not possible on a rectilinear grid");
  problem = c.sites.problem;
  problem.grid = {9, 12, 1};
  expectRefused(problem, "a rectilinear grid must have the sizes of the image");
  const grid::OrthogonalGrid sphere({{{1, 2}, {10, 20}, {30, 40}}}, grid::OrthogonalGrid::spherical);
  problem.grid = {2, 2, 2};
  problem.sites = std::span(c.sites.sites).first(8);
  problem.rectilinear = &sphere;
  expectRefused(problem, "distances in a spherical grid are not those of its coordinates");
  const RectilinearCase tiny{makeCase("tiny", {3, 1, 1}, oneSite(1)), {{{0, 1e-200, 1}, {0}, {0}}}};
  expectRefused(tiny.sites.problem, "distances must be between 1e-100 and 1e+100");
  const RectilinearCase far{makeCase("far", {3, 1, 1}, oneSite(1)), {{{0, 1e-20, 1e30}, {0}, {0}}}};
  EXPECT_EQ(solve(far.sites, optionsFor("double")).preciseDistance[2], 1e30);
}
