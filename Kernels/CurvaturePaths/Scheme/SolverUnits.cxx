#include "CurvaturePaths/Scheme/SolverUnits.h"

#include "CurvaturePaths/Scheme/HeadingStencils.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

SolverUnits::SolverUnits(const Problem& p) {
  const auto powerOfTwo = [](double logarithm) { return std::exp2(std::round(logarithm)); };
  const Range costs = rangeOf(p, p.cost);
  length = powerOfTwo(std::log2(std::min(p.grid.hx, p.grid.hy)));
  cost = powerOfTwo((std::log2(costs.lo) + std::log2(costs.hi)) / 2); // both squares stay in range
}

} // namespace isochrone::curvature
