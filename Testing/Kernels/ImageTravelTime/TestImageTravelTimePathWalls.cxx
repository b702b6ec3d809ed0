// Claims that paths through images do not touch walls, even one-pixel diagonals and edges.
#include "ImageTravelTimePathCases.h"

using namespace isochrone;
using namespace isochrone::image;

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
  EXPECT_GT(path.length, 10); // a straight line would have 5.1
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

TEST(ImagePathWalls, BlockASeedBetweenPointsAtTheirEdge) {
  // Two points around the seed are touching walls, and a third one is behind them.
  const Case c = wallCase({".#.", //
                           "#..", //
                           "..."},
                          {0.3, 0.3, 0});
  EXPECT_TRUE(std::isinf(travelTimeOf(c.problem)[c.problem.grid.index(1, 1, 0)]));
  EXPECT_EQ(pathsTo(c.problem, {{1, 1, 0}})[0].status, PathStatus::Unreachable);
  EXPECT_EQ(pathsTo(c.problem, {{0, -0.2, 0}})[0].status, PathStatus::Complete);
}

TEST(ImagePathWalls, ThatAreSlowAreBypassedNextToTheSeed) {
  // The straight line from (2, 1) to the seed has length 2.2 but passes a point a thousand times slower.
  Case c = speedCase({4, 4, 1, 1, 1, 1}, {0.1, 0.2, 0},
                     [](const Position& at) { return at[0] == 1 && at[1] < 2 ? 1e-3 : 1; });
  const Path path = pathsTo(c.problem, {{2, 1, 0}})[0];
  expectSound(path, c.problem, {2, 1, 0});
  EXPECT_LE(path.energy, 50); // corners are cut slightly
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
