#include "Trace.h"

#include <cstdio>
#include <cstdlib>

namespace on_host {

namespace {

/// Never closed, since destructors of the program may still call the runtime. The C library flushes it.
std::FILE* file() {
  static std::FILE* const only = [] {
    const char* name = std::getenv("CUDA_ON_HOST_TRACE");
    std::FILE* opened = name ? std::fopen(name, "w") : nullptr;
    if (name && !opened) std::perror(name);
    return opened;
  }();
  return only;
}

} // namespace

bool tracing() { return file() != nullptr; }

void traceLaunch(const Launch& l) {
  const Counts& c = l.kernel->counts;
  std::fprintf(file(), "launch %u %u %lld %lld %lld %lld %lld %lld %lld %s\n",
               l.grid[0] * l.grid[1] * l.grid[2], l.threads[0] * l.threads[1] * l.threads[2], c.instructions,
               c.slots, c.lanes, c.sectors, c.fetched, c.conflicts, c.depth, l.kernel->shownName.c_str());
}
void traceCopy(std::size_t bytes) {
  if (tracing()) std::fprintf(file(), "copy %zu\n", bytes);
}
void traceWait(bool moreToDo) {
  if (tracing()) std::fprintf(file(), "wait %d\n", moreToDo);
}
void traceGraph() {
  if (tracing()) std::fprintf(file(), "graph\n");
}

} // namespace on_host
