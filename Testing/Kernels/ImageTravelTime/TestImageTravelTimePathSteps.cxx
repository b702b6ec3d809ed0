// Claims about paths through images: their steps, local minima, and the seeds at which they end.
#include "ImageTravelTimePathCases.h"

#include <algorithm>

using namespace isochrone;
using namespace isochrone::image;

namespace {

/// Returns a case with speeds over many orders of magnitude, walls, seeds anywhere with start values, flat
/// cells, thin images.
Case wildCase(std::uint64_t number) {
  auto draw = [at = number * 1000]() mutable { return noise(++at); };
  const auto pick = [&](std::int64_t maximum) { return 1 + std::int64_t(draw() * double(maximum)); };
  Case c;
  Grid& g = c.problem.grid;
  g = {pick(30), pick(30), draw() < 0.4 ? 1 : pick(12), 1, 1, 1};
  if (draw() < 0.5) g.hy = std::pow(30, draw() - 0.5), g.hz = std::pow(30, draw() - 0.5);
  const double walls = 0.4 * draw(), contrast = draw() < 0.3 ? 0 : std::pow(10, 9 * draw());
  for (std::int64_t n = 0; n < g.points(); ++n) {
    c.barriers.push_back(noise(number + 77 * n) < walls);
    c.speed.push_back(float(std::pow(1 + contrast, noise(number + 1001 * n))));
  }
  c.problem.speed = c.speed, c.problem.barriers = c.barriers;
  for (std::int64_t s = pick(4); s > 0; --s)
    c.problem.seeds.push_back({{(draw() * double(g.nx) - 0.5) * g.hx, (draw() * double(g.ny) - 0.5) * g.hy,
                                (draw() * double(g.nz) - 0.5) * g.hz},
                               draw() - 0.5});
  return c;
}

} // namespace

