#include "ImageTravelTime/Scheme/SolverUnits.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

SolverUnits::SolverUnits(const Problem& problem, const SpeedRange& speed) {
  const Grid& g = problem.grid;
  length = problem.orthogonal ? problem.orthogonal->typicalStep()
                              : std::min(g.hx, g.nz == 1 ? g.hy : std::min(g.hy, g.hz));
  time = std::exp2(std::round(std::log2(length / speed.fastest)));
  largestSpeed = float(speed.fastest * time / length);
  const bool isSlowness = problem.speedType == SpeedType::Slowness;
  squaredSlowness = {float(isSlowness ? length / time : time / length), isSlowness};
  const Position steps = g.spacing();
  for (int axis = 0; axis < 3; ++axis) {
    spacing.step[axis] = float(steps[axis] / length);
    spacing.weight[axis] = float(length * length / (steps[axis] * steps[axis]));
  }
  spacing.cubic = g.hx == length && g.hy == length && (g.nz == 1 || g.hz == length);
}

} // namespace isochrone::image
