// Claims about distance transforms of larger images: long lines, limits of narrow integers, closed forms.
#include "DistanceTransformChecks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <initializer_list>

using namespace isochrone;
using namespace isochrone::distance;

namespace {

/// Returns a grid of `length` points along axis 0, 1 or 2, and `width` along the others of a plane or, for
/// axis 2, a volume.
Grid longGrid(int axis, std::int64_t length, std::int64_t width) {
  if (axis == 0) return {length, width, 1};
  if (axis == 1) return {width, length, 1};
  return {width, 2, length};
}

Case fewSites(const std::string& name, const Grid& grid, const std::vector<double>& places) {
  std::vector<std::int64_t> sites; // sites at these fractions of all points
  for (const double place : places) sites.push_back(std::int64_t(place * double(grid.points() - 1)));
  return makeCase(name, grid, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return std::ranges::find(sites, grid.index(i, j, k)) != sites.end();
  });
}

/// Expects exact distances on lines whose squares or distances exceed an integer type, with a site at either
/// end and with a few sites.
void expectExactLines(std::initializer_list<std::int64_t> lengths, std::int64_t width,
                      std::initializer_list<int> axes = {0, 1, 2}) {
  const struct {
    std::vector<double> places;
    Region region;
    const char* wanted;
  } runs[] = {{{0}, Region::Outside, "float"},
              {{0}, Region::Outside, "double squared site"},
              {{1}, Region::Outside, "float"},
              {{0.03, 0.031, 0.4, 0.77}, Region::Outside, "float"},
              {{0.03, 0.031, 0.4, 0.77}, Region::Signed, "double squared site"}};
  for (const std::int64_t length : lengths)
    for (const int axis : axes)
      for (const auto& [places, region, wanted] : runs) {
        const std::string name = std::to_string(places.size()) + " sites from " + std::to_string(places[0]);
        const Case c = fewSites(name, longGrid(axis, length, width), places);
        const reference::Nearest nearest = reference::compareAllPairs(c.problem, region);
        const Options options = optionsFor(wanted, region);
        expectResult(c, options, solve(c, options), nearest, nameOf(region) + ", outputs " + wanted);
      }
}

/// Expects the squared distance in steps to equal the closed form at every point.
template <class ClosedForm>
void expectClosedForm(const Case& c, const ClosedForm& squaredSteps) {
  const Grid& g = c.problem.grid;
  for (const char* wanted : {"float", "double squared site"}) {
    const Options options = optionsFor(wanted);
    const Result result = solve(c, options);
    const auto distance = [&](std::int64_t p) {
      return std::sqrt(double(squaredSteps(p % g.nx, p / g.nx % g.ny, p / (g.nx * g.ny)))) * g.hx;
    };
    const auto agree = [](auto a, double b, std::int64_t) { return a == decltype(a)(b); };
    if (!options.doublePrecision) expectEach(c, wanted, result.distance, distance, agree);
    if (options.doublePrecision) expectEach(c, wanted, result.preciseDistance, distance, agree);
  }
}

/// Returns the distance of x from the interval from...to.
std::int64_t beyond(std::int64_t x, std::int64_t from, std::int64_t to) {
  return std::max<std::int64_t>({0, from - x, x - to});
}

/// Returns images whose lines are shared by many threads and vectors.
const std::vector<Case>& largeCases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> all;
    all.push_back(makeCase("LargePlane", {701, 509, 1}, randomSites(0.01)));
    all.push_back(makeCase("LargeSparse", {509, 701, 1}, randomSites(0.0001)));
    all.push_back(makeCase("LargeShell", {601, 600, 1}, shell(300, 280, 0, 200)));
    all.push_back(makeCase("LargeVolume", {71, 67, 61}, randomSites(0.01)));
    all.push_back(makeCase("LargeVolumeShell", {64, 70, 66}, shell(31, 33, 35, 27)));
    all.push_back(makeCase("LargeUnequal", {301, 259, 1, 0.7, 1.9, 1}, randomSites(0.01)));
    all.push_back(makeCase("LargeUnequalVolume", {71, 67, 61, 1.1, 0.6, 3}, randomSites(0.005)));
    return all;
  }();
  return cases;
}

} // namespace

TEST(DistanceTransformLarge, LinesAreExactWhereSquaresExceed31Bits) { expectExactLines({46341, 46342}, 3); }

