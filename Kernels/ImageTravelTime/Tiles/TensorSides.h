// TensorSides.h - the equation of a point with the two sides of its pairs, per lane of a team.
#pragma once

#include "Execution/Scalar.h"
#include "ImageTravelTime/Scheme/TensorEquation.h"
#include "ImageTravelTime/Scheme/TensorFactoring.h"
#include "ImageTravelTime/Tiles/BorderedTile.h"

namespace isochrone::image {

/// Returns the minimum solution with bounds. A side applies from its bound on: the solution uses all sides
/// whose bounds are not later than some bound, or equals that bound; see FactoredUpdate.h. Takes the bounds
/// in ascending order, so that no array is indexed by a variable.
template <int terms>
TEAM_FN float solveWithBounds(const TensorSide<Scalar> (&up)[terms], const TensorSide<Scalar> (&down)[terms],
                              const float (&weight)[terms]) {
  float best = never, limit = -never;
  while (true) {
    float bound = best;
    execution::unroll<terms>([&](auto r) {
      if (!(weight[r] > 0)) return;
      if (up[r].bound > limit) bound = minOf(bound, up[r].bound);
      if (down[r].bound > limit) bound = minOf(bound, down[r].bound);
    });
    if (!(bound < best)) return best;
    float value[terms];
    execution::unroll<terms>([&](auto r) {
      value[r] =
          minOf(up[r].bound > bound ? never : up[r].value, down[r].bound > bound ? never : down[r].value);
    });
    const float v = solveTerms<Scalar, false>(value, weight, value).value;
    best = minOf(best, v > bound ? v : bound);
    limit = bound;
  }
}

/// Solves with the earlier side of each pair; if the solution is below a bound that it uses, with the bounds.
template <int terms>
TEAM_FN float solveSides(const TensorSide<Scalar> (&up)[terms], const TensorSide<Scalar> (&down)[terms],
                         const float (&weight)[terms]) {
  float value[terms], bound[terms];
  execution::unroll<terms>([&](auto r) {
    value[r] = minOf(up[r].value, down[r].value);
    bound[r] = up[r].value < down[r].value ? up[r].bound : down[r].bound;
  });
  const TensorSolution<Scalar> free = solveTerms<Scalar, true>(value, weight, bound);
  return free.latest > free.value ? solveWithBounds(up, down, weight) : free.value;
}

} // namespace isochrone::image
