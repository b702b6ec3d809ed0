// WeightFormulas.h - the weight of an edge over any number type: single values, lanes of a device, vectors of
// points. Every sum and product is rounded once, in the order of the terms, so that all types give the same
// bits. Terms are passed as functions of their index, since each solver stores them in its own layout.
#pragma once

#include "Execution/Team.h"

#include <limits>

namespace isochrone::rays {

/// Time of a point that no wave reaches, slowness of a blanked point, and weight of a closed edge.
template <class Real>
inline constexpr Real unreached = std::numeric_limits<Real>::infinity();

/// Returns the slowness of a term: the minimum of its samples.
/// @param sample  sample(s): slowness of sample s
template <class Number, class Sample>
TEAM_FN auto slownessOfTerm(int samples, const Sample& sample) {
  auto minimum = sample(0);
  for (int s = 1; s < samples; ++s) minimum = Number::min(minimum, sample(s));
  return minimum;
}

/// Returns the weight of an edge as the sum of its terms (rules Accurate and Cells).
/// @param length  length(t): length of term t
/// @param slowness  slowness(t): its slowness
template <class Length, class Slowness>
TEAM_FN auto sumOfTerms(int firstTerm, int endTerm, const Length& length, const Slowness& slowness) {
  auto sum = length(firstTerm) * slowness(firstTerm);
  for (int t = firstTerm + 1; t < endTerm; ++t) sum = sum + length(t) * slowness(t);
  return sum;
}

/// Returns the weight of an edge by the slowness at its ends (rule Fast).
/// @param half  half of its length
template <class Length, class Slowness>
TEAM_FN Slowness weightOfEnds(Length half, Slowness from, Slowness to) {
  return half * (from + to);
}

/// Returns whether a blanked point closes an edge of the rule Fast. (Vectors of points cannot leave the loop:
/// there a maximum with +infinity at blanked points closes the edge.)
template <class Slowness>
TEAM_FN bool isClosed(int firstTerm, int endTerm, const Slowness& slowness) {
  for (int t = firstTerm; t < endTerm; ++t)
    if (slowness(t) == unreached<decltype(slowness(t))>) return true;
  return false;
}

} // namespace isochrone::rays
