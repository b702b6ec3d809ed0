#include "RayTracing/Scheme/RoundingRisk.h"

#include "RayTracing/Scheme/EdgeTerms.h"
#include "RayTracing/Scheme/MinMax.h"
#include "RayTracing/Scheme/Precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isochrone::rays {

namespace {

template <class Real>
bool isRisky(const Problem& problem, const Options& options, int threads, std::span<const Field> fields) {
  ForwardStar first = makeForwardStar(problem.grid, options.neighbours, options.radius);
  first.offsets.resize(1); // the shortest offset
  const double shortest = edgeTerms(problem.grid, options.rule, first).front().length;
  const double minimum = shortest * double(extremesOf<Real>(slownessOf<Real>(problem), threads).minimum);
  for (const Field& field : fields) {
    const auto times = extremesOf<Real>(std::span<const Real>(timesOf<Real>(field)), threads);
    const double latest = std::max(std::abs(double(times.minimum)), double(times.maximum));
    if (std::isfinite(latest) && minimum < 2 * latest * double(std::numeric_limits<Real>::epsilon()))
      return true;
  }
  return false;
}

} // namespace

bool hasRoundingRisk(const Problem& problem, const Options& options, int threads,
                     std::span<const Field> fields) {
  return options.doublePrecision ? isRisky<double>(problem, options, threads, fields)
                                 : isRisky<float>(problem, options, threads, fields);
}

} // namespace isochrone::rays
