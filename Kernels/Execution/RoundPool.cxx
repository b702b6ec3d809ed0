#include "Execution/RoundPool.h"

#include "Execution/HelperThreads.h"
#include "FirstException.h"

#include <new>

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
  if (threads <= 1) return;
  try {
    shared = std::make_shared<Shared>();
    while (helpers + 1 < threads && startHelper([all = shared, t = helpers + 1] { all->work(t); })) ++helpers;
  } catch (const std::bad_alloc&) { // the threads that started are enough
  }
}

RoundPool::~RoundPool() {
  if (helpers == 0) return;
  shared->round |= Round::last;
  shared->round.notify_all();
  for (int t = 0; t < helpers; ++t) releaseHelper();
}

/// Runs an unclaimed job, if one exists. Returns whether it ran one.
bool RoundPool::Shared::takeOne(int thread) {
  Round now{round.load(std::memory_order_acquire)};
  do {
    if (now.taken() >= now.count()) return false;
  } while (!round.compare_exchange_weak(now.word, now.word + 1, std::memory_order_acq_rel,
                                        std::memory_order_acquire));
  runJob(now.taken(), thread);
  return true;
}

/// Runs a claimed job. The round cannot end before it is done, so its task still exists.
void RoundPool::Shared::runJob(int i, int thread) {
  (*job.load(std::memory_order_acquire))(i, thread);
  if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) left.notify_one();
}

void RoundPool::Shared::work(int thread) {
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
  if (count <= 1 || helpers == 0) {
    for (int i = 0; i < count; ++i) task(i, 0);
    return;
  }
  FirstException failure;
  const std::function<void(int, int)> guarded = [&](int i, int thread) {
    failure.guard([&] { task(i, thread); });
  };
  shared->job.store(&guarded, std::memory_order_release);
  shared->left.store(count, std::memory_order_release);
  shared->round.store(Round{shared->round.load()}.next(count).word, std::memory_order_release);
  shared->round.notify_all();
  shared->runJob(0, 0);
  while (shared->takeOne(0)) {
  }
  for (int still = shared->left.load(std::memory_order_acquire); still > 0;
       still = shared->left.load(std::memory_order_acquire))
    waitWhile(shared->left, still);
  failure.rethrow();
}

} // namespace isochrone::execution