TEST(DistanceTransformLarge, LinesAreExactWhereDistancesExceed16Bits) {
  expectExactLines({65534, 65535, 65536}, 2);
}

TEST(DistanceTransformLarge,
     SquaresThatExceed16BitsInALaterPassAreExact) { // 181^2 does not, 181^2 + 3^2 does
  for (const std::int64_t nx : {178, 180, 181, 182, 183})
    for (const auto& [ny, nz] : {std::pair{51, 1}, {20, 30}, {2, 51}, {1, 30}, {51, 51}})
      for (const char* wanted : {"squared", "float site"})
        for (const Region region : {Region::Outside, Region::Signed}) {
          const Case c = makeCase("Corner", {nx, ny, nz}, oneSite(0));
          const Result result = solve(c, optionsFor(wanted, region));
          const auto expected = [&](std::int64_t p) {
            const auto [i, j, k] = c.problem.grid.indices(p);
            return p == 0 && region == Region::Signed ? 1 : double(i * i + j * j + k * k);
          };
          const auto equal = [](auto a, double b, std::int64_t) { return double(a) == b; };
          if (!result.squaredDistance.empty())
            expectEach(c, "squared", result.squaredDistance, expected, equal);
          else
            expectEach(
                c, "nearest site", result.nearestSite,
                [&](std::int64_t p) { return p == 0 && region == Region::Signed ? 1. : 0.; }, equal);
        }
}

TEST(DistanceTransformLarge, LinesAreExactAtTheLimitsOfNarrowIntegers) {
  expectExactLines({16384, 16385, 23170, 23171, 32768, 40000}, 3);
}

TEST(DistanceTransformLarge, VeryLongLinesAreExact) { expectExactLines({200000}, 2, {0, 1}); }

TEST(DistanceTransformLarge, LinesOfWidthOneAreExact) {
  for (const Grid& grid : {Grid{200000, 1, 1}, {1, 200000, 1}, {1, 1, 200000}}) {
    const Case c = fewSites("line", grid, {0.2, 0.9});
    const reference::Nearest nearest = reference::compareAllPairs(c.problem, Region::Outside);
    for (const std::string& wanted : requests())
      expectResult(c, optionsFor(wanted), solve(c, optionsFor(wanted)), nearest, wanted);
  }
}

TEST(DistanceTransformLarge, ACornerOfALongPlaneIsExactBeyondIntegersOfFloat) {
  for (const Grid& grid : {Grid{8192, 64, 1}, {64, 8192, 1}, {8192, 3, 1, 0.1, 0.1, 0.1}})
    expectClosedForm(makeCase("corner", grid, oneSite(0)),
                     [](auto x, auto y, auto) { return x * x + y * y; });
}

TEST(DistanceTransformLarge, ABoxAgreesWithItsClosedForm) {
  const Case plane = makeCase("plane", {700, 500, 1}, [](auto i, auto j, auto) {
    return !beyond(i, 200, 330) && !beyond(j, 90, 95);
  });
  expectClosedForm(plane, [](auto x, auto y, auto) {
    const std::int64_t dx = beyond(x, 200, 330), dy = beyond(y, 90, 95);
    return dx * dx + dy * dy;
  });
  const Case volume = makeCase("volume", {80, 70, 90, 0.3, 0.3, 0.3}, [](auto i, auto j, auto k) {
    return !beyond(i, 20, 33) && !beyond(j, 60, 69) && !beyond(k, 40, 40);
  });
  expectClosedForm(volume, [](auto x, auto y, auto z) {
    const std::int64_t dx = beyond(x, 20, 33), dy = beyond(y, 60, 69), dz = beyond(z, 40, 40);
    return dx * dx + dy * dy + dz * dz;
  });
}

TEST(DistanceTransformLarge, AWallHasTheDistanceAlongOneAxis) {
  for (const int axis : {0, 1, 2}) {
    const auto along = [=](auto i, auto j, auto k) { return axis == 0 ? i : axis == 1 ? j : k; };
    const Case c =
        makeCase("wall", {66, 70, 65}, [&](auto i, auto j, auto k) { return along(i, j, k) == 21; });
    expectClosedForm(c,
                     [&](auto i, auto j, auto k) { return (along(i, j, k) - 21) * (along(i, j, k) - 21); });
  }
}

