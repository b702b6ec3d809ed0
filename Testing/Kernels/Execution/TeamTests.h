// TeamTests.h - tests for every device, run by TestTeam.cxx and TestTeamCuda.cu.
#pragma once

#include "TeamKernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace isochrone::execution {

template <class Device>
std::vector<int> rotated(Device& device, int tiles, int rounds) {
  auto out = device.template array<int>(std::size_t(tiles) * RotateLanes::Lanes::size, -1);
  device.run(RotateLanes{rounds, out.data()}, tiles);
  std::vector<int> result(std::size_t(tiles) * RotateLanes::Lanes::size);
  device.download(out, result.data());
  return result;
}

template <class Device>
void phasesEndWithABarrier(Device& device) {
  const int tiles = 37, lanes = RotateLanes::Lanes::size, rounds = 5;

  const std::vector<int> result = rotated(device, tiles, rounds);

  for (int i = 0; i < tiles * lanes; ++i)
    ASSERT_EQ(result[i], i / lanes * 1000 + (i % lanes + lanes - rounds) % lanes) << "tile " << i / lanes;
}

template <class Device>
void collectivesSeeAllLanes(Device& device) {
  const int tiles = 3, lanes = UseCollectives::Lanes::size, results = UseCollectives::results;
  auto out = device.template array<std::int64_t>(tiles * lanes * results, -1);

  device.run(UseCollectives{out.data()}, tiles);

  std::vector<std::int64_t> result(tiles * lanes * results);
  device.download(out, result.data());
  for (int i = 0; i < tiles * lanes; ++i)
    for (int r = 0; r < results; ++r)
      ASSERT_EQ(result[i * results + r], UseCollectives::expected(i / lanes, i % lanes, r))
          << "tile " << i / lanes << ", lane " << i % lanes << ", result " << r;
}

template <class Device>
void theDeviceDecidesTheNumberOfPositions(Device& device) {
  const int maximum = 100000;
  auto count = device.template array<int>(1, 0);
  auto ran = device.template array<std::uint8_t>(maximum, 0);

  auto recording = device.record([&] {
    device.run(CountOnDevice{count.data(), 777}, 1);
    device.run(MarkPosition{ran.data()}, count.data(), maximum);
    device.run(CountOnDevice{count.data(), 0}, 1);
    device.run(MarkPosition{ran.data()}, count.data(), maximum);
  });
  recording.replay();
  recording.replay();

  std::vector<std::uint8_t> result(maximum);
  device.download(ran, result.data());
  for (int i = 0; i < maximum; ++i) ASSERT_EQ(result[i], i < 777 ? 2 : 0) << i;
}

template <class Device>
void compactionKeepsTheOrder(Device& device) {
  for (const int n : {1, 31, 1000, 70001}) {
    std::vector<std::uint8_t> marks(n);
    std::vector<int> expected;
    for (int i = 0; i < n; ++i) {
      marks[i] = (unsigned(i) * 2654435761u >> 16) % 5 == 0;
      if (marks[i]) expected.push_back(i);
    }
    auto flags = device.upload(std::span<const std::uint8_t>(marks));
    auto list = device.template array<int>(n, -1);
    auto count = device.template array<int>(1, -1);

    device.compact(flags, list, count.data());

    int found = 0;
    std::vector<int> result(n);
    device.download(count, &found, 1);
    device.download(list, result.data());
    result.resize(std::clamp(found, 0, n));
    ASSERT_EQ(result, expected);
  }
}

template <class Device>
void aWatchFinallyReturnsTheValue(Device& device) {
  auto count = device.template array<int>(1, 3);
  auto watch = device.watch(count.data());

  device.run(CountOnDevice{count.data(), 9}, 1);
  watch.latest();

  EXPECT_EQ(watch.latest(), 9);
}

template <class Device>
void aKernelReportsItsNumberOfPositions(Device& device) {
  auto count = device.template array<int>(1, 0);
  auto ran = device.template array<std::uint8_t>(1000, 0);

  device.run(CountOnDevice{count.data(), 77}, 1);
  device.run(MarkPositionsOfTheDevice{{ran.data()}, count.data()}, 1000);
  device.run(MarkPositionsOfTheDevice{{ran.data()}, count.data()}, 50); // an upper bound

  std::vector<std::uint8_t> result(1000);
  device.download(ran, result.data());
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(result[i], i < 50 ? 2 : i < 77 ? 1 : 0) << i;
}

template <class Device>
void divisorsDivide(Device& device) {
  constexpr int largest = std::numeric_limits<int>::max();
  for (const int by : {1, 2, 3, 5, 7, 64, 75, 641, 46341, 1 << 30, (1 << 30) + 1, largest - 1, largest}) {
    std::vector<int> numbers{0, 1, 2, largest, largest - 1};
    for (std::int64_t multiple = by; multiple <= largest;
         multiple += by + (std::int64_t(largest) / 97) / by * by)
      for (const std::int64_t n : {multiple - 1, multiple, multiple + 1})
        if (n <= largest) numbers.push_back(int(n));
    auto onDevice = device.upload(std::span<const int>(numbers));
    const int count = int(numbers.size());

    device.run(DivideNumbers{Divisor(by), onDevice.data(), count}, (count + 31) / 32);

    std::vector<int> result(numbers.size());
    device.download(onDevice, result.data());
    for (int i = 0; i < count; ++i) ASSERT_EQ(result[i], numbers[i] / by) << numbers[i] << " / " << by;
  }
}

template <class Device>
void teamsListEachNumberOnce(Device& device) {
  auto count = device.template array<int>(1, 0), list = device.template array<int>(500, -1),
       listedBy = device.template array<int>(500, 0);

  device.run(ListNumbers{count.data(), list.data(), listedBy.data()}, 1000);

  int found = 0;
  std::vector<int> result(500);
  device.download(count, &found, 1);
  device.download(list, result.data());
  EXPECT_EQ(found, 500);
  std::sort(result.begin(), result.end());
  for (int i = 0; i < 500; ++i) ASSERT_EQ(result[i], i);
}

} // namespace isochrone::execution
