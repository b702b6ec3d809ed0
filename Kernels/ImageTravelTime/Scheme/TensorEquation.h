// TensorEquation.h - the update of a point with a tensor from the earlier neighbour of each pair.
//
// The update is the minimum v with sum of weight * max(0, v - value)^2 = 1 over the terms. Number is the
// number type, as in GodunovUpdate.h.
#pragma once

#include "Execution/Team.h"

namespace isochrone::image {

/// Stands for +infinity: its square times the minimum weight is finite and large.
inline constexpr float never = 1e18f;

/// Adds the terms in the order in which the host adds the lanes of a vector.
template <int terms, class Vec>
TEAM_FN Vec sumOfTerms(const Vec (&v)[terms]) {
  static_assert(terms == 3 || terms == 6);
  if constexpr (terms == 3)
    return (v[0] + v[2]) + v[1];
  else
    return ((v[0] + v[4]) + v[2]) + ((v[1] + v[5]) + v[3]);
}

/// Returns whether the equation's left-hand side at v is above 1: the update is then below v.
template <class Number, int terms, class Vec = typename Number::Vec>
TEAM_FN typename Number::Mask isAbove(const Vec (&value)[terms], const Vec (&weight)[terms], Vec v) {
  Vec part[terms];
  execution::unroll<terms>([&](auto r) {
    const Vec d = Number::max(v - value[r], Number::broadcast(0));
    part[r] = weight[r] * d * d;
  });
  return Number::greater(sumOfTerms(part), Number::broadcast(1));
}

/// The solution, and the latest bound of the terms that it uses.
template <class Number>
struct TensorSolution {
  typename Number::Vec value, latest;
};

/// Solves the equation. A term is used if its pressure, the left-hand side at its value, is below 1. This
/// needs no root, and the terms used are always the earliest ones. The term under the root, B^2 - A C of the
/// quadratic equation, is a sum of non-negative terms.
/// @param bound  per term, minimum solution that may use it; not read without `bounded`
template <class Number, bool bounded, int terms, class Vec = typename Number::Vec>
TEAM_FN TensorSolution<Number> solveTerms(const Vec (&value)[terms], const Vec (&weight)[terms],
                                          const Vec (&bound)[terms]) {
  const Vec zero = Number::broadcast(0), one = Number::broadcast(1);
  Vec base = value[0], rise[terms], used[terms], moment[terms], root[terms];
  execution::unroll<terms>([&](auto r) { base = Number::min(base, value[r]); });
  execution::unroll<terms>([&](auto r) { rise[r] = value[r] - base; });
  TensorSolution<Number> solution{zero, Number::broadcast(-never)};
  execution::unroll<terms>([&](auto r) {
    Vec pressure = zero;
    execution::unroll<terms>([&](auto j) {
      if constexpr (int(j) != int(r)) {
        const Vec d = Number::max(rise[r] - rise[j], zero);
        pressure = pressure + weight[j] * d * d;
      }
    });
    const auto counts = Number::greater(one, pressure);
    used[r] = Number::select(counts, weight[r], zero);
    moment[r] = used[r] * rise[r];
    root[r] = used[r] * (one - pressure);
    if constexpr (bounded)
      solution.latest = Number::select(Number::greater(used[r], zero), Number::max(solution.latest, bound[r]),
                                       solution.latest);
  });
  solution.value = base + (sumOfTerms(moment) + Number::sqrt(sumOfTerms(root))) / sumOfTerms(used);
  return solution;
}

} // namespace isochrone::image
