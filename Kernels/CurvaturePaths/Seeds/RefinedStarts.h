// RefinedStarts.h - near-seed start values from the scheme itself, on two small grids that get finer towards
// the seed.
#pragma once

#include "CurvaturePaths/Seeds/RefinedGrid.h"
#include "CurvaturePaths/Seeds/StartCache.h"
#include "Monitor.h"

#include <memory>

namespace isochrone::curvature {

class RefinedStarts {
public:
  /// Solves, unless the cache has the solutions.
  /// @param cache  may be null
  RefinedStarts(const Problem& problem, const Walls& walls, std::int32_t seed, StartCache* cache, int threads,
                const Monitor& monitor);

  /// The monitor stopped the solve; solutions() must not be called.
  bool aborted() const { return !solved; }

  const SeedFrame::Fine& coarse() const { return coarseGrid; }
  const SeedFrame::Fine& fine() const { return fineGrid; }
  const RefinedSolutions& solutions() const { return *solved; }
  const SeedFrame& frame() const { return seedFrame; }

  /// Returns the travel time since the seed per travel time on the fine grids: a constant cost is solved as
  /// 1.
  double scale() const { return perTime; }

  /// Returns the state of the finer grid at a state of the coarser grid; -1 if it lies outside.
  std::int64_t stateOfFiner(std::int64_t state) const;

private:
  Result solve(const SeedFrame::Fine& grid, int heading, const Result* finer, int threads,
               const Monitor& monitor) const;
  std::vector<double> key() const;

  State seed;
  SeedFrame seedFrame;
  SeedFrame::Fine coarseGrid, fineGrid;
  double perTime = 1;
  std::shared_ptr<const RefinedSolutions> solved;
};

} // namespace isochrone::curvature
