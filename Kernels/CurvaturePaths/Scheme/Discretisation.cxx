#include "CurvaturePaths/Scheme/Discretisation.h"

#include "CurvaturePaths/Scheme/Starts.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

template <class T>
bool sameArray(std::span<const T> a, std::span<const T> b) {
  return a.data() == b.data() && a.size() == b.size();
}

bool sameField(const Field& a, const Field& b) {
  return a.constant == b.constant && sameArray(a.values, b.values);
}

SolverUnits unitsOf(const StateGrid& grid, const Range& costs) {
  const auto powerOfTwo = [](double logarithm) { return std::exp2(std::round(logarithm)); };
  return {powerOfTwo(std::log2(std::min(grid.hx, grid.hy))),
          powerOfTwo((std::log2(costs.lo) + std::log2(costs.hi)) / 2)}; // both squares stay in range
}

} // namespace

Discretisation::Discretisation(const Problem& p)
    : walls(p.grid.nx, p.grid.ny, p.walls), cost(rangeOf(p, p.cost)),
      turningRadius(rangeOf(p, p.turningRadius)), curvatureShift(rangeOf(p, p.curvatureShift)),
      units(unitsOf(p.grid, cost)), seeds(placementsOf(p)), source(p) {
  source.pointName = nullptr; // it may hold memory
  source.part = {};           // its exchange ends with the call
}

Discretisation::Discretisation(const Problem& part, const Discretisation& whole)
    : walls(part.grid.nx, part.grid.ny, part.walls), cost(whole.cost), turningRadius(whole.turningRadius),
      curvatureShift(whole.curvatureShift), units(whole.units), seeds(placementsOf(part)), source(part) {
  source.pointName = nullptr;
  source.part = {};
  std::call_once(made, [&] { headingStencils = whole.stencils(); });
}

const HeadingStencils& Discretisation::stencils() const {
  std::call_once(made,
                 [this] { headingStencils = makeHeadingStencils(source, turningRadius, curvatureShift); });
  return headingStencils;
}

bool Discretisation::describes(const Problem& p) const {
  return p.grid == source.grid && p.model == source.model && p.relaxation == source.relaxation &&
         p.balancedRadius == source.balancedRadius && p.seeds == source.seeds &&
         sameArray(p.walls, source.walls) && sameField(p.cost, source.cost) &&
         sameField(p.turningRadius, source.turningRadius) &&
         sameField(p.curvatureShift, source.curvatureShift);
}

std::shared_ptr<const Discretisation> discretisationOf(const Problem& problem, const Solution& solution) {
  if (solution.discretisation && solution.discretisation->describes(problem)) return solution.discretisation;
  return std::make_shared<const Discretisation>(problem);
}

} // namespace isochrone::curvature
