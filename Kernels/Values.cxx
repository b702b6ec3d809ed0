#include "Values.h"

#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace isochrone {

void* allocateAligned(std::size_t bytes) {
  constexpr std::size_t cacheLine = 64, largePage = std::size_t(1) << 21;
  const std::size_t page = bytes >= 4 * largePage ? largePage : cacheLine;
  const std::size_t whole = (bytes + page - 1) / page * page;
  void* memory = std::aligned_alloc(page, whole);
  if (!memory) throw std::bad_alloc();
#ifdef __linux__
  if (page == largePage) madvise(memory, whole, MADV_HUGEPAGE); // best effort; failure is harmless
#endif
  return memory;
}

void freeAligned(void* memory) { std::free(memory); }

} // namespace isochrone
