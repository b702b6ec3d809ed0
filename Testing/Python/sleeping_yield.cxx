// sleeping_yield.cxx - ranks that sleep while they wait, for tests with more ranks than processors: loaded
// before the program (LD_PRELOAD), it replaces the function that Open MPI calls when nothing has arrived.
//
// sched_yield() returns at once, and the scheduler often chooses the same rank again. Waiting ranks then take
// half of the processors from those that compute.
#include <ctime>

#include <sched.h>

extern "C" int sched_yield() noexcept {
  const std::timespec pause{0, 50'000}; // ns
  nanosleep(&pause, nullptr);
  return 0;
}