TEST(ImagePathSteps, AreKnownOnALine) {
  Problem p;
  p.grid = {5, 1, 1, 2, 1, 1};
  p.constantSpeed = 4;
  p.seeds = {{{2, 0, 0}, 7}};
  const Path path = pathsTo(p, {{7, 0, 0}})[0];
  EXPECT_EQ(path.seed, 0);
  EXPECT_EQ(path.x, (std::vector<double>{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(path.y, (std::vector<double>(6, 0.)));
  EXPECT_EQ(path.travelTime, (std::vector<double>{7, 7.25, 7.5, 7.75, 8, 8.25}));
  EXPECT_EQ(path.energy, 1.25);
  EXPECT_EQ(path.length, 5);
}

TEST(ImagePathSteps, AreEquallyManyForAnySpacingRatio) {
  for (const double ratio : {1e-5, 1e-3, 0.2, 1., 7., 1e4, 1e5})
    for (const bool space : {false, true}) {
      Problem p;
      p.grid = {40, 30, space ? 20 : 1, 1, ratio, 1 / ratio};
      p.seeds = {{{4, 5 * ratio, space ? 6 / ratio : 0}, 0}};
      const std::vector<Position> tips{{35, 5 * ratio, space ? 6 / ratio : 0},
                                       {4.2, 27 * ratio, space ? 6.3 / ratio : 0},
                                       {31.3, 24.6 * ratio, space ? 17.1 / ratio : 0}};
      const std::vector<Path> paths = pathsTo(p, tips);
      for (std::size_t t = 0; t < tips.size(); ++t) {
        SCOPED_TRACE("ratio " + std::to_string(ratio) + " tip " + std::to_string(t));
        expectStartsAtSeed(paths[t], p);
        EXPECT_LE(paths[t].size(), 2 * 16 * 58u); // at most 58 cells are between; no path is exactly straight
        const double far = away(tips[t], p.seeds[0].at);
        EXPECT_LE(paths[t].length, 1.1 * far);
        EXPECT_LE(paths[t].energy, 1.1 * far);
      }
    }
}

TEST(ImagePathSteps, LeadStraightToASeedInTheSameCell) {
  Case c = speedCase(cube(4), {1.2, 1.4, 1.6}, [](const Position&) { return 1; });
  for (const Position& tip : {Position{1.2, 1.4, 1.6}, Position{1.7, 1.4, 1.6}, Position{1.2, 1.7, 1.9}}) {
    const Path path = pathsTo(c.problem, {tip})[0];
    expectSound(path, c.problem, tip);
    expectStartsAtSeed(path, c.problem);
    EXPECT_EQ(path.size(), 2u);
    EXPECT_NEAR(path.energy, away(tip, {1.2, 1.4, 1.6}), 1e-12);
  }
}

TEST(ImagePathSteps, CrossPlateausOfSinglePrecision) {
  // Behind a slow wall the times differ by less than a unit in the last place.
  const Grid g{40, 30, 1, 1, 1, 1};
  const Case c = speedCase(g, {1, 15, 0}, [](const Position& at) { return at[0] == 10 ? 1e-8 : 1.; });
  const Values<float> u = travelTimeOf(c.problem);
  ASSERT_EQ(u[g.index(20, 3, 0)], u[g.index(30, 27, 0)]);
  const std::vector<Position> tips{{30, 27, 0}, {20.3, 3.3, 0}, {39, 0, 0}};
  const std::vector<Path> paths = extractPaths(c.problem, u, tips, 0);
  for (std::size_t t = 0; t < tips.size(); ++t) {
    expectSound(paths[t], c.problem, tips[t]);
    expectStartsAtSeed(paths[t], c.problem);
  }
}

TEST(ImagePathSteps, AreValidOnExtremeImages) {
  int complete = 0;
  for (std::uint64_t number = 0; number < 100; ++number) {
    SCOPED_TRACE("image " + std::to_string(number));
    const Case c = wildCase(number);
    const bool usable = std::any_of(c.problem.seeds.begin(), c.problem.seeds.end(), [&](const Seed& seed) {
      return place(c.problem, seed.at).status == Placement::Status::Inside;
    });
    if (!usable) continue;
    const Grid& g = c.problem.grid;
    const Values<float> u = travelTimeOf(c.problem);
    const std::vector<Position> tips = randomTips(g, 20, number);
    const std::vector<Path> paths = extractPaths(c.problem, u, tips, 1);
    for (std::size_t t = 0; t < tips.size(); ++t) {
      const Placement at = place(c.problem, tips[t]);
      if (at.status != Placement::Status::Inside || std::isinf(u[at.point])) continue;
      expectSound(paths[t], c.problem, tips[t]);
      expectStartsAtSeed(paths[t], c.problem);
      EXPECT_LE(paths[t].length, 5 * (double(g.nx) * g.hx + double(g.ny) * g.hy + double(g.nz) * g.hz));
      ++complete;
    }
    if (HasFailure()) return;
  }
  EXPECT_GE(complete, 1000);
}

TEST(ImagePathSteps, LeaveLocalMinima) {
  const Case c = speedCase(plane(40), {3.3, 4.2, 0}, [](const Position&) { return 1; });
  Values<float> u = travelTimeOf(c.problem);
  for (const std::int64_t i : {20, 21})
    for (const std::int64_t j : {20, 21}) u[c.problem.grid.index(i, j, 0)] *= 0.8f;
  const std::vector<Position> tips{{20, 20, 0}, {20.6, 20.7, 0}, {23, 23, 0}, {35.1, 36.3, 0}};
  const std::vector<Path> paths = extractPaths(c.problem, u, tips, 0);
  for (std::size_t t = 0; t < tips.size(); ++t) {
    expectSound(paths[t], c.problem, tips[t]);
    expectStartsAtSeed(paths[t], c.problem);
    EXPECT_LE(paths[t].energy, 1.2 * away(tips[t], {3.3, 4.2, 0}));
  }
}

TEST(ImagePathSeeds, AreThoseOfTheFirstArrival) {
  for (const char* name : {"SeveralSeeds", "OffGrid", "Regions"}) {
    const Case c = makeCase(name);
    std::vector<Values<float>> alone;
    for (std::size_t s = 0; s < c.problem.seeds.size(); ++s) {
      Case one = makeCase(name);
      for (std::size_t other = 0; other < c.problem.seeds.size(); ++other)
        if (other != s) one.problem.seeds[other].at[2] = -100;
      for (std::int32_t& region : one.regions)
        if (region != std::int32_t(s)) region = -1;
      const Placement at = place(one.problem, one.problem.seeds[s].at);
      const bool inRegion = std::count(one.regions.begin(), one.regions.end(), std::int32_t(s)) > 0;
      alone.emplace_back(c.problem.grid.points(), std::numeric_limits<float>::infinity());
      if (at.status == Placement::Status::Inside || inRegion) alone.back() = travelTimeOf(one.problem);
    }
    const std::vector<Position> tips = randomTips(c.problem.grid, 300);
    const std::vector<Path> paths = pathsTo(c.problem, tips);
    std::vector<int> used(c.problem.seeds.size(), 0);
    int second = 0;
    for (std::size_t t = 3; t < tips.size(); t += 4) { // tips on a point
      const std::int64_t point = place(c.problem, tips[t]).point;
      float first = std::numeric_limits<float>::infinity();
      for (const auto& u : alone) first = std::min(first, u[point]);
      const float own = alone[paths[t].seed][point];
      EXPECT_LE(own, first + 0.05f * std::abs(first)) << name << " tip " << t;
      second += own > first;
      used[paths[t].seed] += 1;
    }
    EXPECT_LE(second, 5) << name; // where both arrive at nearly the same time
    EXPECT_GT(used[0], 3) << name;
    EXPECT_GT(used[1], 3) << name;
    if (name == std::string("SeveralSeeds")) EXPECT_EQ(used[2], 0); // another front arrives there first
  }
}

TEST(ImagePathSeeds, AreFoundForAnyTimesInTheirCell) {
  const Case c = speedCase(plane(40), {20.3, 17.6, 0}, [](const Position&) { return 1; });
  Values<float> u = travelTimeOf(c.problem);
  u[c.problem.grid.index(20, 18, 0)] *= 0.2f; // the point nearest to the seed
  for (const Position& tip : randomTips(c.problem.grid, 50)) {
    const std::vector<Position> tips{tip};
    const Path path = extractPaths(c.problem, u, tips, 0)[0];
    expectSound(path, c.problem, tip);
    expectStartsAtSeed(path, c.problem);
  }
}

TEST(ImagePathSeeds, OfRegionsEndAPathAtTheirNearestPoint) {
  Case c = speedCase({60, 50, 1, 1, 1, 1}, {-100, 0, 0}, [](const Position&) { return 1; });
  c.regions.assign(c.problem.grid.points(), -1);
  for (std::int64_t n = 0; n < c.problem.grid.points(); ++n)
    if (n % 60 < 10) c.regions[n] = 0;
  c.problem.seedRegions = c.regions;
  c.problem.seeds[0].isRegion = true;
  for (const Position& tip : randomTips(c.problem.grid, 50)) {
    const Path path = pathsTo(c.problem, {tip})[0];
    expectSound(path, c.problem, tip);
    expectStartsAtSeed(path, c.problem);
    if (tip[0] < 10) continue;
    EXPECT_EQ(path.x.front(), 9);
    EXPECT_NEAR(path.y.front(), tip[1], 0.5 + 1e-9);
    EXPECT_LE(path.length, tip[0] - 9 + 0.5);
  }
}
