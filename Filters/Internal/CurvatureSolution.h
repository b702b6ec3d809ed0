// CurvatureSolution.h - a problem of curvature paths with its solution, and what was last derived from it.
#pragma once

#include "CurvatureProblem.h"

#include <memory>
#include <optional>
#include <vector>

namespace isochrone::filters {

class CurvatureSolution {
public:
  /// Null if the monitor said stop.
  static std::unique_ptr<CurvatureSolution> solve(CurvatureProblem input, curvature::Options options,
                                                  const Monitor& monitor);

  /// Is this the solution already? Compares contents, so that an input that was recomputed to the same
  /// values, changed elsewhere or merely touched is not solved again.
  bool solves(const CurvatureProblem& other, const curvature::Options& how) const;

  const curvature::Problem& problem() const { return input.problem; }
  const curvature::Result& result() const { return solution; }
  const curvature::PlanarResult& plane() const { return leastTime; }
  double residual(int threads) const;

  /// Returns false if their paths are known already.
  bool followTips(const std::vector<curvature::State>& tips, int threads);
  const std::vector<Path>& paths() const { return tipPaths; }

private:
  CurvatureSolution(CurvatureProblem problem, curvature::Options how)
      : input(std::move(problem)), options(std::move(how)) {}

  CurvatureProblem input;
  curvature::Options options;
  curvature::Result solution;
  curvature::PlanarResult leastTime;
  std::optional<std::vector<curvature::State>> pathTips; ///< of the paths; empty before they were followed
  std::vector<Path> tipPaths;
};

} // namespace isochrone::filters
