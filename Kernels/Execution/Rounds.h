// Rounds.h - the round loop of the device solvers. The device decides what each round does. The host replays
// recorded batches of rounds and reads the counters of the previous batch, so the device never waits for it.
#pragma once

#include "Monitor.h"

#include <chrono>
#include <cstdint>

namespace isochrone::execution {

/// Returns the number of blocks of a kernel with one lane per item.
template <class Kernel>
int blocksOf(std::int64_t items) {
  return int((items + Kernel::Lanes::size - 1) / Kernel::Lanes::size);
}

/// @tparam Control  the counters, in device memory; their default values apply before the first round
template <class Device, class Control>
class Rounds {
public:
  /// Runs a batch, so that all kernels are loaded, and records another one.
  /// @param counters  in device memory
  /// @param batch     batch() runs the kernels of some rounds. Rounds after the last one do nothing.
  template <class Batch>
  Rounds(Device& on, const Control* counters, const Batch& batch)
      : device(on), recording(start(batch)), watch(on.watch(counters)) {}

  /// Replays the batch until done(counters) is true.
  /// @param done   done(counters): whether all work is done
  /// @param share  share(counters): completed share of the work, for the monitor
  /// @return false if the monitor requested a stop
  template <class Done, class Share>
  bool run(const Monitor& monitor, const Done& done, const Share& share) {
    while (!done(latest)) {
      recording.replay();
      latest = watch.latest();
      if (!monitor.report(share(latest))) return false;
    }
    return true;
  }

  /// Waits for all rounds. Returns the seconds since the first one began.
  double finish() {
    device.wait();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  /// Returns the counters that run() read last.
  const Control& counters() const { return latest; }

private:
  using Clock = std::chrono::steady_clock;

  template <class Batch>
  typename Device::Recording start(const Batch& batch) {
    device.wait();
    begin = Clock::now();
    batch();
    return device.record(batch);
  }

  Device& device;
  Clock::time_point begin;
  typename Device::Recording recording;
  typename Device::template Watch<Control> watch;
  Control latest{};
};

} // namespace isochrone::execution
