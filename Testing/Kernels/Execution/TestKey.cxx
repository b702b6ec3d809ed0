// Claims that keys have the order of the times.
#include "Execution/Key.h"

#include <gtest/gtest.h>

using namespace isochrone::execution;

TEST(Keys, HaveTheOrderOfTimes) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float times[] = {-infinity, -3e38f, -2.5f, -1,         -1e-30f, -1e-40f,
                         0,         1e-40f, 1,     1.0000001f, 3e38f,   infinity};
  for (const float a : times) {
    EXPECT_EQ(timeOf(keyOf(a)), a);
    EXPECT_LT(firstKey, keyOf(a));
    EXPECT_LT(keyOf(a), noKey);
    for (const float b : times) EXPECT_EQ(keyOf(a) < keyOf(b), a < b) << a << " and " << b;
  }
}

TEST(Keys, GiveTheEndOfABand) {
  EXPECT_EQ(endOfBand(keyOf(-3), 2), keyOf(-1));
  EXPECT_EQ(endOfBand(keyOf(-1), 2), keyOf(1));
}
