// Scalar.h - single numbers with the interface of the vectors of Simd.h. A template over the number type
// serves both the vectors of the host and the lanes of a Team.
#pragma once

#include "Execution/Team.h"

#include <cmath>

namespace isochrone::execution {

template <class T>
struct ScalarOf {
  using Vec = T;
  using Mask = bool;
  TEAM_FN static Vec min(Vec a, Vec b) { return a < b ? a : b; }
  TEAM_FN static Vec max(Vec a, Vec b) { return a > b ? a : b; }
  TEAM_FN static Vec sqrt(Vec a) { return std::sqrt(a); }
  TEAM_FN static Mask less(Vec a, Vec b) { return a < b; }
  TEAM_FN static Mask greater(Vec a, Vec b) { return a > b; }
  TEAM_FN static Mask equal(Vec a, Vec b) { return a == b; }
  TEAM_FN static Mask both(Mask a, Mask b) { return a && b; }
  TEAM_FN static Mask either(Mask a, Mask b) { return a || b; }
  TEAM_FN static Mask without(Mask a, Mask b) { return a && !b; }
  TEAM_FN static bool any(Mask m) { return m; }
  TEAM_FN static Vec select(Mask m, Vec a, Vec b) { return m ? a : b; }
  TEAM_FN static Vec broadcast(T a) { return a; }
};
using Scalar = ScalarOf<float>;

} // namespace isochrone::execution
