// BusyProcesses.h - processes that do the same work again and again, to share the machine with.
#pragma once

#include "Table.h"

#include <csignal>
#include <functional>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace isochrone::benchmark {

/// They run while it exists.
class BusyProcesses {
public:
  /// @param work  work(i) is what process i repeats, on its own copy of this process's memory
  BusyProcesses(unsigned count, const std::function<void(unsigned)>& work) {
    const pid_t parent = getpid();
    const auto repeat = [&](unsigned i) noexcept { // the child must not go on as its parent would
      while (getppid() == parent) work(i);
    };
    for (unsigned i = 0; i < count; ++i) {
      const pid_t child = fork();
      if (child < 0) throw Error("cannot start a process");
      if (child > 0) {
        children.push_back(child);
        continue;
      }
      repeat(i);
      _exit(0);
    }
  }
  ~BusyProcesses() {
    for (const pid_t child : children) kill(child, SIGKILL), waitpid(child, nullptr, 0);
  }
  BusyProcesses(const BusyProcesses&) = delete;
  BusyProcesses& operator=(const BusyProcesses&) = delete;

private:
  std::vector<pid_t> children;
};

} // namespace isochrone::benchmark
