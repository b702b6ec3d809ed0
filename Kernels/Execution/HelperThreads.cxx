#include "Execution/HelperThreads.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include <pthread.h>

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
    --unreleased;
  }

  /// Ends the threads that have no task, so that none of them is left when the library is unloaded.
  void end() {
    std::unique_lock lock(mutex);
    ended = true;
    wake.notify_all();
    left.wait(lock, [&] { return waiting == 0; });
  }

private:
  std::mutex mutex; ///< guards all members
  std::condition_variable wake, left;
  std::deque<std::function<void()>> tasks; ///< not yet taken
  int threads = 0, unreleased = 0;         ///< at least as many threads as unreleased tasks
  int waiting = 0;                         ///< threads
  bool ended = false;

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      ++waiting;
      wake.wait(lock, [&] { return ended || !tasks.empty(); });
      --waiting;
      if (tasks.empty()) break;
      const std::function<void()> task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
    left.notify_all();
  }
};

/// Those of this process. They are never destroyed, since a thread with a task may outlive all other objects.
Helpers* ofProcess = nullptr;

/// Makes the helpers at first use, and anew in a forked process, which has none of the threads.
struct Setup {
  Setup() {
    const auto make = [] { ofProcess = new Helpers; };
    make();
    pthread_atfork(nullptr, nullptr, make);
  }
  ~Setup() { ofProcess->end(); }
};

Helpers& helpers() {
  static const Setup setup;
  return *ofProcess;
}

} // namespace

bool startHelper(std::function<void()> task) { return helpers().start(std::move(task)); }
void releaseHelper() { helpers().release(); }

} // namespace isochrone::execution
