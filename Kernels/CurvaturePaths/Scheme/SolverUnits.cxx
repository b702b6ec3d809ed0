#include "CurvaturePaths/Scheme/SolverUnits.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

SolverUnits::SolverUnits(const StateGrid& grid, const Range& costs) {
  const auto powerOfTwo = [](double logarithm) { return std::exp2(std::round(logarithm)); };
  length = powerOfTwo(std::log2(std::min(grid.hx, grid.hy)));
  cost = powerOfTwo((std::log2(costs.lo) + std::log2(costs.hi)) / 2); // both squares stay in range
}

} // namespace isochrone::curvature
