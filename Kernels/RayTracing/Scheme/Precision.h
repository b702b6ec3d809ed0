// Precision.h - the arrays of a problem and of a field in the precision of the run.
#pragma once

#include "RayTracing/RayTracing.h"

#include <span>

namespace isochrone::rays {

/// Returns the array of the precision.
template <class Real, class Single, class Double>
auto& inPrecision(Single& single, Double& precise) {
  if constexpr (sizeof(Real) == 4)
    return single;
  else
    return precise;
}
template <class Real>
std::span<const Real> slownessOf(const Problem& p) {
  return inPrecision<Real>(p.slowness, p.preciseSlowness);
}
template <class Real>
std::span<const Real> startTimesOf(const Problem& p) {
  return inPrecision<Real>(p.startTimes, p.preciseStartTimes);
}
/// @param f  Field or const Field
template <class Real, class AnyField>
auto& timesOf(AnyField& f) {
  return inPrecision<Real>(f.travelTime, f.preciseTravelTime);
}

} // namespace isochrone::rays
