// SectorBlock.h - lowers the 32 values of one block to the roots of their local equations (SectorRoot.h).
#pragma once

#include "CurvaturePaths/Host/SectorRoot.h"
#include "CurvaturePaths/Scheme/SecondDifference.h"

namespace isochrone::curvature::ISOCHRONE_ISA {

/// Input of a block update, apart from the stencil.
struct BlockInput {
  float* value; ///< the 32 values
  const float* cost;
  std::int64_t offset;       ///< of the block from point (0, 0) of its plane
  std::int64_t border[2];    ///< of its strip in SectorPlane::borders: before and after
  bool atBorder[2];          ///< whether it lies there
  const std::uint32_t* seen; ///< visibility words, or null far from walls
  std::uint32_t allowed;     ///< lanes that are points outside walls
};

/// Loads values in the row of the block, those of the strip beside from its border.
inline Lanes loadAlongRow(const Read& read, const BlockInput& in, int lane) {
  const float* values = read.value + in.offset + lane;
  const bool after = read.column > 0;
  if (!in.atBorder[after]) return Pair::load(values);
  const std::uint32_t inside = after ? ~0u >> read.column : ~0u << -read.column;
  return Pair::loadWhere(Pair::fromBits(inside >> lane), values,
                         Pair::load(read.border + in.border[after] + lane));
}

/// Loads values, +infinity where a wall lies between.
/// @tparam alongRow  whether the value may lie in the same row
template <bool nearWalls, bool alongRow = false>
inline Lanes load(const Read& read, const BlockInput& in, int lane) {
  const Lanes v =
      alongRow && read.border ? loadAlongRow(read, in, lane) : Pair::load(read.value + in.offset + lane);
  if (!nearWalls) return v;
  return Pair::select(Pair::fromBits(in.seen[read.visible] >> lane), v, __builtin_huge_valf());
}

/// Loads the values that a term reads, the minimum of both sides of a symmetric one.
template <bool nearWalls, bool alongRow>
inline Lanes load(const Neighbour& neighbour, const BlockInput& in, int lane) {
  const Lanes v = load<nearWalls, alongRow>(neighbour.at, in, lane);
  return neighbour.opposite.value ? Pair::min(v, load<nearWalls, alongRow>(neighbour.opposite, in, lane)) : v;
}

/// Returns the correction factor of a difference.
template <bool nearWalls>
inline Lanes factorOf(const Prior& prior, const SectorHeading& heading, const BlockInput& in, int lane) {
  const Lanes here = Pair::load(heading.before + in.offset + lane);
  SecondDifference<Pair> sum;
  const auto addSide = [&](const Read& near, const Read& far) {
    const Lanes next = load<nearWalls>(near, in, lane);
    if (!Pair::any(Pair::greater(here - next, 0))) return; // no lane descends
    sum.add(here, next, load<nearWalls>(far, in, lane), heading.correctionLimit);
  };
  addSide(prior.near.at, prior.far.at);
  if (prior.near.opposite.value) addSide(prior.near.opposite, prior.far.opposite);
  return sum.factor();
}

/// Lowers a block to the minimum of the roots of its schemes. Returns the lanes that were lowered. Stores the
/// new values at the end: neighbours in the same row must not read half a block.
/// Inlined together with `rootOf`: with calls, which g++ prefers, a solve takes 2 % more instructions.
/// @param rootOf  rootOf(scheme, lane, best, cost): the root of a scheme, started from `best`
template <class RootOf>
TEAM_FN std::uint32_t lowerLanes(const SectorHeading& heading, const BlockInput& in, RootOf&& rootOf) {
  Lanes values[blockWidth / Pair::width];
  std::uint32_t changed = 0;
  for (int lane = 0; lane < blockWidth; lane += Pair::width) {
    const Lanes old = Pair::load(in.value + lane), cost = Pair::load(in.cost + lane);
    Lanes best = old;
    for (int k = 0; k < heading.schemeCount; ++k) best = Pair::min(best, rootOf(k, lane, best, cost));
    // Takes `best` in allowed lanes where it is below `old` by more than rounding.
    const Lanes clamped = Pair::min(old, finite); // infinity - infinity is NaN
    const Pair::Mask less =
        Pair::both(Pair::greater(clamped - clamped * minDecrease, best), Pair::fromBits(in.allowed >> lane));
    values[lane / Pair::width] = Pair::select(less, best, old);
    changed |= Pair::bits(less) << lane;
  }
  for (int v = 0; changed && v < blockWidth / Pair::width; ++v)
    Pair::store(in.value + v * Pair::width, values[v]);
  return changed;
}

/// Lowers a block with a uniform stencil. Returns the lanes that were lowered.
/// @param at  first lane of the block in the arrays of 1 / xi; used where turns vary
/// @tparam corrected  differences are corrected: weights then differ from lane to lane
template <bool nearWalls, bool turnVaries, bool corrected, bool alongRow>
inline std::uint32_t lowerBlock(const SectorHeading& heading, const BlockInput& in, std::int64_t at) {
  return lowerLanes(
      heading, in, [&](int k, int lane, Lanes best, Lanes cost) __attribute__((always_inline)) {
        const UniformScheme& scheme = heading.uniform[k];
        constexpr bool perLane = turnVaries || corrected; // weights
        Lanes neighbour[maxTerms], weight[perLane ? maxTerms : 1], root = best;
        for (int i = 0; i < scheme.count; ++i) {
          const UniformTerm& term = scheme.terms[i];
          neighbour[i] = load<nearWalls, alongRow>(term.at, in, lane);
          Lanes factor = 1, above;
          if (corrected) factor = factorOf<nearWalls>(scheme.priors[i], heading, in, lane);
          if (turnVaries && i + 1 == scheme.count) { // the turn on the spot
            const Lanes inverse = Pair::load(heading.inverseRadius + at + lane);
            weight[i] = inverse * inverse * term.weight * (factor * factor);
            above = cost * term.reach / inverse / factor;
          } else {
            if (perLane) weight[i] = term.weight * (factor * factor);
            above = cost * (term.reach / factor);
          }
          root = Pair::min(root, neighbour[i] + above);
        }
        const auto weightOf = [&](int i) { return perLane ? weight[i] : Lanes(scheme.terms[i].weight); };
        const auto limitOf = [&](int i) { return cost * scheme.terms[i].limit; };
        return heading.stopsLeaks
                   ? lowerLimitedRoot(root, best, neighbour, scheme.count, cost * cost, weightOf, limitOf)
                   : lowerRoot(root, neighbour, scheme.count, cost * cost, weightOf);
      });
}

/// The terms of a scheme whose weights differ from lane to lane.
struct VaryingTerms {
  Lanes neighbour[maxTerms], weight[maxTerms], root;
  Lanes limit[maxTerms]; ///< of the differences; used where heading.stopsLeaks
  int count = 0;
};

/// Returns the last piece that begins at a rate or before it.
inline int pieceOf(const VaryingBlock& block, float rate) {
  int p = 0;
  for (int end = block.count; end - p > 1;) {
    const int middle = (p + end) / 2;
    (block.pieces[middle].lo <= rate ? p : end) = middle;
  }
  return p;
}

/// Writes the terms of a piece to the slots from `first` on, in the lanes of `here`.
template <bool nearWalls, bool corrected, bool alongRow>
inline void addPiece(VaryingTerms& terms, int first, const SectorHeading& heading, const VaryingPiece& piece,
                     const BlockInput& in, int lane, Lanes rate, Lanes cost, Pair::Mask here) {
  for (int i = 0; i < piece.count; ++i) {
    const VaryingTerm& term = piece.terms[i];
    const Lanes v = load<nearWalls, alongRow>(term.at, in, lane), k = rate - piece.middle;
    Lanes w = term.a0 + k * (term.a1 + k * term.a2);
    const Pair::Mask applies = Pair::both(here, Pair::greater(w, term.floor));
    w = Pair::select(applies, w, 0);
    Lanes factor = 1;
    if (corrected) {
      factor = factorOf<nearWalls>(piece.priors[i], heading, in, lane);
      w *= factor * factor;
    }
    const Lanes bound = term.reach < 0 ? v + cost / Pair::sqrt(w) : v + cost * (term.reach / factor);
    terms.root = Pair::select(applies, Pair::min(terms.root, bound), terms.root);
    terms.neighbour[first + i] = Pair::select(here, v, terms.neighbour[first + i]);
    terms.weight[first + i] = Pair::select(here, w, terms.weight[first + i]);
    if (heading.stopsLeaks)
      terms.limit[first + i] = Pair::select(here, cost * term.limit, terms.limit[first + i]);
  }
}

/// Adds the terms of one block. The pieces that occur among the lanes share its slots; each lane uses its own
/// piece.
/// @param rate  turning rate per lane
/// @param minimum, largest  bounds of the turning rate over the lanes
template <bool nearWalls, bool corrected, bool alongRow>
inline void addBlock(VaryingTerms& terms, const SectorHeading& heading, const VaryingBlock& block,
                     const BlockInput& in, int lane, Lanes rate, Lanes cost, float minimum, float largest) {
  const int first = terms.count;
  int used = 0;
  for (int p = pieceOf(block, minimum); p < block.count && block.pieces[p].lo <= largest; ++p) {
    const VaryingPiece& piece = block.pieces[p];
    const Pair::Mask here = Pair::without(Pair::greater(piece.hi, rate), Pair::greater(piece.lo, rate));
    if (!Pair::any(here)) continue;
    for (; used < piece.count; ++used) {
      terms.neighbour[first + used] = terms.limit[first + used] = __builtin_huge_valf();
      terms.weight[first + used] = 0;
    }
    addPiece<nearWalls, corrected, alongRow>(terms, first, heading, piece, in, lane, rate, cost, here);
  }
  terms.count = first + used;
}

/// Lowers a block with stencils that depend on xi and phi at each point. Returns the lanes that were lowered.
/// @param at      first lane of the block in the arrays of xi and phi
/// @param bounds  minimum and maximum of 1 / xi, then of phi, over the block
template <bool nearWalls, bool corrected, bool alongRow>
inline std::uint32_t lowerVaryingBlock(const SectorHeading& heading, const BlockInput& in, std::int64_t at,
                                       const float* bounds) {
  return lowerLanes(
      heading, in, [&](int k, int lane, Lanes best, Lanes cost) __attribute__((always_inline)) {
        const Lanes inverse = Pair::load(heading.inverseRadius + at + lane),
                    shift = Pair::load(heading.shift + at + lane);
        const VaryingScheme& scheme = heading.varying[k];
        VaryingTerms terms;
        terms.root = best;
        for (int b = 0; b < scheme.blockCount; ++b) {
          const VaryingBlock& block = scheme.blocks[b];
          const float f = block.factor, slack = 1e-6f * ((f < 0 ? -f : f) * bounds[1] +
                                                         (bounds[3] < -bounds[2] ? -bounds[2] : bounds[3]));
          const float minimum = bounds[2] + f * bounds[f < 0 ? 1 : 0],
                      largest = bounds[3] + f * bounds[f < 0 ? 0 : 1];
          addBlock<nearWalls, corrected, alongRow>(terms, heading, block, in, lane, shift + inverse * f, cost,
                                                   minimum - slack, largest + slack);
        }
        if (scheme.turnsOnTheSpot) {
          const int i = terms.count++;
          terms.neighbour[i] = load<nearWalls, false>(scheme.turn, in, lane);
          terms.weight[i] = inverse * inverse * scheme.turnWeight;
          if (corrected) {
            const Lanes factor = factorOf<nearWalls>(scheme.turnPrior, heading, in, lane);
            terms.weight[i] *= factor * factor;
          }
          terms.root = Pair::min(terms.root, terms.neighbour[i] + cost / Pair::sqrt(terms.weight[i]));
        }
        const auto weightOf = [&](int i) { return terms.weight[i]; };
        const auto limitOf = [&](int i) { return terms.limit[i]; };
        return heading.stopsLeaks
                   ? lowerLimitedRoot(terms.root, best, terms.neighbour, terms.count, cost * cost, weightOf,
                                      limitOf)
                   : lowerRoot(terms.root, terms.neighbour, terms.count, cost * cost, weightOf);
      });
}

} // namespace isochrone::curvature::ISOCHRONE_ISA
