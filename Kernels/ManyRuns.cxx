#include "ManyRuns.h"

#include "Execution/RoundPool.h"
#include "FirstException.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace isochrone {

namespace {

/// The state that the threads of forEachRun share.
class Runs {
public:
  using Run = std::function<void(std::int64_t, const Monitor&)>;

  Runs(std::int64_t number, int workers, const Run& task) : count(number), run(task), shares(workers) {
    for (std::atomic<double>& share : shares) share = 0;
  }

  /// Takes runs until there are none, or a stop is requested.
  void work(int worker) {
    const Monitor monitor{[this, worker](double share) {
      shares[std::size_t(worker)] = share;
      return !stop;
    }};
    for (std::int64_t i = next++; i < count && !stop; i = next++) {
      if (!failure.guard([&] { run(i, monitor); })) stop = true;
      shares[std::size_t(worker)] = 0;
      ++done;
    }
    const std::lock_guard lock(mutex);
    ++left;
    ended.notify_one();
  }

  /// Reports until all workers have left, which do not throw. Returns whether to continue.
  bool watch(const Monitor& monitor) {
    constexpr auto pause = std::chrono::milliseconds(100);
    double last = 0;
    bool asked = false; // to stop
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, pause, [&] { return left == std::int64_t(shares.size()); })) {
      lock.unlock();
      double sum = double(done);
      for (const std::atomic<double>& share : shares) sum += share;
      last = std::max(last, std::min(1., sum / double(count)));
      if (!failure.guard([&] { asked = asked || !monitor.report(last); }) || asked) stop = true;
      lock.lock();
    }
    lock.unlock();
    failure.rethrow();
    return !asked;
  }

private:
  const std::int64_t count;
  const Run& run;
  std::atomic<std::int64_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  std::vector<std::atomic<double>> shares; ///< per worker, completed share of its present run
  FirstException failure;
  std::mutex mutex; ///< guards `left`
  std::condition_variable ended;
  std::int64_t left = 0; ///< workers that take no more runs
};

} // namespace

RunsAtOnce chooseRunsAtOnce(std::int64_t count, int threads, double bytes, double kept) {
  const int all = chooseThreads(threads);
  int runs = int(std::clamp<std::int64_t>(count, 1, all));
  while (runs > 1 && !hasHostMemory(std::size_t(std::min(kept + bytes * runs, 9e18)))) --runs;
  return {runs, std::max(1, all / runs)};
}

bool forEachRun(std::int64_t count, int atOnce, const Monitor& monitor,
                const std::function<void(std::int64_t, const Monitor&)>& run) {
  if (!monitor.report(0)) return false;
  execution::RoundPool pool(atOnce > 1 && !execution::SimulatedWorkers::current() ? atOnce + 1 : 1);
  if (pool.size() == 1) { // also where the system has no threads
    for (std::int64_t i = 0; i < count; ++i) {
      bool stopped = false;
      const Monitor part{[&](double share) {
        stopped = stopped || !monitor.report((double(i) + share) / double(count));
        return !stopped;
      }};
      run(i, part);
      if (stopped || !part.report(1)) return false;
    }
    return true;
  }
  Runs runs(count, atOnce, run);
  bool goesOn = true;
  pool.run(atOnce + 1, [&](int job, int) {
    if (job == 0)
      goesOn = runs.watch(monitor);
    else
      runs.work(job - 1);
  });
  return goesOn && monitor.report(1);
}

bool forEachRun(std::int64_t count, const RunsAtOnce& onHost, bool mayUseDevice, int threads,
                const Monitor& monitor, const SolverRun& run) {
  const auto share = [&](std::int64_t runs) {
    return double(runs) / double(std::max<std::int64_t>(count, 1));
  };
  std::int64_t done = 0;
  for (bool onDevice = mayUseDevice; onDevice && done < count; ++done)
    if (!forEachRun(1, 1, monitor.part(share(done), share(1)), [&](std::int64_t, const Monitor& own) {
          onDevice = run(done, threads, own).value_or(Backend::Cuda) != Backend::Host;
        }))
      return false;
  return forEachRun(count - done, onHost.runs, monitor.part(share(done), 1 - share(done)),
                    [&](std::int64_t i, const Monitor& own) { run(done + i, onHost.threads, own); });
}

} // namespace isochrone
