// Precision.h - the arrays of a problem and of a field in the precision of the run.
#pragma once

#include "RayTracing/RayTracing.h"

#include <span>

namespace isochrone::rays {

template <class Real>
std::span<const Real> slownessOf(const Problem& p) {
  if constexpr (sizeof(Real) == 4)
    return p.slowness;
  else
    return p.preciseSlowness;
}
template <class Real>
std::span<const Real> startTimesOf(const Problem& p) {
  if constexpr (sizeof(Real) == 4)
    return p.startTimes;
  else
    return p.preciseStartTimes;
}
/// @param f  Field or const Field
template <class Real, class AnyField>
auto& timesOf(AnyField& f) {
  if constexpr (sizeof(Real) == 4)
    return f.travelTime;
  else
    return f.preciseTravelTime;
}

} // namespace isochrone::rays
