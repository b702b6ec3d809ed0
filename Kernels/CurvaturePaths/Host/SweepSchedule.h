// SweepSchedule.h - shares the sweep of two opposite sectors among threads.
//
// A row of a strip needs earlier rows only: of its own strip and of those beside it, since stencils reach
// less than a strip is wide. So strips advance row by row, each at most one row ahead of its neighbours, and
// no thread waits for the end of a row. Threads take the strips that may advance; the values do not depend on
// which thread takes which.
#pragma once

#include "CurvaturePaths/Host/SectorSweep.h"

#include <atomic>
#include <functional>
#include <vector>

namespace isochrone::curvature {

class SweepSchedule {
public:
  /// @param first  the sectors are `first` and `first + 2`
  SweepSchedule(const SectorView* sectors, int first, int threads);

  /// Sweeps a row of the blocks from `first` to `end`, as SectorKernels::sweepRow.
  using SweepRow = std::function<void(int sector, int step, int first, int end)>;

  /// Sweeps rows until all are done or another thread stops. Each of the threads calls it once.
  /// @param goesOn  called after each row: false stops all threads, as does an exception
  void work(int thread, const SweepRow& sweepRow, const std::function<bool()>& goesOn);

private:
  /// Adjacent strips of a sector, which advance together.
  struct alignas(64) Group {
    int sector = 0, first = 0, end = 0; ///< blocks
    int steps = 0;                      ///< rows of the sweep
    const Group *left = nullptr, *right = nullptr;
    std::atomic<int> done{0};
    std::atomic<bool> taken{false};

    bool mayAdvance() const;
  };

  bool advance(Group& group, const SweepRow& sweepRow, const std::function<bool()>& goesOn);

  const int threads;
  std::vector<Group> groups;
  std::atomic<int> unfinished{0}; ///< groups
  std::atomic<bool> stopped{false};
};

} // namespace isochrone::curvature
