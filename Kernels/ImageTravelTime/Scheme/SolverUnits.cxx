#include "ImageTravelTime/Scheme/SolverUnits.h"

#include "ImageTravelTime/Validation.h"

#include <algorithm>
#include <cmath>

namespace isochrone::image {

SolverUnits::SolverUnits(const Problem& problem, int threads) {
  const Grid& g = problem.grid;
  length = std::min(g.hx, g.nz == 1 ? g.hy : std::min(g.hy, g.hz));
  const Extremes speeds = extremesOfSpeed(problem, threads);
  requireTimes(problem, length / speeds.largest,
               std::max({g.hx, g.hy, g.nz == 1 ? g.hy : g.hz}) / speeds.least);
  time = std::exp2(std::round(std::log2(length / speeds.largest)));
  largestSpeed = float(speeds.largest * time / length);
  const bool isSlowness = problem.speedType == SpeedType::Slowness;
  squaredSlowness = {float(isSlowness ? length / time : time / length), isSlowness};
  const double steps[3] = {g.hx, g.hy, g.hz};
  for (int axis = 0; axis < 3; ++axis) {
    step[axis] = float(steps[axis] / length);
    weight[axis] = float(length * length / (steps[axis] * steps[axis]));
  }
  cubic = g.hx == length && g.hy == length && (g.nz == 1 || g.hz == length);
}

} // namespace isochrone::image
