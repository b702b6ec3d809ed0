// Claims about the front of the solver with tensors.
#include "ImageTravelTime/Tensors/TensorFront.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace isochrone::image;

TEST(TensorFront, ReturnsAllPointsOfABucketInOrderOfTheBuckets) {
  std::mt19937 random(5);
  constexpr std::uint32_t points = 5000;
  std::vector<float> values(points); // up to ten times the range of the buckets
  for (float& v : values) v = float(random() % 1000000) * 1e-3f;
  TensorFront front(0.5f, 3);
  for (std::uint32_t p = 0; p < points; ++p) front.push(p, front.bucketOf(values[p]), int(p % 3));
  std::vector<std::uint32_t> taken, bucket;
  float before = -1;
  while (front.take(values, bucket, [](std::uint32_t) { return true; })) {
    const auto [low, high] =
        std::ranges::minmax_element(bucket, {}, [&](std::uint32_t p) { return values[p]; });
    EXPECT_GT(values[*low], before);
    EXPECT_LE(values[*high] - values[*low], 0.5f);
    EXPECT_GE(values[*low], front.minimum());
    before = values[*high];
    taken.insert(taken.end(), bucket.begin(), bucket.end());
  }
  std::ranges::sort(taken);
  ASSERT_EQ(taken.size(), points);
  for (std::uint32_t p = 0; p < points; ++p) EXPECT_EQ(taken[p], p);
}

TEST(TensorFront, PutsValuesBelowTheCurrentBucketIntoIt) {
  TensorFront front(1, 1);
  std::vector<float> values{5.5f, 5.9f};
  front.push(0, front.bucketOf(values[0]), 0);
  std::vector<std::uint32_t> bucket;
  const auto all = [](std::uint32_t) { return true; };
  ASSERT_TRUE(front.take(values, bucket, all));
  EXPECT_EQ(front.minimum(), 5);
  values[1] = 4.9f;
  front.push(1, front.bucketOf(values[1]), 0);
  ASSERT_TRUE(front.take(values, bucket, all));
  EXPECT_EQ(bucket, std::vector<std::uint32_t>{1});
  EXPECT_EQ(front.minimum(), 5);
}

TEST(TensorFront, DropsOutdatedPointsBeyondTheBuckets) {
  TensorFront front(1, 1);
  const std::vector<float> values{1000, 2000, 1000.5f};
  for (std::uint32_t p = 0; p < 3; ++p) front.push(p, front.bucketOf(values[p]), 0);
  std::vector<std::uint32_t> bucket;
  const auto isPending = [](std::uint32_t p) { return p != 0; };
  ASSERT_TRUE(front.take(values, bucket, isPending));
  EXPECT_EQ(bucket, std::vector<std::uint32_t>{2});
  ASSERT_TRUE(front.take(values, bucket, isPending));
  EXPECT_EQ(bucket, std::vector<std::uint32_t>{1});
  EXPECT_FALSE(front.take(values, bucket, isPending));
}

TEST(TensorFront, ReusesTheMemoryOfTakenPoints) {
  std::vector<float> values(10000);
  for (std::size_t p = 0; p < values.size(); ++p) values[p] = float(p) / 100;
  TensorFront front(1, 1);
  std::vector<std::uint32_t> bucket;
  std::size_t bytes = 0;
  for (std::uint32_t p = 0; p < values.size(); ++p) {
    front.push(p, front.bucketOf(values[p]), 0);
    if (p % 200 == 199)
      while (front.take(values, bucket, [](std::uint32_t) { return true; })) continue;
    if (p == 999) bytes = front.bytes();
  }
  EXPECT_EQ(front.bytes(), bytes);
}
