// Values.h - the array type for large results.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace isochrone {

/// Returns memory that starts at a cache line, and lies on large pages if it is large. The first touch of
/// 256^3 floats takes two threads 18 ms on small pages and 7 ms on large ones.
/// @throws std::bad_alloc
void* allocateAligned(std::size_t bytes);

/// Frees memory of allocateAligned(bytes).
void freeAligned(void* memory, std::size_t bytes);

/// Leaves new elements uninitialised, so that the threads that compute a large result are the first to touch
/// its memory. Clearing it on one thread beforehand would take 20 ms for 8.6 million floats, where the
/// fastest solve takes 70 ms.
template <class T>
struct UninitializedAllocator : std::allocator<T> {
  T* allocate(std::size_t n) { return static_cast<T*>(allocateAligned(n * sizeof(T))); }
  void deallocate(T* p, std::size_t n) { freeAligned(p, n * sizeof(T)); }
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
};

/// A vector whose resize() leaves new elements uninitialised.
template <class T>
using Values = std::vector<T, UninitializedAllocator<T>>;

} // namespace isochrone
