// Values.h - the array type of large results.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace isochrone {

/// Leaves new elements uninitialised: the threads that compute a large result are the first to touch its
/// memory, instead of one thread that clears it beforehand (20 ms for 8.6 million floats, where the fastest
/// solve takes 70 ms).
template <class T>
struct UninitializedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UninitializedAllocator<U>;
  };
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
  }
};

/// A vector whose resize() does not clear.
template <class T>
using Values = std::vector<T, UninitializedAllocator<T>>;

} // namespace isochrone
