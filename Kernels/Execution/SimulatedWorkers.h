// SimulatedWorkers.h - what a solve would take on a machine with more cores.
//
// While a SimulatedWorkers exists, the RoundPools that its thread makes start no threads. They run their
// tasks one after the other on this thread, in the order in which their number of workers would take them:
// the next task goes to the worker that is free first, where the duration of a task is its counted work. Of
// the time measured for a loop, the share of the worker with most work would remain. So results, updates and
// serial parts are those of a real solve with that many threads; the time to wake threads, and caches and
// memory that cores share, are not simulated.
#pragma once

#include <cstdint>
#include <functional>

namespace isochrone::execution {

class SimulatedWorkers {
public:
  SimulatedWorkers();
  ~SimulatedWorkers();
  SimulatedWorkers(const SimulatedWorkers&) = delete;
  SimulatedWorkers& operator=(const SimulatedWorkers&) = delete;

  /// Returns those of this thread, or null.
  static SimulatedWorkers* current();
  /// Returns whether one of them runs a task. Its loops are not shared again.
  bool runTask() const { return inTask; }

  /// Counts work of the task that is running, in any unit that fits all tasks of its loop. A task that counts
  /// none counts as 1. Does nothing where no workers are simulated.
  static void countWork(double work);

  /// Returns the seconds that the workers would have saved so far.
  double savedSeconds() const { return saved; }

  /// Calls task(i, worker) for i = 0 ... count - 1.
  void run(int workers, std::int64_t count, const std::function<void(std::int64_t, int)>& task);

  /// Runs tasks that wait for others, until none is left.
  /// @param begin  begin(worker) does the work of a task that is ready, apart from what other tasks wait for.
  ///               Returns whether there was one.
  /// @param end    end(worker) is called when the worker would have finished: other tasks may become ready
  void runWhenReady(int workers, const std::function<bool(int)>& begin, const std::function<void(int)>& end);

private:
  double saved = 0, counted = 0;
  bool inTask = false;

  template <class Task>
  double workOf(Task&& task);
};

} // namespace isochrone::execution
