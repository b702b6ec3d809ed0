// SectorRoot.h - roots of the local equations, many at once (Scheme/LocalSolver.h, DESIGN.md). Each lane
// stops by itself, so the vector width does not change its bits.
#pragma once

#include "CurvaturePaths/Host/SectorSweep.h"
#include "CurvaturePaths/Scheme/LimitedDifference.h"
#include "CurvaturePaths/Scheme/LocalSolver.h"
#include "Execution/SimdPair.h"

namespace isochrone::curvature::ISOCHRONE_ISA {

using execution::ISOCHRONE_ISA::Pair;
using Floats = execution::ISOCHRONE_ISA::Vector<float>;
using Lanes = Pair::Vec; ///< states of a row, as many as Pair::width
inline constexpr float finite = 1e30f;

/// Lowers `root`, which is at or right of the root of f, to the root of f with `count` terms.
/// @param term    term(k) is the index of the k-th term in `neighbour`
/// @param weight  weight(i) of term i
template <class Term, class Weight>
inline Lanes newton(Lanes root, const Lanes (&neighbour)[maxTerms], int count, Lanes costSquared, Term&& term,
                    Weight&& weight) {
  return lowerToRoot<Pair>(
      root, costSquared,
      [&](auto&& add) {
        for (int k = 0; k < count; ++k) add(neighbour[term(k)], weight(term(k)));
      },
      [](Lanes, Lanes, Lanes) { return false; });
}

/// Runs Newton's method over `terms` terms. Long sums leave out the terms whose neighbours are not below the
/// root in any lane. The root only decreases, so these terms never contribute (half of the elastica's terms,
/// a fifth of its time).
template <class Weight>
inline Lanes lowerRoot(Lanes root, const Lanes (&neighbour)[maxTerms], int terms, Lanes costSquared,
                       Weight&& weight) {
  constexpr int many = 8;
  if (terms <= many)
    return newton(
        root, neighbour, terms, costSquared, [](int k) { return k; }, weight);
  std::uint8_t used[maxTerms];
  int count = 0;
  for (int i = 0; i < terms; ++i) {
    used[count] = std::uint8_t(i);
    count += Pair::any(Pair::greater(root, neighbour[i]));
  }
  return newton(
      root, neighbour, count, costSquared, [&](int k) { return used[k]; }, weight);
}

/// Returns the lanes in which the root of f with limited differences (LimitedDifference.h) is below `old`: f
/// is positive a rounding left of it.
template <class Weight, class Limit>
inline Pair::Mask limitedRootIsBelow(Lanes old, const Lanes (&neighbour)[maxTerms], int terms,
                                     Lanes costSquared, Weight&& weight, Limit&& limit) {
  const Lanes at = Pair::min(old - old * minDecrease, finite);
  Lanes f = -costSquared;
  for (int i = 0; i < terms; ++i) {
    const Lanes applies = minimumOfLines<Pair>(Pair::max(at - neighbour[i], 0), limit(i));
    f += weight(i) * applies * applies;
  }
  return Pair::greater(f, 0);
}

/// Raises the root to the root with limited differences (raiseToLimits), in lanes where it is below `old`.
/// Newton's method starts from the root of the terms that already contribute, at or right of the root sought.
template <class Weight, class Limit>
inline Lanes raiseRoot(Lanes root, Lanes old, Lanes (&neighbour)[maxTerms], int terms, Lanes costSquared,
                       Weight&& weight, Limit&& limit) {
  std::uint32_t over[maxTerms] = {};
  const auto weightNow = [&](int i) {
    const Lanes w = weight(i);
    return Pair::select(Pair::fromBits(over[i]), w * weightBeyond, w);
  };
  std::uint32_t changed = 0;
  const auto mark = [&](const Lanes& at) {
    changed = 0;
    const std::uint32_t lower = Pair::bits(Pair::greater(old, at));
    for (int i = 0; lower && i < terms; ++i) {
      const Lanes maximum = limit(i);
      const std::uint32_t now = Pair::bits(Pair::greater(at - neighbour[i], maximum)) & lower & ~over[i];
      if (!now) continue;
      neighbour[i] = Pair::select(Pair::fromBits(now), neighbour[i] - beyond(maximum), neighbour[i]);
      over[i] |= now, changed |= now;
    }
    return changed != 0;
  };
  const auto solve = [&](const Lanes& at) {
    if (!changed) return at;
    Lanes f = -costSquared, slope = 1e-30f, weights = 0;
    for (int i = 0; i < terms; ++i) {
      const Lanes above = Pair::max(at - neighbour[i], 0), w = weightNow(i);
      const Lanes applies = Pair::select(Pair::greater(above, 0), w, 0);
      f += applies * above * above;
      slope += applies * above;
      weights += applies;
    }
    const Lanes up = -f / (slope + Pair::sqrt(slope * slope - weights * f));
    return newton(
        Pair::select(Pair::fromBits(changed), Pair::min(old, at + up), at), neighbour, terms, costSquared,
        [](int k) { return k; }, weightNow);
  };
  return raiseToLimits<Pair>(root, solve, mark);
}

/// Lowers the root as lowerRoot() does, with limited differences, from `old` on. Few updates lower a state,
/// so the lanes that this one lowers are found first. The other lanes keep their values: a root that rounding
/// puts just below `old` would be taken only if another lane is lowered too.
template <class Weight, class Limit>
inline Lanes lowerLimitedRoot(Lanes root, Lanes old, Lanes (&neighbour)[maxTerms], int terms,
                              Lanes costSquared, Weight&& weight, Limit&& limit) {
  const Pair::Mask below = limitedRootIsBelow(old, neighbour, terms, costSquared, weight, limit);
  if (!Pair::any(below)) return old;
  root = lowerRoot(root, neighbour, terms, costSquared, weight);
  root = raiseRoot(root, old, neighbour, terms, costSquared, weight, limit);
  return Pair::select(below, root, old);
}

} // namespace isochrone::curvature::ISOCHRONE_ISA
