#include "Execution/Crew.h"

#include "FirstException.h"

#include <new>
#include <system_error>

namespace isochrone::execution {

namespace {

/// Tries before a thread goes to sleep: some ten microseconds, as long as the pause between two rounds.
constexpr int patience = 2000;

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Returns when `value` is no longer `old`.
template <class T>
void waitWhile(const std::atomic<T>& value, T old) {
  for (int i = 0; i < patience; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  value.wait(old, std::memory_order_acquire);
}

} // namespace

Crew::Crew(int threads) {
  try {
    for (int t = 1; t < threads; ++t) helpers.emplace_back([this, t] { help(t); });
  } catch (const std::system_error&) { // no more threads: those that began are enough
  } catch (const std::bad_alloc&) {
  }
}

Crew::~Crew() {
  leaving = true;
  round.store(Round{round.load()}.next(0).word);
  round.notify_all();
  for (std::thread& helper : helpers) helper.join();
}

/// Does one job, if there is one that nobody has taken.
bool Crew::takeOne(int thread) {
  Round now{round.load(std::memory_order_acquire)};
  do {
    if (now.taken() >= now.count()) return false;
  } while (!round.compare_exchange_weak(now.word, now.word + 1, std::memory_order_acq_rel,
                                        std::memory_order_acquire));
  // The round cannot end before this job is done, so its work is still there.
  (*work.load(std::memory_order_acquire))(now.taken(), thread);
  if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) left.notify_one();
  return true;
}

void Crew::help(int thread) {
  while (!leaving) {
    const std::uint64_t seen = round.load(std::memory_order_acquire);
    if (!takeOne(thread) && !leaving) waitWhile(round, seen);
  }
}

void Crew::run(int count, const std::function<void(int, int)>& job) {
  if (count == 1 || helpers.empty()) {
    for (int i = 0; i < count; ++i) job(i, 0);
    return;
  }
  FirstException failure;
  const std::function<void(int, int)> guarded = [&](int i, int thread) {
    failure.guard([&] { job(i, thread); });
  };
  work.store(&guarded, std::memory_order_release);
  left.store(count, std::memory_order_release);
  round.store(Round{round.load()}.next(count).word, std::memory_order_release);
  round.notify_all();
  while (takeOne(0)) {
  }
  for (int still = left.load(std::memory_order_acquire); still > 0;
       still = left.load(std::memory_order_acquire))
    waitWhile(left, still);
  failure.rethrow();
}

} // namespace isochrone::execution
