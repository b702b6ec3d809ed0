// InParallel.h - parallel loops over large arrays. Debian's VTK runs SMP loops on one thread.
#pragma once

#include "Backend.h"
#include "FirstException.h"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace isochrone::filters {

/// Calls `work(part, begin, end)` for each of `parts` consecutive parts of [0, size), one thread per part.
/// Rethrows an exception of `work` after all parts have ended.
template <class Work>
void inParallel(int parts, std::int64_t size, const Work& work) {
  const auto begin = [&](int part) {
    return size / parts * part + std::min<std::int64_t>(part, size % parts);
  };
  FirstException failure;
  const auto one = [&](int part) { failure.guard([&] { work(part, begin(part), begin(part + 1)); }); };
  {
    std::vector<std::jthread> others;
    for (int part = 1; part < parts; ++part) others.emplace_back(one, part);
    one(0);
  } // joins them
  failure.rethrow();
}

/// Returns the number of parts: one per thread (0: as many as cores), fewer for small arrays.
inline int partsFor(int threads, std::int64_t size) {
  constexpr std::int64_t minimum = 1 << 16; // minimum number of values per thread
  return int(std::clamp<std::int64_t>(size / minimum, 1, chooseThreads(threads)));
}

} // namespace isochrone::filters
