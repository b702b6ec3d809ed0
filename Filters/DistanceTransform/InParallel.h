// InParallel.h - loops over large arrays, shared by threads. VTK's own loops run on one thread in Debian.
#pragma once

#include "FirstException.h"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace isochrone::filters {

/// Calls `work(part, begin, end)` for each of `parts` consecutive parts of [0, size), each on a thread of its
/// own. Throws what `work` throws, after all of them.
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

/// As many parts as threads, but small arrays stay with one.
inline int partsFor(int threads, std::int64_t size) {
  constexpr std::int64_t least = 1 << 16; // values that are worth a thread
  return int(std::clamp<std::int64_t>(size / least, 1, std::max(threads, 1)));
}

} // namespace isochrone::filters
