// PartCosts.h - the costs of a solve in parts, all in this process and one thread each.
#pragma once

#include "PartsInProcess.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <ctime>

namespace isochrone::benchmark {

inline double processorSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Returns the parts on each axis: as equal as the factors of the number allow.
inline std::array<int, 3> divided(int parts, int axes = 3) {
  std::array<int, 3> counts{1, 1, 1};
  for (int factor = 2; parts > 1;) {
    if (parts % factor) {
      ++factor;
      continue;
    }
    *std::min_element(counts.rend() - axes, counts.rend()) *= factor;
    parts /= factor;
  }
  return counts;
}

/// Processor seconds.
struct PartCosts {
  double total = 0;
  /// The sum over the exchanges of the slowest part before each: the time that as many processors would take,
  /// without the exchanges themselves.
  double critical = 0;
};

/// Calls solve(p, part) for each part, in a thread of its own. One part works at a time, since parts that
/// work side by side slow each other down: they share caches, and often the two threads of a core.
template <class Solve>
PartCosts costsOfParts(const std::vector<grid::Box>& boxes, const GridIndex& size, std::int64_t margin,
                       Solve&& solve) {
  grid::PartsInProcess process(boxes, size, margin);
  std::vector<std::vector<double>> steps(boxes.size()); // seconds between the exchanges, per part
  std::mutex processor;
  process.run([&](int p) {
    std::unique_lock turn(processor);
    std::vector<double>& own = steps[std::size_t(p)];
    grid::GridPart part = process.part(p);
    double before = processorSeconds();
    const auto step = [&] {
      const double now = processorSeconds();
      own.push_back(now - before);
      before = now;
    };
    part.exchange = [&, others = process.part(p).exchange](std::span<double> minima,
                                                           const std::vector<grid::Message>& messages) {
      step();
      turn.unlock();
      auto heard = others(minima, messages);
      turn.lock();
      before = processorSeconds();
      return heard;
    };
    solve(p, part);
    step();
  });
  PartCosts costs;
  for (std::size_t n = 0; n < steps[0].size(); ++n) {
    double slowest = 0;
    for (const auto& own : steps) slowest = std::max(slowest, own.at(n)), costs.total += own[n];
    costs.critical += slowest;
  }
  return costs;
}

} // namespace isochrone::benchmark
