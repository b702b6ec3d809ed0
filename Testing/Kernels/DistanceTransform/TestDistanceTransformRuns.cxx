// Claims about runs and refusals of the distance transform: regions by hand, limits, progress, bad input.
#include "DistanceTransformChecks.h"
#include "Error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

using namespace isochrone;
using namespace isochrone::distance;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Expects an Error whose message contains all of `words`.
void expectError(const Problem& problem, const Options& options, std::initializer_list<const char*> words) {
  try {
    solveDistanceTransform(problem, options, {});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    for (const char* word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in: " << error.what();
  }
}

/// Returns six points on a line with sites at 1, 2 and 5.
Case six(double spacing = 1) {
  return makeCase("six", {6, 1, 1, spacing, 1, 1},
                  [](std::int64_t i, std::int64_t, std::int64_t) { return i == 1 || i == 2 || i == 5; });
}

Case randomPlane() { return makeCase("random", {61, 59, 1}, randomSites(0.01)); }

template <class T>
std::vector<T> plain(const Values<T>& values) {
  return {values.begin(), values.end()};
}

} // namespace

TEST(DistanceTransformRuns, RegionsSelectPointsAndTargets) {
  const Case c = six();
  const auto distance = [&](Region region) {
    return plain(solve(c, optionsFor("double", region)).preciseDistance);
  };
  EXPECT_EQ(distance(Region::Outside), (std::vector<double>{1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(distance(Region::Inside), (std::vector<double>{0, 1, 1, 0, 0, 1}));
  EXPECT_EQ(distance(Region::Both), (std::vector<double>{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(distance(Region::Signed), (std::vector<double>{1, -1, -1, 1, 1, -1}));
}

TEST(DistanceTransformRuns, TheNearestSiteIsThePointItselfOrOfTheOtherKind) {
  const Case c = six();
  const auto site = [&](Region region) { return plain(solve(c, optionsFor("site", region)).nearestSite); };
  EXPECT_EQ(site(Region::Outside), (std::vector<std::int64_t>{1, 1, 2, 2, 5, 5}));
  EXPECT_EQ(site(Region::Inside), (std::vector<std::int64_t>{0, 0, 3, 3, 4, 4}));
  EXPECT_EQ(site(Region::Both), (std::vector<std::int64_t>{1, 0, 3, 2, 5, 4}));
  EXPECT_EQ(site(Region::Signed), site(Region::Both));
}

TEST(DistanceTransformRuns, OfEquallyNearSitesTheLowestIndexIsChosen) {
  const Case c = makeCase("ring", {5, 5, 5}, [](std::int64_t i, std::int64_t j, std::int64_t k) {
    return std::abs(i - 2) + std::abs(j - 2) + std::abs(k - 2) == 2 && (i == 2 || j == 2 || k == 2) &&
           (i == 0 || j == 0 || k == 0 || i == 4 || j == 4 || k == 4);
  });
  EXPECT_EQ(std::ranges::count_if(c.sites, [](auto s) { return s != 0; }), 6); // two steps along each axis
  const Result result = solve(c, optionsFor("squared site"));
  const std::int64_t centre = c.problem.grid.index(2, 2, 2);
  EXPECT_EQ(result.squaredDistance[centre], 4);
  EXPECT_EQ(result.nearestSite[centre], c.problem.grid.index(2, 2, 0));
}

TEST(DistanceTransformRuns, SpacingsScaleDistances) {
  const Case c = six(0.25);
  const Result result = solve(c, optionsFor("double squared"));
  EXPECT_EQ(plain(result.preciseDistance), (std::vector<double>{0.25, 0, 0, 0.25, 0.25, 0}));
  EXPECT_EQ(plain(result.squaredDistance), (std::vector<double>{0.0625, 0, 0, 0.0625, 0.0625, 0}));
}

TEST(DistanceTransformRuns, DistancesWithoutTargetsAreInfinite) {
  const Case none = makeCase("none", {70, 40, 1}, noSite), all = makeCase("all", {70, 40, 1}, everySite);
  const auto isAll = [](const auto& values, auto value) {
    return std::ranges::all_of(values, [=](auto v) { return v == value; });
  };
  const auto solved = [](const Case& c, Region region) {
    return solve(c, optionsFor("float squared site", region));
  };
  EXPECT_TRUE(isAll(solved(none, Region::Outside).distance, infinite));
  EXPECT_TRUE(isAll(solved(none, Region::Outside).squaredDistance, infinite));
  EXPECT_TRUE(isAll(solved(none, Region::Outside).nearestSite, -1));
  EXPECT_TRUE(isAll(solved(none, Region::Inside).distance, 0));
  EXPECT_TRUE(isAll(solved(none, Region::Signed).distance, infinite));
  EXPECT_TRUE(isAll(solved(all, Region::Outside).distance, 0));
  EXPECT_TRUE(isAll(solved(all, Region::Inside).distance, infinite));
  EXPECT_TRUE(isAll(solved(all, Region::Signed).distance, -infinite));
  EXPECT_TRUE(isAll(solved(all, Region::Signed).squaredDistance, infinite));
  EXPECT_TRUE(isAll(solved(all, Region::Signed).nearestSite, -1));
}

/// sqrt(3) * sqrt(3) is less than 3 in double: a limit on squares would lose those points.
TEST(DistanceTransformRuns, LimitsAreInclusive) {
  for (const double spacing : {1., 0.1, 3e-7}) {
    const Case c = makeCase("corner", {25, 24, 23, spacing, spacing, spacing}, oneSite(0));
    const reference::Nearest nearest = reference::compareAllPairs(c.problem, Region::Outside);
    Options options = optionsFor("double squared site");
    for (const double squared : {1, 2, 3, 5, 6, 10, 11, 12, 19, 27, 75, 243, 507, 1000, 1500}) {
      options.maximumDistance = std::sqrt(squared) * spacing;
      expectResult(c, options, solve(c, options), nearest, "at most the root of " + std::to_string(squared));
    }
  }
}

TEST(DistanceTransformRuns, ALimitBelowOneStepReachesOnlyTheSites) {
  const Case c = randomPlane();
  Options options = optionsFor("float site");
  options.maximumDistance = 1e-300;
  const Result result = solve(c, options);
  for (std::size_t p = 0; p < c.sites.size(); ++p) {
    ASSERT_EQ(result.distance[p], c.sites[p] ? 0 : infinite) << p;
    ASSERT_EQ(result.nearestSite[p], c.sites[p] ? std::int64_t(p) : -1) << p;
  }
}

TEST(DistanceTransformRuns, ALimitBeyondTheImageHasNoEffect) {
  const Case c = randomPlane();
  const Result unlimited = solve(c, optionsFor("double squared site"));
  Options options = optionsFor("double squared site");
  for (const double maximum : {1e3, 1e30, 1e300, infinite}) {
    options.maximumDistance = maximum;
    expectSame(c, "at most " + std::to_string(maximum), solve(c, options), unlimited);
  }
}

TEST(DistanceTransformRuns, ALimitKeepsTheBytesOfNearerPoints) {
  for (const Case& c : {randomPlane(), makeCase("unequal", {61, 59, 31, 0.3, 1, 0.7}, randomSites(0.003))}) {
    Options options = optionsFor("float", Region::Outside);
    const Result full = solve(c, options);
    options.maximumDistance = 5;
    expectEach(
        c, "at most 5", solve(c, options).distance,
        [&](std::int64_t p) { return full.distance[p] <= 5 ? full.distance[p] : float(infinite); },
        [](float a, float b, std::int64_t) { return a == b; });
  }
}

TEST(DistanceTransformRuns, ProgressNeverFallsAndAbortIsHonoured) {
  const Case c = randomPlane();
  double last = 0;
  int calls = 0;
  const Result full = solveDistanceTransform(c.problem, optionsFor("float"), {[&](double share) {
                                               EXPECT_GE(share, last);
                                               EXPECT_LE(share, 1);
                                               last = share, ++calls;
                                               return true;
                                             }});
  EXPECT_EQ(last, 1);
  EXPECT_GE(calls, 2);
  EXPECT_FALSE(full.aborted);
  const Result aborted =
      solveDistanceTransform(c.problem, optionsFor("float"), {[](double) { return false; }});
  EXPECT_TRUE(aborted.aborted);
  EXPECT_TRUE(aborted.distance.empty());
}

TEST(DistanceTransformRuns, AnAbortAtAnyTimeLeavesNothing) {
  for (const Case& c : {makeCase("plane", {701, 509, 1}, randomSites(0.01)),
                        makeCase("volume", {71, 67, 61, 1, 2, 3}, randomSites(0.01))})
    for (const char* wanted : {"float", "double squared site"}) {
      int calls = 0;
      solveDistanceTransform(c.problem, optionsFor(wanted, Region::Signed),
                             {[&](double) { return ++calls > 0; }});
      for (int last = 0; last + 1 < calls; last += 1 + calls / 20) {
        int call = 0; // their number depends on timing: the last call may come when all work is done
        bool asked = false;
        const Result result =
            solveDistanceTransform(c.problem, optionsFor(wanted, Region::Signed),
                                   {[&](double done) { return !(asked |= call++ == last && done < 1); }});
        if (!asked) continue;
        EXPECT_TRUE(result.aborted) << c.name << ", " << wanted << ": stopped in call " << last << " of "
                                    << calls;
        EXPECT_TRUE(result.distance.empty() && result.preciseDistance.empty() &&
                    result.squaredDistance.empty() && result.nearestSite.empty())
            << c.name << ", " << wanted << ": stopped in call " << last << " of " << calls;
      }
    }
}

TEST(DistanceTransformRuns, ReportsTheBackend) {
  const Result result = solve(randomPlane(), optionsFor("float"));
  EXPECT_EQ(result.ranOn.backend, Backend::Host);
  EXPECT_FALSE(result.ranOn.reason.empty());
}

TEST(DistanceTransformRuns, UsesAtMostOneBytePerPointBeyondTheResult) {
  for (const Grid& grid : {Grid{1024, 1024, 1}, {128, 128, 128}}) {
    const Case c = makeCase("random", grid, randomSites(0.01));
    Options options = optionsFor("float");
    options.threads = 2;
    const double bytes = double(solve(c, options).workBytes);
    EXPECT_GT(bytes, 0);
    EXPECT_LE(bytes, double(grid.points())) << grid.nz;
  }
}

TEST(DistanceTransformRuns, LongNarrowImagesNeedNoMemoryForMissingColumns) {
  const Case c = makeCase("narrow", {2, 100000, 1}, randomSites(0.01));
  const Options options = optionsFor("float site");
  EXPECT_LE(double(solve(c, options).workBytes), 600. * double(c.problem.grid.points()));
}

TEST(DistanceTransformBadInput, RefusesDistancesOutOfRange) {
  Case c = makeCase("random", {9, 8, 1}, randomSites(0.1));
  Grid& g = c.problem.grid;
  g.hx = 1e-170, g.hy = 2e-170;
  expectError(c.problem, optionsFor("double"), {"1e-170", "unit of length"});
  g.hx = 1e160, g.hy = 2e160;
  expectError(c.problem, optionsFor("double"), {"1e+160", "unit of length"});
  g.hx = g.hy = 1e39;
  expectError(c.problem, optionsFor("float"), {"double precision"});
  EXPECT_EQ(solve(c, optionsFor("double")).preciseDistance.size(), 72u);
}

TEST(DistanceTransformBadInput, RefusesWrongSizesAndSpacings) {
  Case c = six();
  const Problem good = c.problem;
  c.problem.sites = c.problem.sites.first(4);
  expectError(c.problem, optionsFor("float"), {"sites", "6", "4"});
  c.problem = good;
  for (const double bad : {0., -1., notANumber, infinite}) {
    c.problem.grid.hy = bad;
    expectError(c.problem, optionsFor("float"), {"spacing", "along y"});
  }
  c.problem = good;
  c.problem.grid.nz = 0;
  expectError(c.problem, optionsFor("float"), {"points", "0", "along z"});
  c.problem.grid.nz = -3;
  expectError(c.problem, optionsFor("float"), {"points", "-3", "along z"});
  c.problem.grid = {std::int64_t(1) << 31, 1, 1};
  expectError(c.problem, optionsFor("float"), {"axis", "2147483648", "along x", "coarser"});
}

TEST(DistanceTransformBadInput, RefusesANegativeLimit) {
  Options options = optionsFor("float");
  for (const double bad : {-1., -infinite, notANumber}) {
    options.maximumDistance = bad;
    expectError(six().problem, options, {"maximum distance", "negative"});
  }
}

TEST(DistanceTransformBadInput, RefusesImagesLargerThanMemoryBeforeAnyAllocation) {
  Problem problem;
  problem.grid = {100000, 100000, 1000};
  const std::uint8_t unread = 0; // all memory behind the mask
  problem.sites = {&unread, std::size_t(problem.grid.points())};
  expectError(problem, optionsFor("float"), {"100000 x 100000 x 1000", "memory"});
}
