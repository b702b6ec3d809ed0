// StartCache.h - caches solutions on the refined grids around seeds between solves.
#pragma once

#include "CurvaturePaths/CurvaturePaths.h"

#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace isochrone::curvature {

/// The solutions on both grids of a seed. Their `balls` hold the start states of each grid: the seed, and on
/// the coarser grid the solution on the finer one.
struct RefinedSolutions {
  Result coarse, fine;
};

/// The most recently used solutions. The default limit holds 64 seeds at 60 headings, 36 with an oriented
/// cost.
class StartCache {
public:
  using Solved = std::shared_ptr<const RefinedSolutions>;

  explicit StartCache(std::size_t limit = 256 << 20) : maxBytes(limit) {}

  /// @param key  everything that the solutions depend on
  /// @return null if not in the cache
  Solved find(const std::vector<double>& key);

  /// Adds solutions, and removes the least recently used ones beyond the limit. Solutions that exceed the
  /// limit by themselves are not added.
  void keep(std::vector<double> key, Solved solved);

private:
  struct Entry {
    std::vector<double> key;
    Solved solved;
    std::size_t bytes;
  };

  const std::size_t maxBytes;
  std::mutex mutex;
  std::size_t bytes = 0;
  std::list<Entry> entries;
};

} // namespace isochrone::curvature
