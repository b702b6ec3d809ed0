// Claims about the lists of the points that use a point.
#include "ImageTravelTime/Tensors/UserLists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace isochrone::image;

namespace {

using Numbers = std::vector<std::uint16_t>;

Numbers numbersOf(const UserLists& lists, std::uint32_t list) {
  const auto numbers = lists.of(list);
  return {numbers.begin(), numbers.end()};
}

/// Finishes the lists of the points from `begin` on; users[q] holds the points that q uses, with numbers.
std::vector<std::uint32_t>
finish(UserLists& lists, std::int64_t begin, std::int64_t longest,
       const std::vector<std::vector<std::pair<std::int64_t, std::uint16_t>>>& users) {
  UserListWriter writer(lists, begin, longest);
  std::vector<std::uint32_t> list;
  const auto points = std::int64_t(users.size());
  for (std::int64_t q = std::max<std::int64_t>(0, begin - longest); q < points + longest; ++q) {
    if (q < points)
      for (const auto& [point, number] : users[q])
        if (point >= begin) writer.add(point, number);
    if (q - longest >= begin) list.push_back(writer.finish(q - longest));
  }
  return list;
}

} // namespace

TEST(UserLists, HoldTheUsersOfEachPointInTheirOrder) {
  std::mt19937 random(3);
  constexpr std::int64_t points = 3000, longest = 70;
  std::vector<std::vector<std::pair<std::int64_t, std::uint16_t>>> users(points);
  std::vector<Numbers> expected(points);
  for (std::int64_t q = 0; q < points; ++q)
    for (int n = int(random() % 20); n > 0; --n) { // every 100th point has some hundred users
      std::int64_t point = random() % 2 ? q / 100 * 100 : q + std::int64_t(random() % 141) - longest;
      if (point < 0 || point >= points || std::abs(point - q) > longest) continue;
      users[q].push_back({point, std::uint16_t(random())});
      expected[point].push_back(users[q].back().second);
    }
  for (const std::int64_t begin : {0, 1000}) {
    UserLists lists;
    const std::vector<std::uint32_t> list = finish(lists, begin, longest, users);
    ASSERT_EQ(std::int64_t(list.size()), points - begin);
    for (std::int64_t p = begin; p < points; ++p)
      ASSERT_EQ(numbersOf(lists, list[p - begin]), expected[p]) << p;
  }
}

TEST(UserLists, StoreEqualListsOnce) {
  constexpr std::int64_t points = 20000;
  std::vector<std::vector<std::pair<std::int64_t, std::uint16_t>>> users(points);
  std::int64_t length = 0;
  for (std::int64_t q = 0; q < points; ++q)
    for (std::uint16_t n = 0; n < 1 + q % 3 + (q % 3 == 2) * 20; ++n) users[q].push_back({q, n});
  UserLists lists;
  const std::vector<std::uint32_t> list = finish(lists, 0, 1, users);
  std::vector<std::uint32_t> different = list;
  std::ranges::sort(different);
  different.erase(std::unique(different.begin(), different.end()), different.end());
  EXPECT_EQ(different.size(), 3u);
  for (const std::uint32_t d : different) length += std::int64_t(lists.of(d).size());
  EXPECT_EQ(length, 1 + 2 + 23);
}

TEST(UserLists, MayBeEmpty) {
  UserLists lists;
  const std::vector<std::uint32_t> list = finish(lists, 0, 1, {{}, {{1, 7}}, {}, {{3, 8}}});
  const Numbers expected[] = {{}, {7}, {}, {8}};
  for (int p = 0; p < 4; ++p) EXPECT_EQ(numbersOf(lists, list[p]), expected[p]) << p;
}

TEST(UserLists, FillSeveralBlocks) {
  constexpr std::int64_t points = 40000;
  std::vector<std::vector<std::pair<std::int64_t, std::uint16_t>>> users(points);
  for (std::int64_t q = 0; q < points; ++q)
    for (std::uint16_t n = 0; n < 4; ++n) users[q].push_back({q, std::uint16_t(q + n * 7919)});
  UserLists lists;
  const std::vector<std::uint32_t> list = finish(lists, 0, 1, users);
  for (std::int64_t p = 0; p < points; ++p) {
    Numbers expected;
    for (const auto& [point, number] : users[p]) expected.push_back(number);
    ASSERT_EQ(numbersOf(lists, list[p]), expected) << p;
  }
}
