// SixLanes.h - the equation of a point with the six pairs of neighbours in the lanes of one vector. Included
// by sources that are compiled once per instruction set.
#pragma once

#include "Execution/SimdOperations.h"
#include "ImageTravelTime/Scheme/TensorEquation.h"
#include "ImageTravelTime/Scheme/TensorFactoring.h"

namespace isochrone::image::ISOCHRONE_ISA {

/// One lane per pair of neighbours; two lanes are idle.
using Lanes = execution::ISOCHRONE_ISA::CompilerVector<float, 32>;
using Six = Lanes::Vec;
using Side = TensorSide<Lanes>;

constexpr int terms = 6;

inline float sum(Six v) {
  return Lanes::fold(v, [](Six a, Six b) { return a + b; });
}
inline float maximum(Six v) { return Lanes::fold(v, Lanes::max); }
inline float minimum(Six v) { return Lanes::fold(v, Lanes::min); }
inline float minimum(float a, float b) { return a < b ? a : b; }
inline float maximum(float a, float b) { return a > b ? a : b; }

/// Returns the equation's left-hand side at the value of each term. A term is used if this is below 1. The
/// test needs no root, and the terms used are always the earliest ones.
inline Six pressureOf(Six rise, Six weight) {
  Six pressure{};
#pragma GCC unroll 6
  for (int j = 0; j < terms; ++j) {
    const Six d = Lanes::max(rise - Lanes::broadcast(rise[j]), Six{});
    pressure += Lanes::broadcast(weight[j]) * d * d;
  }
  return pressure;
}

/// Returns the minimum v with sum of weight * max(0, v - value)^2 = 1, in differences to `base`, the minimum
/// value; `never` without a weight. The term under the root, B^2 - A C of the quadratic equation, is a sum of
/// non-negative terms.
inline float solve(Six value, Six weight, float base) {
  const Six rise = value - base, pressure = pressureOf(rise, weight);
  const Six w = Lanes::select(Lanes::less(pressure, Lanes::broadcast(1)), weight, Six{});
  const float a = sum(w), b = sum(w * rise), root = sum(w * (1.f - pressure));
  return a > 0 ? base + (b + __builtin_sqrtf(root)) / a : never;
}

/// Returns whether the equation's left-hand side at v is above 1: the update is then below v.
inline bool isAbove(Six value, Six weight, float v) {
  const Six d = Lanes::max(v - value, Six{});
  return sum(weight * d * d) > 1.f;
}

/// Returns the value of each pair's earlier side, of those with a bound not later than v.
inline Six valueUpTo(const Side& up, const Side& down, float v) {
  const Six limit = Lanes::broadcast(v), none = Lanes::broadcast(never);
  return Lanes::min(Lanes::select(Lanes::greater(up.bound, limit), none, up.value),
                    Lanes::select(Lanes::greater(down.bound, limit), none, down.value));
}

/// Returns the minimum solution with bounds. A side applies from its bound on: the solution uses all sides
/// whose bounds are not later than some bound, or equals that bound; see FactoredUpdate.h.
inline float solveWithBounds(const Side& up, const Side& down, Six weight) {
  float best = never;
  for (const Side* side : {&up, &down})
    for (int r = 0; r < terms; ++r) {
      const float bound = side->bound[r];
      if (!(weight[r] > 0) || bound >= best) continue;
      const Six value = valueUpTo(up, down, bound);
      const float v = solve(value, weight, minimum(value));
      best = minimum(best, v > bound ? v : bound);
    }
  return best;
}

/// Solves with the earlier side of each pair; if the solution is below a bound that it uses, with the bounds.
inline float solveSides(const Side& up, const Side& down, Six weight) {
  const Six value = Lanes::min(up.value, down.value);
  const float base = minimum(value), free = solve(value, weight, base);
  const Lanes::Mask used = Lanes::both(Lanes::less(pressureOf(value - base, weight), Lanes::broadcast(1)),
                                       Lanes::greater(weight, Six{}));
  const Six bound = Lanes::select(Lanes::less(up.value, down.value), up.bound, down.bound);
  const bool isLate = maximum(Lanes::select(used, bound, Lanes::broadcast(-never))) > free;
  return isLate ? solveWithBounds(up, down, weight) : free;
}

} // namespace isochrone::image::ISOCHRONE_ISA