TEST(DistanceTransformLarge, ALatticeIsPeriodic) {
  constexpr std::int64_t period = 96;
  const Case c = makeCase("lattice", {5 * period, 4 * period + 1, 1}, lattice(period));
  const Grid& g = c.problem.grid;
  const auto toNearest = [](std::int64_t x, std::int64_t last) {
    const std::int64_t before = x % period, after = period - before;
    return x - before + period > last ? before : std::min(before, after);
  };
  expectClosedForm(c, [&](auto x, auto y, auto) {
    const std::int64_t dx = toNearest(x, g.nx - 1), dy = toNearest(y, g.ny - 1);
    return dx * dx + dy * dy;
  });
}

/// The sites of a ball lie inside its surface by at most a diagonal.
TEST(DistanceTransformLarge, ABallReducesDistancesByItsRadius) {
  const Case c = makeCase("ball", {101, 101, 101}, ball(50, 50, 50, 30.5));
  const Result result = solve(c, optionsFor("double"));
  for (std::int64_t p = 0; p < c.problem.grid.points(); ++p) {
    const double r = std::hypot(double(p % 101) - 50, double(p / 101 % 101) - 50, double(p / 10201) - 50);
    if (c.sites[p])
      ASSERT_EQ(result.preciseDistance[p], 0) << p;
    else
      ASSERT_TRUE(result.preciseDistance[p] >= r - 30.5 &&
                  result.preciseDistance[p] <= r - 30.5 + std::sqrt(3))
          << p << ": " << result.preciseDistance[p] << " at " << r << " from the centre";
  }
}

TEST(DistanceTransformLarge, IsZeroOnlyAtSitesAndChangesByAtMostAStep) {
  for (const Case& c : largeCases()) {
    const Grid& g = c.problem.grid;
    const Values<double> d = solve(c, optionsFor("double")).preciseDistance;
    std::int64_t wrong = 0;
    for (std::int64_t p = 0; p < g.points(); ++p) {
      ASSERT_EQ(d[p] == 0, c.sites[p] != 0) << c.name << " at " << p;
      const std::int64_t i = p % g.nx, j = p / g.nx % g.ny, k = p / (g.nx * g.ny);
      for (const auto& [di, dj, dk] : {std::array{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 1, 1}}) {
        if (i + di >= g.nx || j + dj >= g.ny || k + dk >= g.nz) continue;
        const double step = std::hypot(di * g.hx, dj * g.hy, dk * g.hz);
        wrong += std::abs(d[g.index(i + di, j + dj, k + dk)] - d[p]) > step * (1 + 1e-12);
      }
    }
    EXPECT_EQ(wrong, 0) << c.name;
  }
}

TEST(DistanceTransformLarge, HasTheSameBytesForAnyThreadsAndInstructionSet) {
  for (const Case& c : largeCases()) expectSameBytesEverywhere(c);
}

TEST(DistanceTransformLarge, FloatIsDoubleRounded) {
  for (const Case& c : largeCases()) {
    const Values<double> precise = solve(c, optionsFor("double", Region::Signed)).preciseDistance;
    expectEach(
        c, "distance", solve(c, optionsFor("float", Region::Signed)).distance,
        [&](std::int64_t p) { return precise[p]; },
        [](float a, double b, std::int64_t) { return a == float(b); });
  }
}

/// The nearest site of a point is at its distance, and of the other kind.
TEST(DistanceTransformLarge, NearestSitesAreAtTheDistance) {
  for (const Case& c : largeCases())
    for (const Region region : {Region::Outside, Region::Both}) {
      const Result result = solve(c, optionsFor("double squared site", region));
      std::int64_t wrong = 0;
      for (std::int64_t p = 0; p < c.problem.grid.points(); ++p) {
        const std::int64_t q = result.nearestSite[p];
        ASSERT_TRUE(q >= 0 && q < c.problem.grid.points()) << c.name << " at " << p;
        const bool kind = region == Region::Outside ? c.sites[q] != 0 : !c.sites[q] != !c.sites[p];
        const double squared = double(reference::squaredDistance(c.problem.grid, p, q));
        wrong += !kind || !near(result.squaredDistance[p], squared, 1e-14);
      }
      EXPECT_EQ(wrong, 0) << c.name << ", " << nameOf(region);
    }
}
