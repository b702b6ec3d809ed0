// Claims about the check of free memory where several processes share a node.
#include "Backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using namespace isochrone;

namespace {

/// Sets the share of this process for one test.
struct Share {
  explicit Share(const MemoryShare& share) { shareHostMemory(share); }
  ~Share() { shareHostMemory({}); }
};

bool mayTake(double bytes) { return hasHostMemory(std::size_t(bytes)); }

/// Returns the refusal of a need; empty if it is accepted.
std::string refusal(double bytes) {
  try {
    requireHostMemory(std::size_t(bytes), "the travel times");
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f GB", bytes / 1e9);
  return text;
}

constexpr std::size_t megabyte = 1 << 20;

} // namespace

TEST(HostMemory, AProcessAloneMayTakeAllThatIsFree) {
  const double free = double(freeHostMemory());
  EXPECT_TRUE(mayTake(0.9 * free));
  EXPECT_FALSE(mayTake(1.5 * free));
  EXPECT_NE(refusal(1.5 * free).find("of memory and"), std::string::npos) << refusal(1.5 * free);
}

TEST(HostMemory, FourProcessesThatNeedTwoFifthsEachAreRefusedWithNumbers) {
  const std::size_t free = freeHostMemory();
  const Share share({4, 0.25, free});
  const std::string text = refusal(0.4 * double(free));
  for (const std::string& words :
       {std::string("the travel times need "), gigabytes(0.4 * double(free)), gigabytes(double(free)),
        std::string("4 ranks of this node"), std::string("fewer ranks on a node")})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in: " << text;
  EXPECT_EQ(refusal(0.2 * double(free)), "");
}

TEST(HostMemory, ProcessesWithUnequalPartsHaveUnequalShares) {
  const std::size_t free = freeHostMemory();
  for (const double fraction : {0.75, 0.2, 0.05}) {
    const Share share({3, fraction, free});
    EXPECT_TRUE(mayTake(0.9 * fraction * double(free))) << fraction;
    EXPECT_FALSE(mayTake(1.1 * fraction * double(free))) << fraction;
  }
}

TEST(HostMemory, WhatOtherProcessesHaveTakenSinceBelongsToTheirShares) {
  const double free = double(freeHostMemory());
  const Share share({2, 0.5, std::size_t(1.9 * free)}); // the other one has taken almost its half
  EXPECT_TRUE(mayTake(0.9 * free));
}

TEST(HostMemory, WhatThisProcessTakesCounts) {
  const Share share({2, 0.5, 600 * megabyte});
  EXPECT_TRUE(mayTake(280 * megabyte));
  {
    std::vector<char> taken(100 * megabyte, 1);
    EXPECT_FALSE(mayTake(280 * megabyte)) << taken.back();
    EXPECT_TRUE(mayTake(180 * megabyte));
  }
  EXPECT_TRUE(mayTake(280 * megabyte));
}
