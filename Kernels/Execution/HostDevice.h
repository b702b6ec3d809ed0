// HostDevice.h - arrays and tile kernels on the host. CudaDevice.h has the same interface, and a solver is a
// template over the two.
//
//   array(n, value), allocate<T>(n), upload(span), download(array, out [, n]): device memory
//   run(kernel, count, maximum): kernel(team, shared, position) for the positions 0 .. *count - 1. The count
//     lies in device memory, so that one kernel can decide how much the next one does; `maximum` bounds it.
//   run(kernel, count): the same with a count known on the host, or with kernel.positions() if that is
//     less, which runs on the device before the positions
//     On the host each position of a kernel with Kernel::isSlow is a job of its own.
//   compact(flags, list, count): list = the positions of the nonzero flags, ascending; *count = their number
//   record(f): records the runs that f makes, for replay
//   manyThreads(): whether more than one thread runs lanes
//   wait(): waits until all runs are done
//   watch(p): reads the value at p in device memory without waiting for the runs just started
//   timer(): mark() between runs; seconds() waits and returns the times from each mark to the next
#pragma once

#include "Execution/RoundPool.h"
#include "Execution/Team.h"
#include "Values.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace isochrone::execution {

#if defined(__GNUC__) && !defined(__clang__) // the lanes vectorise only if every phase is inlined
#define TEAM_HOST_KERNEL __attribute__((flatten, noinline, noclone))
#else
#define TEAM_HOST_KERNEL __attribute__((flatten, noinline))
#endif

/// The host counterpart of runTiles in CudaDevice.h.
template <class Team, class Kernel>
TEAM_HOST_KERNEL void runTilesOnHost(const Kernel& kernel, int first, int last) {
  typename Kernel::Shared shared;
  Team team;
  for (int position = first; position < last; ++position) kernel(team, shared, position);
}

class HostDevice {
  std::unique_ptr<RoundPool> own; ///< null: the pool is that of the caller

public:
  RoundPool& pool;
  explicit HostDevice(int threads = 1) : own(std::make_unique<RoundPool>(threads)), pool(*own) {}
  explicit HostDevice(RoundPool& of) : pool(of) {}

  bool manyThreads() const { return pool.size() > 1; }

  template <class T>
  struct Array {
    Values<T> values;
    T* data() { return values.data(); }
    std::size_t bytes() const { return values.size() * sizeof(T); }
  };

  template <class T>
  Array<T> array(std::size_t n, T value) {
    return {Values<T>(n, value)};
  }
  /// Returns an array whose values are not set.
  template <class T>
  Array<T> allocate(std::size_t n) {
    return {Values<T>(n)};
  }
  template <class T>
  Array<T> upload(std::span<const T> values) {
    return {Values<T>(values.begin(), values.end())};
  }
  template <class T>
  void download(Array<T>& from, T* to) {
    download(from, to, from.values.size());
  }
  template <class T>
  void download(Array<T>& from, T* to, std::size_t n) {
    std::copy_n(from.values.begin(), n, to);
  }

  template <class Kernel>
  void run(const Kernel& kernel, const int* count, int) {
    run(kernel, *count);
  }
  template <class Kernel>
  void run(const Kernel& kernel, int count) {
    using Team = HostTeam<typename Kernel::Lanes>;
    if constexpr (requires { kernel.positions(); }) count = std::min(kernel.positions(), count);
    int batch = 16; // positions per job
    if constexpr (requires { Kernel::isSlow; }) batch = Kernel::isSlow ? 1 : batch;
    pool.forRanges(count, batch, [&](std::int64_t begin, std::int64_t end, int) {
      runTilesOnHost<Team>(kernel, int(begin), int(end));
    });
  }

  void compact(Array<std::uint8_t>& flags, Array<int>& list, int* count) {
    int n = 0;
    for (std::size_t i = 0; i < flags.values.size(); ++i)
      if (flags.values[i]) list.values[n++] = int(i);
    *count = n;
  }

  void wait() {}

  struct Recording {
    std::function<void()> replay;
  };
  Recording record(std::function<void()> runs) { return {std::move(runs)}; }

  template <class T>
  struct Watch {
    const T* value;
    T latest() const { return *value; }
  };
  template <class T>
  Watch<T> watch(const T* value) {
    return {value};
  }

  struct Timer {
    using Clock = std::chrono::steady_clock;
    std::vector<Clock::time_point> marks;
    void mark() { marks.push_back(Clock::now()); }
    std::vector<double> seconds() {
      std::vector<double> between;
      for (std::size_t i = 1; i < marks.size(); ++i)
        between.push_back(std::chrono::duration<double>(marks[i] - marks[i - 1]).count());
      return between;
    }
  };
  Timer timer() { return {}; }
};

} // namespace isochrone::execution
