// failing_malloc.cxx - an allocation that fails, for tests: loaded before the program (LD_PRELOAD), it
// replaces malloc and its relatives.
#include <atomic>
#include <cerrno>
#include <cstddef>

#include <malloc.h>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
}

namespace {

constexpr std::size_t smallest = 16384; // bytes; Python, VTK and MPI allocate less in the runs of the tests

std::atomic<long> left{-1}; // allocations before the one that fails; negative: none fails

bool fails(std::size_t bytes) {
  if (bytes < smallest || left.load(std::memory_order_relaxed) < 0) return false;
  if (left.fetch_sub(1) != 0) return false;
  errno = ENOMEM;
  return true;
}

} // namespace

extern "C" {

/// Lets one allocation of at least 16384 bytes fail after `count` others; none if `count` is negative.
/// Returns how many were left before, negative if it has failed.
long fail_allocation(long count) { return left.exchange(count); }

void* malloc(std::size_t bytes) { return fails(bytes) ? nullptr : __libc_malloc(bytes); }
void* realloc(void* old, std::size_t bytes) {
  return bytes > malloc_usable_size(old) && fails(bytes) ? nullptr : __libc_realloc(old, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return fails(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) {
  void* memory = memalign(alignment, bytes);
  if (!memory) return ENOMEM;
  *result = memory;
  return 0;
}
}
