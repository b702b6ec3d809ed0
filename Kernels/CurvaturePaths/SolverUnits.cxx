#include "CurvaturePaths/SolverUnits.h"

#include "CurvaturePaths/HeadingStencils.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

double powerOfTwoNear(double x) { return std::exp2(std::round(std::log2(x))); }

} // namespace

SolverUnits::SolverUnits(const Problem& p)
    : length(powerOfTwoNear(std::min(p.grid.hx, p.grid.hy))), cost(powerOfTwoNear(rangeOf(p, p.cost).hi)) {}

} // namespace isochrone::curvature
