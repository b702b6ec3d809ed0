// Claims about paths through images: they run from their seed to their tip, through no barrier, and take as
// long as the travel time says.
#include "Error.h"
#include "ImageTravelTimePathChecks.h"

#include <functional>

using namespace isochrone;
using namespace isochrone::image;

namespace {

class ImagePaths : public testing::TestWithParam<std::string> {};

std::vector<Path> pathsTo(const Problem& problem, const std::vector<Position>& tips, int threads = 0) {
  return extractPaths(problem, travelTimeOf(problem), tips, threads);
}

/// A problem on a grid whose speed is a function of the position.
Case speedCase(const Grid& grid, const Position& seed, const std::function<double(const Position&)>& speed) {
  Case c;
  c.problem.grid = grid;
  for (std::int64_t n = 0; n < grid.points(); ++n)
    c.speed.push_back(float(speed({double(n % grid.nx) * grid.hx, double(n / grid.nx % grid.ny) * grid.hy,
                                   double(n / (grid.nx * grid.ny)) * grid.hz})));
  c.problem.seeds = {{seed, 0}};
  c.problem.speed = c.speed;
  return c;
}

/// A plane of constant speed with walls given as rows of text, '#' is wall; the first row is j = 0.
Case wallCase(const std::vector<std::string>& rows, const Position& seed) {
  Case c;
  c.problem.grid = {std::int64_t(rows[0].size()), std::int64_t(rows.size()), 1, 1, 1, 1};
  for (const std::string& row : rows)
    for (const char cell : row) c.barriers.push_back(cell == '#');
  c.problem.seeds = {{seed, 0}};
  c.problem.barriers = c.barriers;
  return c;
}

Grid plane(std::int64_t n) { return {n, n, 1, 1, 1, 1}; }
Grid cube(std::int64_t n) { return {n, n, n, 1, 1, 1}; }
Position seedIn(const Grid& g) { return g.nz == 1 ? Position{31.3, 40.7, 0} : Position{20.3, 31.6, 25.2}; }
double away(const Position& a, const Position& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

constexpr double gradientLength = 2. / 63; ///< speeds from 1 to 3 along x

double linearSpeed(const Position& at) { return 1 + gradientLength * at[0]; }
double linearTime(const Position& a, const Position& b) {
  const double d = away(a, b);
  return std::acosh(1 + gradientLength * gradientLength * d * d / (2 * linearSpeed(a) * linearSpeed(b))) /
         gradientLength;
}
double waves(const Position& at) {
  return 2 + 0.5 * std::sin(0.11 * at[0] + 0.05 * at[1]) * std::cos(0.09 * at[1] - 0.04 * at[2]) +
         0.3 * std::sin(0.07 * at[2] + 0.06 * at[0] + 1);
}

} // namespace

TEST_P(ImagePaths, AreSoundForTipsAnywhere) {
  const Case c = makeCase(GetParam());
  const Values<float> u = travelTimeOf(c.problem);
  const std::vector<Position> tips = randomTips(c.problem.grid, 200);
  const std::vector<Path> paths = extractPaths(c.problem, u, tips, 0);
  ASSERT_EQ(paths.size(), tips.size());
  int complete = 0;
  for (std::size_t t = 0; t < tips.size(); ++t) {
    SCOPED_TRACE("tip " + std::to_string(t));
    const Placement at = place(c.problem, tips[t]);
    ASSERT_NE(at.status, Placement::Status::Outside);
    if (at.status == Placement::Status::InBarrier) {
      EXPECT_EQ(paths[t].status, PathStatus::TipInWall);
      EXPECT_EQ(paths[t].size(), 0u);
    } else if (std::isinf(u[at.point])) {
      EXPECT_EQ(paths[t].status, PathStatus::Unreachable);
      EXPECT_EQ(paths[t].size(), 0u);
    } else {
      expectSound(paths[t], c.problem, tips[t]);
      expectStartsAtSeed(paths[t], c.problem);
      ++complete;
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(complete, 50);
}

TEST_P(ImagePaths, AreSoundForTheTimesOfEveryScheme) {
  const Case c = makeCase(GetParam());
  const std::vector<Position> tips = randomTips(c.problem.grid, 60);
  Options options;
  options.backend = Backend::Host;
  for (const int order : {1, 2})
    for (const SourceFactoring factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
      options.order = order, options.factoring = factoring;
      const Values<float> u = solveImageTravelTime(c.problem, options, {}).travelTime;
      const std::vector<Path> paths = extractPaths(c.problem, u, tips, 0);
      for (std::size_t t = 0; t < tips.size(); ++t) {
        const Placement at = place(c.problem, tips[t]);
        if (at.status != Placement::Status::Inside || std::isinf(u[at.point])) continue;
        SCOPED_TRACE("tip " + std::to_string(t));
        expectSound(paths[t], c.problem, tips[t]);
        expectStartsAtSeed(paths[t], c.problem);
      }
    }
}

TEST_P(ImagePaths, AreTheSameForAnyNumberOfThreads) {
  const Case c = makeCase(GetParam());
  const Values<float> u = travelTimeOf(c.problem);
  const std::vector<Position> tips = randomTips(c.problem.grid, 50);
  const std::vector<Path> one = extractPaths(c.problem, u, tips, 1);
  for (const int threads : {2, 3}) {
    const std::vector<Path> many = extractPaths(c.problem, u, tips, threads);
    for (std::size_t t = 0; t < tips.size(); ++t) {
      EXPECT_EQ(many[t].x, one[t].x);
      EXPECT_EQ(many[t].y, one[t].y);
      EXPECT_EQ(many[t].z, one[t].z);
      EXPECT_EQ(many[t].travelTime, one[t].travelTime);
      EXPECT_EQ(many[t].energy, one[t].energy);
      EXPECT_EQ(many[t].seed, one[t].seed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Images, ImagePaths, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

/// The time along each path against what it should be: at most 1 % more, nearly nothing less.
void expectTimes(const Case& c, std::span<const float> u,
                 const std::function<double(const Position&)>& expected) {
  const std::vector<Position> tips = randomTips(c.problem.grid, 300);
  const std::vector<Path> paths = extractPaths(c.problem, u, tips, 0);
  for (std::size_t t = 0; t < tips.size(); ++t) {
    ASSERT_EQ(paths[t].status, PathStatus::Complete);
    const double time = expected(tips[t]);
    EXPECT_LE(paths[t].energy, 1.01 * time) << "tip " << t << ", length " << paths[t].length;
    EXPECT_GE(paths[t].energy, (1 - 1e-3) * time) << "tip " << t << ", length " << paths[t].length;
    EXPECT_LE(paths[t].energy, 1.01 * paths[t].travelTime.back()) << "tip " << t;
  }
}

TEST(ImagePathTimes, AreWithinAHundredthOfTheTruthOnConstantSpeed) {
  for (const Grid& g : {plane(128), cube(64)}) {
    const Position seed = seedIn(g);
    const Case c = speedCase(g, seed, [](const Position&) { return 2; });
    expectTimes(c, travelTimeOf(c.problem), [&](const Position& tip) { return away(tip, seed) / 2; });
  }
}

TEST(ImagePathTimes, AreWithinAHundredthOfTheTruthWhereTheSpeedRisesLinearly) {
  for (const Grid& g : {plane(128), cube(64)}) {
    const Position seed = seedIn(g);
    const Case c = speedCase(g, seed, linearSpeed);
    expectTimes(c, travelTimeOf(c.problem), [&](const Position& tip) { return linearTime(tip, seed); });
  }
}

TEST(ImagePathTimes, AreWithinAHundredthOfTheTruthForTravelTimesFromABetterScheme) {
  for (const Grid& g : {plane(128), cube(64)}) {
    const Position seed = seedIn(g);
    const Case c = speedCase(g, seed, linearSpeed);
    Values<float> exact(g.points());
    for (std::int64_t n = 0; n < g.points(); ++n)
      exact[n] =
          float(linearTime({double(n % g.nx), double(n / g.nx % g.ny), double(n / (g.nx * g.ny))}, seed));
    expectTimes(c, exact, [&](const Position& tip) { return linearTime(tip, seed); });
  }
}

TEST(ImagePathTimes, AreBelowTheTravelTimeByItsDiscretisationOnSmoothSpeeds) {
  for (const Grid& g : {plane(128), cube(64)}) {
    const Case c = speedCase(g, seedIn(g), waves);
    const Grid half{2 * g.nx - 1, 2 * g.ny - 1, g.nz == 1 ? 1 : 2 * g.nz - 1, 0.5, 0.5, 0.5};
    const Values<float> u = travelTimeOf(c.problem),
                        fine = travelTimeOf(speedCase(half, seedIn(g), waves).problem);
    std::vector<Position> tips;
    for (int t = 0; t < 200; ++t)
      tips.push_back({std::floor(noise(3 * t) * double(g.nx)), std::floor(noise(3 * t + 1) * double(g.ny)),
                      std::floor(noise(3 * t + 2) * double(g.nz))});
    const std::vector<Path> paths = extractPaths(c.problem, u, tips, 0);
    double below = 0, refined = 0;
    for (std::size_t t = 0; t < tips.size(); ++t) {
      const auto i = std::int64_t(tips[t][0]), j = std::int64_t(tips[t][1]), k = std::int64_t(tips[t][2]);
      const double value = u[g.index(i, j, k)], better = fine[half.index(2 * i, 2 * j, 2 * k)];
      EXPECT_EQ(paths[t].travelTime.back(), value);
      EXPECT_LE(paths[t].energy, 1.01 * value);
      EXPECT_LE(paths[t].energy, 1.01 * better);
      below += value - paths[t].energy, refined += value - better;
    }
    // Half the spacing halves the error, or a little less.
    EXPECT_GT(below, 1.2 * refined);
    EXPECT_LT(below, 2.5 * refined);
  }
}

TEST(ImagePathTimes, AreAtMostAHundredthAboveTheValueThatAccurateSchemesGiveTheTip) {
  Options options;
  options.backend = Backend::Host;
  options.order = 2;
  for (const Grid& g : {plane(128), cube(64)})
    for (const auto& speed : {linearSpeed, waves})
      for (const SourceFactoring factoring : {SourceFactoring::Additive, SourceFactoring::Multiplicative}) {
        const Case c = speedCase(g, seedIn(g), speed);
        options.factoring = factoring;
        if (speed == waves && factoring == SourceFactoring::Multiplicative) continue; // 1 % off itself
        const Values<float> u = solveImageTravelTime(c.problem, options, {}).travelTime;
        const std::vector<Position> tips = randomTips(g, 200);
        double sum = 0;
        for (const Path& path : extractPaths(c.problem, u, tips, 0)) {
          const double ratio = path.energy / path.travelTime.back();
          EXPECT_LE(ratio, 1.01) << "length " << path.length;
          EXPECT_GE(ratio, 0.985) << "length "
                                  << path.length; // the value is too large, not the path too short
          sum += ratio / double(tips.size());
        }
        EXPECT_NEAR(sum, 1, 0.001);
      }
}

TEST(ImagePathTimes, AreTheSumOfSlownessAlongThePath) {
  const Case c = speedCase(cube(64), seedIn(cube(64)), waves);
  for (const Path& path : pathsTo(c.problem, randomTips(c.problem.grid, 20))) {
    double sum = 0;
    for (std::size_t s = 1; s < path.size(); ++s) {
      const Position a = pointOf(path, s - 1), b = pointOf(path, s);
      for (const double share : {0.25, 0.75})
        sum +=
            away(a, b) / 2 /
            waves({a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])});
    }
    EXPECT_NEAR(path.energy, sum, 2e-3 * sum + 0.02);
  }
}

TEST(ImagePathTimes, AreCloseToTheTravelTimeOnRoughSpeedsToo) {
  for (const char* name :
       {"Layers", "Noise", "Plane", "Maze", "NoSpeedHoles", "Diagonal", "UnequalSpacing"}) {
    const Case c = makeCase(name);
    double sum = 0;
    int count = 0;
    for (const Path& path : pathsTo(c.problem, randomTips(c.problem.grid, 400))) {
      if (path.status != PathStatus::Complete || path.length < 6 * smallestSpacing(c.problem.grid)) continue;
      const double ratio = path.energy / (path.travelTime.back() - path.travelTime.front());
      EXPECT_LE(ratio, 1.3) << name;
      sum += ratio, ++count;
    }
    EXPECT_LE(sum / count, 1.02) << name;
  }
}

TEST(ImagePathWalls, AreNotTouchedInAMaze) {
  const std::vector<std::string> maze{"..........", //
                                      ".########.", //
                                      ".#......#.", //
                                      ".#.####.#.", //
                                      ".#.#..#.#.", //
                                      ".#.#.##.#.", //
                                      ".#.#....#.", //
                                      ".#.######.", //
                                      ".#........"};
  const Case c = wallCase(maze, {4, 4, 0});
  const Path path = pathsTo(c.problem, {{0.2, 8.4, 0}})[0];
  expectSound(path, c.problem, {0.2, 8.4, 0});
  expectStartsAtSeed(path, c.problem);
  EXPECT_GT(path.length, 45);
}

TEST(ImagePathWalls, OfOnePixelOnADiagonalAreNotCrossed) {
  const std::vector<std::string> open{".....#.", //
                                      "....#..", //
                                      "...#...", //
                                      "..#....", //
                                      ".#.....", //
                                      "......."};
  const Case around = wallCase(open, {0, 0, 0});
  const Path path = pathsTo(around.problem, {{5, 1, 0}})[0];
  expectSound(path, around.problem, {5, 1, 0});
  EXPECT_GT(path.length, 10); // straight it would be 5.1
  std::vector<std::string> closed = open;
  closed.back()[0] = '#';
  EXPECT_EQ(pathsTo(wallCase(closed, {0, 0, 0}).problem, {{5, 1, 0}})[0].status, PathStatus::Unreachable);
}

TEST(ImagePathWalls, AreNotTouchedInRubble) {
  for (const Grid& g : {Grid{90, 70, 1, 1, 1, 1}, Grid{90, 70, 1, 0.4, 1, 1}, Grid{24, 22, 26, 1, 1, 1},
                        Grid{24, 22, 26, 1, 0.7, 2}}) {
    Case c;
    c.problem.grid = g;
    c.barriers.resize(g.points());
    for (std::int64_t n = 0; n < g.points(); ++n) c.barriers[n] = noise(n) < (g.nz == 1 ? 0.33 : 0.55);
    c.problem.barriers = c.barriers;
    for (std::int64_t n = g.points() / 2; c.problem.seeds.empty(); ++n)
      if (!c.barriers[n])
        c.problem.seeds = {
            {{double(n % g.nx) * g.hx, double(n / g.nx % g.ny) * g.hy, double(n / (g.nx * g.ny)) * g.hz}}};
    const std::vector<Position> tips = randomTips(g, 400);
    const std::vector<Path> paths = pathsTo(c.problem, tips);
    int complete = 0;
    for (std::size_t t = 0; t < tips.size(); ++t)
      if (paths[t].status == PathStatus::Complete) {
        expectSound(paths[t], c.problem, tips[t]);
        EXPECT_LE(paths[t].energy, 1.1 * paths[t].travelTime.back() + 1);
        ++complete;
      }
    EXPECT_GT(complete, 100);
  }
}

TEST(ImagePathWalls, DoNotLetASeedBetweenPointsReachThroughTheirEdge) {
  // Two of the points around the seed are walls that touch, and a third one lies behind them.
  const Case c = wallCase({".#.", //
                           "#..", //
                           "..."},
                          {0.3, 0.3, 0});
  EXPECT_TRUE(std::isinf(travelTimeOf(c.problem)[c.problem.grid.index(1, 1, 0)]));
  EXPECT_EQ(pathsTo(c.problem, {{1, 1, 0}})[0].status, PathStatus::Unreachable);
  EXPECT_EQ(pathsTo(c.problem, {{0, -0.2, 0}})[0].status, PathStatus::Complete);
}

TEST(ImagePathWalls, ThatAreSlowAreWalkedAroundBesideTheSeedToo) {
  // Straight from (2, 1) to the seed it is 2.2 long, but through a point a thousand times slower.
  Case c = speedCase({4, 4, 1, 1, 1, 1}, {0.1, 0.2, 0},
                     [](const Position& at) { return at[0] == 1 && at[1] < 2 ? 1e-3 : 1; });
  const Path path = pathsTo(c.problem, {{2, 1, 0}})[0];
  expectSound(path, c.problem, {2, 1, 0});
  EXPECT_LE(path.energy, 50); // corners are cut a little
}

TEST(ImagePathWalls, MayTouchATipOrSeedThatLiesOnTheirFace) {
  const Case c = wallCase({"..#", "..#"}, {0, 0, 0});
  const Path path = pathsTo(c.problem, {{1.4999999999, 1, 0}})[0];
  ASSERT_EQ(path.status, PathStatus::Complete);
  EXPECT_EQ(path.x.back(), 1.4999999999);
  const Case mirrored = wallCase({"..#", "..#"}, {1.4999999999, 1, 0});
  const Path back = pathsTo(mirrored.problem, {{0, 0, 0}})[0];
  ASSERT_EQ(back.status, PathStatus::Complete);
  EXPECT_EQ(back.x.front(), 1.4999999999);
  EXPECT_NEAR(back.length, path.length, 0.5);
}

TEST(ImagePathTips, ThatCannotBeReachedSayWhy) {
  const Case c = wallCase({"...#.", //
                           "...##", //
                           "....."},
                          {0, 0, 0});
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::vector<Position> tips{{4, 0, 0},   {3, 0, 0},    {-0.6, 0, 0}, {0, 2.6, 0},
                                   {nan, 0, 0}, {0, 0, -inf}, {1e300, 0, 0}};
  const PathStatus expected[] = {PathStatus::Unreachable, PathStatus::TipInWall,  PathStatus::TipOutside,
                                 PathStatus::TipOutside,  PathStatus::TipOutside, PathStatus::TipOutside,
                                 PathStatus::TipOutside};
  const std::vector<Path> paths = pathsTo(c.problem, tips);
  ASSERT_EQ(paths.size(), tips.size());
  for (std::size_t t = 0; t < tips.size(); ++t) {
    EXPECT_EQ(paths[t].status, expected[t]) << t;
    EXPECT_EQ(paths[t].size(), 0u) << t;
    EXPECT_EQ(paths[t].seed, -1) << t;
  }
  EXPECT_TRUE(pathsTo(c.problem, {}).empty());
}

TEST(ImagePathTips, BeyondTheStoppingTimeHaveNoPathAndOthersThePathOfTheFullRun) {
  const Case c = makeCase("Layers");
  Options options;
  options.backend = Backend::Host;
  const Values<float> full = solveImageTravelTime(c.problem, options, {}).travelTime;
  options.stoppingTime = 0.5 * *std::max_element(full.begin(), full.end());
  const Values<float> stopped = solveImageTravelTime(c.problem, options, {}).travelTime;
  const std::vector<Position> tips = randomTips(c.problem.grid, 100);
  const std::vector<Path> all = extractPaths(c.problem, full, tips, 0),
                          some = extractPaths(c.problem, stopped, tips, 0);
  int complete = 0;
  for (std::size_t t = 0; t < tips.size(); ++t) {
    const std::int64_t point = place(c.problem, tips[t]).point;
    ASSERT_EQ(some[t].status, std::isinf(stopped[point]) ? PathStatus::Unreachable : PathStatus::Complete);
    if (some[t].status == PathStatus::Complete)
      EXPECT_LE(some[t].travelTime.back(), options.stoppingTime + 1);
    if (all[t].travelTime.back() > options.stoppingTime - 3) continue; // corners beside it may be unreached
    EXPECT_EQ(some[t].x, all[t].x);
    EXPECT_EQ(some[t].energy, all[t].energy);
    ++complete;
  }
  EXPECT_GT(complete, 20);
}

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

TEST(ImagePathSteps, CrossRegionsWhoseTravelTimesFloatCannotTellApart) {
  // Behind a slow wall the times differ by less than a unit in their last place.
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

/// Speeds over many orders of magnitude, walls, seeds anywhere with start values, flat cells, thin images.
Case wildCase(std::uint64_t number) {
  auto draw = [at = number * 1000]() mutable { return noise(++at); };
  const auto pick = [&](std::int64_t most) { return 1 + std::int64_t(draw() * double(most)); };
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

TEST(ImagePathSteps, AreSoundOnWildImages) {
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

TEST(ImagePathSteps, LeadOutOfPointsThatLieBelowAllTheirNeighbours) {
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

TEST(ImagePathSeeds, AreThoseWhoseFrontCameFirst) {
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
    for (std::size_t t = 3; t < tips.size(); t += 4) { // those that lie on a point
      const std::int64_t point = place(c.problem, tips[t]).point;
      float first = std::numeric_limits<float>::infinity();
      for (const auto& u : alone) first = std::min(first, u[point]);
      const float own = alone[paths[t].seed][point];
      EXPECT_LE(own, first + 0.05f * std::abs(first)) << name << " tip " << t;
      second += own > first;
      used[paths[t].seed] += 1;
    }
    EXPECT_LE(second, 5) << name; // where both come at nearly the same time
    EXPECT_GT(used[0], 3) << name;
    EXPECT_GT(used[1], 3) << name;
    if (name == std::string("SeveralSeeds")) EXPECT_EQ(used[2], 0); // another front is there before
  }
}

TEST(ImagePathSeeds, AreFoundWhateverTimesAnotherSchemeGivesTheirCell) {
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

TEST(ImagePathSeeds, ThatAreRegionsEndAPathAtTheirNearestPoint) {
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

TEST(ImagePathInput, RefusesATravelTimeOfAnotherImage) {
  const Case c = makeCase("Plane");
  const std::vector<float> u(7, 0.f);
  const std::vector<Position> tips{{1, 1, 0}};
  try {
    extractPaths(c.problem, u, tips, 1);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "the travel time must have a value for each of 5063 points, got 7");
  }
}
