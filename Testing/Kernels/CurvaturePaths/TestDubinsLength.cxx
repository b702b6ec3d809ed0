// Claims about the closed form of Dubins' shortest paths.
#include "CurvatureCases.h"
#include "Reference/DubinsLength.h"

#include <gtest/gtest.h>

using namespace isochrone::reference;
using isochrone::curvature::Random;

namespace {
constexpr double pi = std::numbers::pi;
}

TEST(DubinsLength, IsTheLengthOfPathsKnownByHand) {
  EXPECT_NEAR(dubinsLength({0, 0, 0}, 1), 0, 1e-9);
  EXPECT_NEAR(dubinsLength({3, 0, 0}, 1), 3, 1e-9);
  EXPECT_NEAR(dubinsLength({0, 2, pi}, 1), pi, 1e-9);               // a half circle
  EXPECT_NEAR(dubinsLength({1, -1, -pi / 2}, 1), pi / 2, 1e-9);     // a quarter circle to the right
  EXPECT_NEAR(dubinsLength({5, 2, pi}, 1), 5 + pi, 1e-9);           // straight, then a half circle
  EXPECT_NEAR(dubinsLength({0, 0, pi}, 1), 7 * pi / 3, 1e-9);       // a half turn: 60, 300 and 60 degrees
  EXPECT_NEAR(dubinsLength({0.5, 0.5, pi / 2}, 0.5), pi / 4, 1e-9); // lengths scale with the radius
}

TEST(DubinsLength, WordsEndAtTheGoal) {
  Random random(11);
  for (int n = 0; n < 20000; ++n) {
    const Pose goal{8 * random() - 4, 8 * random() - 4, 2 * pi * random()};

    const DubinsWord word = shortestDubinsWord(goal);

    const Pose end = follow(word, word.total());
    ASSERT_NEAR(end.x, goal.x, 1e-6);
    ASSERT_NEAR(end.y, goal.y, 1e-6);
    ASSERT_NEAR(std::remainder(end.heading - goal.heading, 2 * pi), 0, 1e-6);
  }
}

TEST(DubinsLength, IsNoLongerThanAnyOtherWord) {
  // A path of any three arcs to some goal is never shorter than the shortest word to that goal.
  Random random(12);
  const std::array<int, 3> words[] = {{1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
                                      {-1, 0, 1}, {1, -1, 1},  {-1, 1, -1}};
  for (int n = 0; n < 20000; ++n) {
    const DubinsWord any{words[n % 6], {2 * pi * random(), 2 * pi * random(), 2 * pi * random()}};

    const double shortest = shortestDubinsWord(follow(any, any.total())).total();

    ASSERT_LE(shortest, any.total() + 1e-6);
  }
}

TEST(DubinsLength, IsSymmetricUnderMirrorAndReversal) {
  Random random(13);
  for (int n = 0; n < 2000; ++n) {
    const Pose goal{6 * random() - 3, 6 * random() - 3, 2 * pi * random()};
    const double length = dubinsLength(goal, 1);

    EXPECT_NEAR(dubinsLength({goal.x, -goal.y, -goal.heading}, 1), length, 1e-6);

    // Drives the reversed path from the goal, rotated by pi, to the start.
    const double c = std::cos(goal.heading), s = std::sin(goal.heading);
    EXPECT_NEAR(dubinsLength({c * goal.x + s * goal.y, s * goal.x - c * goal.y, goal.heading}, 1), length,
                1e-6);
  }
}
