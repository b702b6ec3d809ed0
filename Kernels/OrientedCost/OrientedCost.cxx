#include "OrientedCost/OrientedCost.h"

#include "Backend.h"
#include "Error.h"
#include "OrientedCost/CostOfStrength.h"
#include "OrientedCost/TubeStrength.h"
#include "OrientedCost/Validation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::oriented {

namespace {

/// The intensities scaled to -1 ... 1, so that neither their unit nor an added constant matters.
struct Scaled {
  std::vector<float> intensity;
  std::vector<std::uint8_t> outside; ///< empty: all points are inside
  double halfRange = 0;              ///< 0: the image is constant
};

Scaled scaled(const Problem& p) {
  Scaled out;
  double minimum = std::numeric_limits<double>::infinity(), maximum = -minimum;
  std::int64_t inside = 0;
  out.outside.resize(p.points());
  for (std::int64_t i = 0; i < p.points(); ++i) {
    out.outside[i] = (!p.outside.empty() && p.outside[i]) || !std::isfinite(p.intensity[i]);
    if (out.outside[i]) continue;
    ++inside;
    minimum = std::min(minimum, double(p.intensity[i])), maximum = std::max(maximum, double(p.intensity[i]));
  }
  if (inside == 0)
    throw Error("no point of the image lies inside the mask and has a finite intensity: choose another mask "
                "or intensity array");
  const double middle = minimum / 2 + maximum / 2;
  out.halfRange = maximum / 2 - minimum / 2;
  out.intensity.resize(p.points());
  for (std::int64_t i = 0; i < p.points(); ++i)
    if (!out.outside[i] && out.halfRange > 0)
      out.intensity[i] = float((double(p.intensity[i]) - middle) / out.halfRange);
  if (inside == p.points()) out.outside.clear();
  return out;
}

/// Returns the problem with lengths in a unit near the spacing, so that their squares fit into single
/// precision. The unit is a power of two, which changes no digit.
Problem inUnitOfGrid(Problem p) {
  const int exponent = -std::ilogb(std::max(p.hx, p.hy));
  for (double* length : {&p.hx, &p.hy, &p.length}) *length = std::ldexp(*length, exponent);
  for (double& width : p.widths) width = std::ldexp(width, exponent);
  return p;
}

} // namespace

Result makeOrientedCost(const Problem& problem, int threadsWanted, const Monitor& monitor) {
  // 1. Check the problem.
  validate(problem);
  const Problem p = inUnitOfGrid(problem);
  const Scaled image = scaled(p);
  Result result;
  result.cost.resize(p.points() * p.headings);
  result.minCost.resize(p.points());
  result.heading.resize(p.points());

  // 2. Compute the tube strengths, then the costs.
  Work work(chooseThreads(threadsWanted), monitor);
  tubeStrength(p, image.intensity, image.outside, result.cost.data(), work, 0.9);
  costOfStrength(p, image.halfRange, result, work, 0.1);
  if (work.stopped()) {
    result = {};
    result.aborted = true;
  } else {
    monitor.report(1);
  }
  return result;
}

} // namespace isochrone::oriented
