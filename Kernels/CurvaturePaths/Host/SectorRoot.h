// SectorRoot.h - roots of the local equations, several vectors at once (DESIGN.md).
//
// f(lambda) = sum of weight * max(0, lambda - neighbour)^2 - cost^2 is convex and increasing right of the
// minimum neighbour. So Newton's method started right of the root decreases to it monotonically, without a
// sort or a branch per lane. Each lane stops by itself, so the vector width does not change its bits.
#pragma once

#include "CurvaturePaths/Host/SectorSweep.h"
#include "CurvaturePaths/Scheme/LimitedDifference.h"
#include "CurvaturePaths/Scheme/LocalSolver.h"
#include "Execution/Simd.h"

namespace isochrone::curvature::ISOCHRONE_ISA {

namespace simd = isochrone::execution::ISOCHRONE_ISA;
using simd::Mask;
using simd::Vec;

/// Vectors in flight: two independent Newton iterations hide the latency of each other's divisions.
inline constexpr int pair = 2;
inline constexpr int pairWidth = pair * simd::width;
inline constexpr float finite = 1e30f;

/// Lowers `root`, which is at or right of the root of f, to the root. f has the terms term(0), ...,
/// term(count - 1). `weight(i, g)` is the weight of term i in vector g.
///
/// f is evaluated a rounding to the left: where it is not positive there, the root is found. A small step
/// does not suffice: where a heavy term begins just below, f decreases slowly from there to a distant root.
template <class Term, class Weight>
inline void newton(Vec (&root)[pair], const Vec (&neighbour)[mostTerms][pair], int count,
                   const Vec (&costSquared)[pair], Term&& term, Weight&& weight) {
  for (;;) {
    Vec at[pair], f[pair], slope[pair];
    for (int g = 0; g < pair; ++g) {
      at[g] = root[g] - root[g] * leastDecrease; // NaN for infinity: then no term is positive
      f[g] = -costSquared[g], slope[g] = simd::broadcast(1e-30f);
    }
    for (int k = 0; k < count; ++k) {
      const int i = term(k);
      for (int g = 0; g < pair; ++g) {
        const Vec above = simd::max(at[g] - neighbour[i][g], Vec{}), weighted = above * weight(i, g);
        f[g] += weighted * above;
        slope[g] += weighted;
      }
    }
    std::uint32_t moving = 0;
    Mask go[pair];
    for (int g = 0; g < pair; ++g) go[g] = simd::greater(f[g], Vec{}), moving |= simd::bits(go[g]);
    if (!moving) return;
    for (int g = 0; g < pair; ++g)
      root[g] = simd::select(go[g], at[g] - f[g] / (slope[g] + slope[g]), root[g]);
  }
}

/// Runs Newton's method over `terms` terms. Long sums leave out the terms whose neighbours are not below the
/// root in any lane. The root only decreases, so these terms never contribute (half of the elastica's terms,
/// a fifth of its time).
template <class Weight>
inline void lowerRoot(Vec (&root)[pair], const Vec (&neighbour)[mostTerms][pair], int terms,
                      const Vec (&costSquared)[pair], Weight&& weight) {
  constexpr int many = 8;
  if (terms <= many)
    return newton(
        root, neighbour, terms, costSquared, [](int k) { return k; }, weight);
  std::uint8_t used[mostTerms];
  int count = 0;
  for (int i = 0; i < terms; ++i) {
    std::uint32_t below = 0;
    for (int g = 0; g < pair; ++g) below |= simd::bits(simd::greater(root[g], neighbour[i][g]));
    used[count] = std::uint8_t(i);
    count += below != 0;
  }
  newton(
      root, neighbour, count, costSquared, [&](int k) { return used[k]; }, weight);
}

/// Returns the lanes in which the root of f with limited differences (LimitedDifference.h) is below `old`: f
/// is positive a rounding left of it.
template <class Weight, class Limit>
inline Mask limitedRootIsBelow(Vec old, const Vec (&neighbour)[mostTerms][pair], int g, int terms,
                               Vec costSquared, Weight&& weight, Limit&& limit) {
  const Vec at = simd::min(old - old * leastDecrease, simd::broadcast(finite));
  Vec f = -costSquared;
  for (int i = 0; i < terms; ++i) {
    const Vec d = simd::max(at - neighbour[i][g], Vec{}), most = limit(i, g);
    const Vec counted = simd::min(most + simd::broadcast(shareBeyond) * (d - most), d); // d if unlimited
    f += weight(i, g) * counted * counted;
  }
  return simd::greater(f, Vec{});
}

/// Raises the root to the root with limited differences (LimitedDifference.h), in lanes where it is below
/// `old`. The root without limits lies at or left of the root with limits, so a term that is beyond its limit
/// there stays beyond it, whichever terms join. The root of the terms that already contribute lies at or
/// right of the root sought.
/// The root never decreases from one pass to the next. A term that only rounding puts beyond its limit would
/// lower it, and where a step costs less than a rounding, states would lower each other without end.
template <class Weight, class Limit>
inline void raiseRoot(Vec (&root)[pair], const Vec (&old)[pair], Vec (&neighbour)[mostTerms][pair], int terms,
                      const Vec (&costSquared)[pair], Weight&& weight, Limit&& limit) {
  std::uint32_t over[mostTerms][pair] = {};
  const auto weightNow = [&](int i, int g) {
    const Vec w = weight(i, g);
    return simd::select(simd::fromBits(over[i][g]), w * simd::broadcast(weightBeyond), w);
  };
  for (;;) {
    std::uint32_t changed[pair] = {};
    for (int g = 0; g < pair; ++g) {
      const std::uint32_t lower = simd::bits(simd::greater(old[g], root[g]));
      for (int i = 0; lower && i < terms; ++i) {
        const Vec most = limit(i, g);
        const std::uint32_t now =
            simd::bits(simd::greater(root[g] - neighbour[i][g], most)) & lower & ~over[i][g];
        if (!now) continue;
        neighbour[i][g] = simd::select(simd::fromBits(now), neighbour[i][g] - beyond(most), neighbour[i][g]);
        over[i][g] |= now, changed[g] |= now;
      }
    }
    if (!(changed[0] | changed[1])) return;
    const Vec before[pair] = {root[0], root[1]};
    for (int g = 0; g < pair; ++g) {
      Vec f = -costSquared[g], slope = simd::broadcast(1e-30f), weights{};
      for (int i = 0; i < terms; ++i) {
        const Vec above = simd::max(root[g] - neighbour[i][g], Vec{}), w = weightNow(i, g);
        const Vec counted = simd::select(simd::greater(above, Vec{}), w, Vec{});
        f += counted * above * above;
        slope += counted * above;
        weights += counted;
      }
      const Vec up = -f / (slope + simd::sqrt(slope * slope - weights * f));
      root[g] = simd::select(simd::fromBits(changed[g]), simd::min(old[g], root[g] + up), root[g]);
    }
    newton(
        root, neighbour, terms, costSquared, [](int k) { return k; }, weightNow);
    for (int g = 0; g < pair; ++g) root[g] = simd::max(root[g], before[g]);
  }
}

/// Lowers the root as lowerRoot() does, with limited differences, from `old` on. Few updates lower a state,
/// so the lanes that this one lowers are found first. The other lanes keep their values: a root that rounding
/// puts just below `old` would be taken only if another lane is lowered too.
template <class Weight, class Limit>
inline void lowerLimitedRoot(Vec (&root)[pair], const Vec (&old)[pair], Vec (&neighbour)[mostTerms][pair],
                             int terms, const Vec (&costSquared)[pair], Weight&& weight, Limit&& limit) {
  Mask below[pair];
  std::uint32_t any = 0;
  for (int g = 0; g < pair; ++g) {
    below[g] = limitedRootIsBelow(old[g], neighbour, g, terms, costSquared[g], weight, limit);
    any |= simd::bits(below[g]);
  }
  if (any) {
    lowerRoot(root, neighbour, terms, costSquared, weight);
    raiseRoot(root, old, neighbour, terms, costSquared, weight, limit);
  }
  for (int g = 0; g < pair; ++g) root[g] = simd::select(below[g], root[g], old[g]);
}

} // namespace isochrone::curvature::ISOCHRONE_ISA
