// InParallel.h - loops over large arrays, shared by threads. VTK's own loops run on one thread in Debian.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace isochrone::filters {

/// Calls `work(part, begin, end)` for each of `parts` consecutive parts of [0, size), each on a thread of its
/// own. `work` must not throw.
template <class Work>
void inParallel(int parts, std::int64_t size, const Work& work) {
  const auto begin = [&](int part) {
    return size / parts * part + std::min<std::int64_t>(part, size % parts);
  };
  std::vector<std::jthread> others;
  for (int part = 1; part < parts; ++part)
    others.emplace_back([&, part] { work(part, begin(part), begin(part + 1)); });
  work(0, begin(0), begin(1));
}

/// As many parts as threads, but small arrays stay with one.
inline int partsFor(int threads, std::int64_t size) {
  constexpr std::int64_t least = 1 << 16; // values that are worth a thread
  return int(std::clamp<std::int64_t>(size / least, 1, std::max(threads, 1)));
}

} // namespace isochrone::filters
