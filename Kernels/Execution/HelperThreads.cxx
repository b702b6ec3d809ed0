#include "Execution/HelperThreads.h"

#include <atomic>
#include <cfenv>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include <pthread.h>
#include <sched.h>

namespace isochrone::execution {

namespace {

class Helpers {
public:
  bool start(std::function<void()> task) {
    const std::lock_guard lock(mutex);
    tasks.push_back(std::move(task));
    if (unreleased == threads) {
      try {
        std::thread([this] { work(); }).detach();
      } catch (const std::exception&) {
        tasks.pop_back();
        return false;
      }
      ++threads;
    }
    ++unreleased;
    wake.notify_one();
    return true;
  }

  void release() {
    const std::lock_guard lock(mutex);
    if (unreleased > 0) --unreleased; // in a forked process a pool of the parent may end
  }

  /// Ends the threads whose tasks are released, and waits until they leave.
  void end() {
    std::unique_lock lock(mutex);
    ended = true;
    wake.notify_all();
    left.wait(lock, [&] { return threads <= unreleased; });
  }

private:
  std::mutex mutex; ///< guards all members
  std::condition_variable wake, left;
  std::deque<std::function<void()>> tasks; ///< not yet taken
  int threads = 0, unreleased = 0;         ///< at least as many threads as unreleased tasks
  bool ended = false;

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      wake.wait(lock, [&] { return ended || !tasks.empty(); });
      if (tasks.empty()) break;
      const std::function<void()> task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
    --threads;
    left.notify_all();
  }
};

/// Those of this process; null before their first use, also in a forked process, which has none of the
/// threads. They are never destroyed, since a thread with a task may outlive all other objects.
std::atomic<Helpers*> ofProcess{nullptr};

struct Setup {
  Setup() {
    pthread_atfork(nullptr, nullptr, [] { ofProcess = nullptr; });
  }
  ~Setup() {
    if (Helpers* helpers = ofProcess) helpers->end();
  }
};

Helpers& helpers() {
  static const Setup setup;
  Helpers* now = ofProcess;
  if (now) return *now;
  auto made = std::make_unique<Helpers>();
  return ofProcess.compare_exchange_strong(now, made.get()) ? *made.release() : *now;
}

/// What a new thread takes over from the one that starts it.
struct Inheritance {
  std::fenv_t modes;
  cpu_set_t cores;
  bool hasCores;

  Inheritance() : hasCores(sched_getaffinity(0, sizeof cores, &cores) == 0) { std::fegetenv(&modes); }
  void take() const {
    std::fesetenv(&modes);
    if (hasCores) sched_setaffinity(0, sizeof cores, &cores);
  }
};

} // namespace

bool startHelper(std::function<void()> task) {
  return helpers().start([caller = Inheritance(), task = std::move(task)] {
    caller.take();
    task();
  });
}
void releaseHelper() { helpers().release(); }

} // namespace isochrone::execution
