#include "Execution/SimulatedWorkers.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

namespace isochrone::execution {

namespace {

thread_local SimulatedWorkers* ofThread = nullptr;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Returns the time between two looks at the clock that follow each other.
double timeOfALook() {
  constexpr int looks = 1000;
  const double start = now();
  for (int i = 1; i < looks; ++i) now();
  return (now() - start) / looks;
}

} // namespace

SimulatedWorkers::SimulatedWorkers() { ofThread = this; }
SimulatedWorkers::~SimulatedWorkers() { ofThread = nullptr; }

SimulatedWorkers* SimulatedWorkers::current() { return ofThread; }

void SimulatedWorkers::countWork(double work) {
  if (ofThread) ofThread->counted += work;
}

/// Runs a task. Returns the work that it counted.
template <class Task>
double SimulatedWorkers::workOf(Task&& task) {
  counted = 0;
  inTask = true;
  try {
    task();
  } catch (...) {
    inTask = false;
    throw;
  }
  inTask = false;
  return counted > 0 ? counted : 1;
}

void SimulatedWorkers::run(int workers, std::int64_t count,
                           const std::function<void(std::int64_t, int)>& task) {
  std::vector<double> work(std::size_t(workers), 0.);
  double sum = 0;
  const double start = now();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto free = std::ranges::min_element(work);
    const double more = workOf([&] { task(i, int(free - work.begin())); });
    *free += more;
    sum += more;
  }
  if (sum > 0) saved += (now() - start) * (1 - std::ranges::max(work) / sum);
}

void SimulatedWorkers::runWhenReady(int workers, const std::function<bool(int)>& begin,
                                    const std::function<void(int)>& end) {
  static const double look = timeOfALook();
  using Finish = std::pair<double, int>; ///< work when a busy worker finishes, worker
  std::vector<Finish> busy;
  std::vector<int> idle;
  for (int w = workers; w-- > 0;) idle.push_back(w);
  double time = 0, sum = 0, seconds = 0;
  const double start = now();
  do {
    std::vector<int> waiting;
    for (; !idle.empty(); idle.pop_back()) {
      bool ready = false;
      const double before = now();
      const double work = workOf([&] { ready = begin(idle.back()); });
      if (!ready) {
        waiting.push_back(idle.back());
        continue;
      }
      seconds += now() - before - look;
      sum += work;
      busy.emplace_back(time + work, idle.back());
      std::push_heap(busy.begin(), busy.end(), std::greater<>());
    }
    idle.assign(waiting.rbegin(), waiting.rend());
    if (busy.empty()) break;
    time = busy.front().first;
    std::pop_heap(busy.begin(), busy.end(), std::greater<>());
    idle.push_back(busy.back().second);
    busy.pop_back();
    end(idle.back());
  } while (true);
  saved += now() - start - (sum > 0 ? seconds * time / sum : 0);
}

} // namespace isochrone::execution
