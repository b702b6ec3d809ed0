// RefinedStarts.h - the ball of a seed by the scheme itself, on two small grids that get finer towards the
// seed.
#pragma once

#include "CurvaturePaths/Seeds/RefinedGrid.h"
#include "Monitor.h"

#include <memory>

namespace isochrone::curvature {

class NestedBall {
public:
  /// The solutions on both grids. Their balls are the states that each starts from: the seed, and on the
  /// coarser grid the solution on the finer one.
  struct Solutions {
    Result coarse, fine;
  };

  /// Solves, or remembers the solutions from the last time.
  NestedBall(const Problem& problem, std::int32_t seed, int threads, const Monitor& monitor);

  /// The monitor said stop: there are no solutions.
  bool aborted() const { return !solved; }

  const SeedFrame::Fine& coarse() const { return coarseGrid; }
  const SeedFrame::Fine& fine() const { return fineGrid; }
  const Solutions& solutions() const { return *solved; }
  const SeedFrame& frame() const { return seedFrame; }

  /// Travel time since the seed per travel time on the grids: a constant cost is solved as 1.
  double scale() const { return perTime; }

  /// The state of the finer grid at a state of the coarser one; -1 where that lies outside.
  std::int64_t stateOfFiner(std::int64_t state) const;

private:
  Result solve(const SeedFrame::Fine& grid, int heading, const Result* finer, int threads,
               const Monitor& monitor) const;
  std::vector<double> key() const;

  State seed;
  SeedFrame seedFrame;
  SeedFrame::Fine coarseGrid, fineGrid;
  double perTime = 1;
  std::shared_ptr<const Solutions> solved;
};

} // namespace isochrone::curvature
