#include "CurvatureSolution.h"

namespace isochrone::filters {

std::unique_ptr<CurvatureSolution>
CurvatureSolution::solve(CurvatureProblem input, curvature::Options options, const Monitor& monitor) {
  std::unique_ptr<CurvatureSolution> out(new CurvatureSolution(std::move(input), std::move(options)));
  out->solution = curvature::solveCurvaturePaths(out->problem(), out->options, monitor);
  if (out->solution.aborted) return nullptr;
  out->leastTime = curvature::reduceToPlane(out->problem(), out->solution, out->options.threads);
  return out;
}

bool CurvatureSolution::solves(const CurvatureProblem& other, const curvature::Options& how) const {
  return options.backend == how.backend && same(options.stopAt, how.stopAt) && same(input, other);
}

double CurvatureSolution::residual(int threads) const {
  return curvature::residual(problem(), solution, threads);
}

bool CurvatureSolution::followTips(const std::vector<curvature::State>& tips, int threads) {
  if (pathTips && same(*pathTips, tips)) return false;
  tipPaths = curvature::extractPaths(problem(), solution, tips, threads);
  pathTips = tips;
  return true;
}

} // namespace isochrone::filters
