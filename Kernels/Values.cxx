#include "Values.h"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace isochrone {

namespace {

constexpr std::size_t cacheLine = 64, largePage = std::size_t(1) << 21;

/// Returns the alignment of an array: a large page if the array fills several, otherwise a cache line.
std::size_t alignmentOf(std::size_t bytes) { return bytes >= 4 * largePage ? largePage : cacheLine; }

} // namespace

void* allocateAligned(std::size_t bytes) {
  const std::size_t page = alignmentOf(bytes), whole = (bytes + page - 1) / page * page;
  void* memory = ::operator new(whole, std::align_val_t(page));
#ifdef __linux__
  if (page == largePage) madvise(memory, whole, MADV_HUGEPAGE); // best effort; failure is harmless
#endif
  return memory;
}

void freeAligned(void* memory, std::size_t bytes) {
  ::operator delete(memory, std::align_val_t(alignmentOf(bytes)));
}

} // namespace isochrone
