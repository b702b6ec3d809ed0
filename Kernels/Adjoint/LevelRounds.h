// LevelRounds.h - masses that pass level by level on any device (MassLevels.h).
#pragma once

#include "Adjoint/MassLevels.h"
#include "Execution/HostDevice.h"
#include "Execution/Rounds.h"
#include "Monitor.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace isochrone::adjoint {

/// Returns the memory of LevelRounds, if all points may be tips.
inline std::size_t levelBytes(std::size_t points) {
  return points * (3 * sizeof(int) + sizeof(std::int64_t) + sizeof(TipMass));
}

/// The masses in the memory of a device.
template <class Device>
class LevelRounds {
  template <class T>
  using Array = typename Device::template Array<T>;

public:
  /// @param tipMasses  of points; not empty
  LevelRounds(Device& on, std::size_t pointCount, const TipMasses& tipMasses)
      : device(on), points(pointCount), tips(on.upload(std::span<const TipMass>(tipMasses.tips))),
        tipCount(int(tipMasses.tips.size())) {}

  /// Passes the masses of the tips on. Returns false if the monitor requested a stop.
  /// @param graph    as in CountUsers
  /// @param maximum  as in PassLevel
  template <class Graph>
  bool run(const Graph& graph, std::int64_t maximum, const Monitor& monitor) {
    return find(graph, monitor.part(0, 0.5)) && pass(graph, maximum, monitor.part(0.5, 0.5));
  }

  /// Finds the points that the tips depend on: `graph.forUsed` is called once for each of them. Returns false
  /// if the monitor requested a stop.
  template <class Graph>
  bool find(const Graph& graph, const Monitor& monitor) {
    LevelView level{control.data(), found.data(), users.data(), device.manyThreads()};
    device.run(PlaceTips{level, tips.data(), tipCount, mass.data()},
               execution::blocksOf<PlaceTips>(tipCount));
    start(tipCount);
    if (!goThrough(CountUsers<Graph>{graph, level}, int(points), monitor)) return false;
    foundCount = counters().listed;
    return true;
  }

  /// Passes the masses on, after `find`. Returns false if the monitor requested a stop.
  template <class Graph>
  bool pass(const Graph& graph, std::int64_t maximum, const Monitor& monitor) {
    LevelView level{control.data(), passed.data(), users.data(), device.manyThreads()};
    start(0);
    device.run(ListFirst{found.data(), foundCount, level}, execution::blocksOf<ListFirst>(foundCount));
    if (!goThrough(PassLevel<Graph>{graph, level, mass.data(), maximum}, foundCount, monitor)) return false;
    passedCount = counters().listed;
    return true;
  }

  /// Returns whether a mass exceeded the maximum. Then the masses are not right.
  bool isTooLarge() { return counters().isTooLarge != 0; }

  /// Returns the points that the tips depend on, themselves included, in any order.
  std::vector<int> reached() {
    std::vector<int> list(static_cast<std::size_t>(foundCount));
    device.download(found, list.data(), list.size());
    return list;
  }
  /// Returns the mass of each point, all that passed it or has arrived.
  std::vector<std::int64_t> masses() {
    std::vector<std::int64_t> all(points);
    device.download(mass, all.data());
    return all;
  }
  /// Returns the points that still wait for users, ascending.
  std::vector<std::int32_t> waiting() {
    std::vector<std::int32_t> wait;
    if (passedCount == foundCount) return wait;
    std::vector<int> left(points);
    device.download(users, left.data());
    for (std::size_t p = 0; p < points; ++p)
      if (left[p] > 0) wait.push_back(std::int32_t(p));
    return wait;
  }

private:
  Device& device;
  std::size_t points;
  Array<TipMass> tips;
  int tipCount, foundCount = 0, passedCount = 0;
  Array<int> found = device.template allocate<int>(points), passed = device.template allocate<int>(points);
  Array<int> users = device.template array<int>(points, 0);
  Array<std::int64_t> mass = device.template array<std::int64_t>(points, 0);
  Array<LevelControl> control = device.template allocate<LevelControl>(1);

  void start(int listed) { device.run(StartList{control.data(), listed}, 1); }
  LevelControl counters() {
    LevelControl now{};
    device.download(control, &now);
    return now;
  }

  /// Runs a kernel for one level after the other. Returns false if the monitor requested a stop.
  /// @param expected  number of points in the list at the end, for the monitor
  template <class Kernel>
  bool goThrough(const Kernel& kernel, int expected, const Monitor& monitor) {
    // The host asks the monitor after each level, and within large ones. A device records levels.
    constexpr bool onHost = std::is_same_v<Device, execution::HostDevice>;
    int slice = onHost ? 1 << 18 : std::numeric_limits<int>::max(); // points
    if constexpr (onHost && requires { Kernel::isSlow; }) slice = Kernel::isSlow ? 1 << 14 : slice;
    constexpr int batch = onHost ? 1 : 16;
    LevelControl* const counts = control.data();
    const int maximum = execution::blocksOf<Kernel>(std::int64_t(points));
    const auto someLevels = [&] {
      for (int i = 0; i < batch; ++i) {
        device.run(NextLevel{counts, slice}, 1);
        device.run(kernel, &counts->blocks, maximum);
      }
    };
    execution::Rounds<Device, LevelControl> rounds(device, counts, someLevels);
    const bool done = rounds.run(
        monitor, [](const LevelControl& now) { return now.level > 0 && now.blocks == 0; },
        [&](const LevelControl& now) { return double(now.begin) / double(expected); });
    rounds.finish();
    return done;
  }
};

} // namespace isochrone::adjoint
