#include "Execution/RoundPool.h"

#include "FirstException.h"

#include <new>
#include <system_error>

namespace isochrone::execution {

namespace {

/// Number of tries before a thread sleeps: about ten microseconds, the pause between two rounds.
constexpr int spinLimit = 2000;

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits until `value` differs from `old`.
template <class T>
void waitWhile(const std::atomic<T>& value, T old) {
  for (int i = 0; i < spinLimit; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  value.wait(old, std::memory_order_acquire);
}

} // namespace

RoundPool::RoundPool(int threads) {
  if (SimulatedWorkers* workersOfThread = SimulatedWorkers::current()) {
    if (threads > 1 && !workersOfThread->runTask()) simulated = workersOfThread, simulatedSize = threads;
    return;
  }
  try {
    for (int t = 1; t < threads; ++t) workers.emplace_back([this, t] { work(t); });
  } catch (const std::system_error&) { // the threads that started are enough
  } catch (const std::bad_alloc&) {
  }
}

RoundPool::~RoundPool() {
  round |= Round::last;
  round.notify_all();
  for (std::thread& worker : workers) worker.join();
}

/// Runs an unclaimed job, if one exists. Returns whether it ran one.
bool RoundPool::takeOne(int thread) {
  Round now{round.load(std::memory_order_acquire)};
  do {
    if (now.taken() >= now.count()) return false;
  } while (!round.compare_exchange_weak(now.word, now.word + 1, std::memory_order_acq_rel,
                                        std::memory_order_acquire));
  runJob(now.taken(), thread);
  return true;
}

/// Runs a claimed job. The round cannot end before it is done, so its task still exists.
void RoundPool::runJob(int i, int thread) {
  (*job.load(std::memory_order_acquire))(i, thread);
  if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) left.notify_one();
}

void RoundPool::work(int thread) {
  for (;;) {
    const Round seen{round.load(std::memory_order_acquire)};
    if (seen.isLast()) return;
    if (!takeOne(thread)) waitWhile(round, seen.word);
  }
}

void RoundPool::run(int count, const std::function<void(int, int)>& task) {
  if (simulated && count > 1) {
    simulated->run(simulatedSize, count, [&](std::int64_t i, int worker) { task(int(i), worker); });
    return;
  }
  if (count <= 1 || workers.empty()) {
    for (int i = 0; i < count; ++i) task(i, 0);
    return;
  }
  FirstException failure;
  const std::function<void(int, int)> guarded = [&](int i, int thread) {
    failure.guard([&] { task(i, thread); });
  };
  job.store(&guarded, std::memory_order_release);
  left.store(count, std::memory_order_release);
  round.store(Round{round.load()}.next(count).word, std::memory_order_release);
  round.notify_all();
  runJob(0, 0);
  while (takeOne(0)) {
  }
  for (int still = left.load(std::memory_order_acquire); still > 0;
       still = left.load(std::memory_order_acquire))
    waitWhile(left, still);
  failure.rethrow();
}

} // namespace isochrone::execution
