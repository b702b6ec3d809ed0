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
  const std::uint32_t* seen; ///< visibility words, or null far from walls
  std::uint32_t allowed;     ///< lanes that are points outside walls
};

/// Loads values, +infinity where a wall is in the way.
template <bool nearWalls>
inline Vec loadSeen(const float* values, int visible, std::int64_t at, int lane, const std::uint32_t* seen) {
  const Vec v = simd::load(values + at + lane);
  if (!nearWalls) return v;
  return simd::select(simd::fromBits(seen[visible] >> lane), v, simd::broadcast(__builtin_huge_valf()));
}

/// Loads the values that a term reads, the minimum of both sides of a symmetric one.
template <bool nearWalls>
inline Vec read(const Neighbour& at, std::int64_t offset, int lane, const std::uint32_t* seen) {
  const Vec v = loadSeen<nearWalls>(at.value, at.visible, offset, lane, seen);
  if (!at.opposite) return v;
  return simd::min(v, loadSeen<nearWalls>(at.opposite, at.oppositeVisible, offset, lane, seen));
}

/// Adds one side of a difference, where any lane descends.
template <bool nearWalls>
inline void addSide(SecondDifference<simd::Vector>& sum, const float* near, const float* far, int nearVisible,
                    int farVisible, std::int64_t at, int lane, const std::uint32_t* seen, Vec here,
                    float limit) {
  const Vec next = loadSeen<nearWalls>(near, nearVisible, at, lane, seen);
  if (!simd::bits(simd::greater(here - next, Vec{}))) return;
  sum.add(here, next, loadSeen<nearWalls>(far, farVisible, at, lane, seen), limit);
}

/// Returns the correction factor of the difference that a term takes.
template <bool nearWalls>
inline Vec factorOf(const Neighbour& term, const Prior& prior, const SectorHeading& heading,
                    std::int64_t offset, int lane, const std::uint32_t* seen) {
  const Vec here = simd::load(heading.before + offset + lane);
  SecondDifference<simd::Vector> sum;
  addSide<nearWalls>(sum, prior.near, prior.far, term.visible, prior.farVisible, offset, lane, seen, here,
                     heading.correctionLimit);
  if (prior.oppositeNear)
    addSide<nearWalls>(sum, prior.oppositeNear, prior.oppositeFar, term.oppositeVisible,
                       prior.oppositeFarVisible, offset, lane, seen, here, heading.correctionLimit);
  return sum.factor();
}

/// Collects the new values of a block and stores them at the end: neighbours in the same row must not read
/// half a block.
class BlockOutput {
public:
  /// Takes `best` in allowed lanes where it is below `old` by more than rounding.
  void take(int lane, Vec best, Vec old, std::uint32_t allowed) {
    const Vec clamped = simd::min(old, simd::broadcast(finite)); // infinity - infinity is NaN
    const Mask less =
        simd::both(simd::greater(clamped - clamped * leastDecrease, best), simd::fromBits(allowed >> lane));
    values[lane / simd::width] = simd::select(less, best, old);
    changed |= simd::bits(less) << lane;
    written |= 1u << (lane / simd::width);
  }
  std::uint32_t store(float* row) const {
    if (changed)
      for (int v = 0; v < blockWidth / simd::width; ++v)
        if (written >> v & 1) simd::store(row + v * simd::width, values[v]);
    return changed;
  }

private:
  Vec values[blockWidth / simd::width];
  std::uint32_t changed = 0, written = 0;
};

/// Lowers a block with a uniform stencil. Returns the lanes that were lowered.
/// @param at  first lane of the block in the arrays of 1 / xi; used where turns vary
/// @tparam corrected  differences are corrected: weights then differ from lane to lane
template <bool nearWalls, bool turnVaries, bool corrected>
inline std::uint32_t lowerBlock(const SectorHeading& heading, const BlockInput& in, std::int64_t at) {
  BlockOutput out;
  for (int lane = 0; lane < blockWidth; lane += pairWidth) {
    Vec old[pair], best[pair], cost[pair], costSquared[pair], neighbour[mostTerms][pair];
    for (int g = 0; g < pair; ++g) {
      best[g] = old[g] = simd::load(in.value + lane + g * simd::width);
      cost[g] = simd::load(in.cost + lane + g * simd::width);
      costSquared[g] = cost[g] * cost[g];
    }
    for (int k = 0; k < heading.schemeCount; ++k) {
      const UniformScheme& scheme = heading.uniform[k];
      const int uniform = turnVaries ? scheme.count - 1 : scheme.count;
      Vec root[pair], turnWeight[pair], weight[corrected ? mostTerms : 1][pair];
      for (int g = 0; g < pair; ++g) root[g] = best[g];
      if (turnVaries)
        for (int g = 0; g < pair; ++g) {
          const UniformTerm& turn = scheme.terms[uniform];
          const Vec inverse = simd::load(heading.inverseRadius + at + lane + g * simd::width);
          const Vec v = neighbour[uniform][g] =
              read<nearWalls>(turn.at, in.offset, lane + g * simd::width, in.seen);
          turnWeight[g] = inverse * inverse * simd::broadcast(turn.weight);
          Vec above = cost[g] * simd::broadcast(turn.reach) / inverse;
          if (corrected) {
            const Vec factor = factorOf<nearWalls>(turn.at, scheme.priors[uniform], heading, in.offset,
                                                   lane + g * simd::width, in.seen);
            turnWeight[g] *= factor * factor;
            above /= factor;
          }
          root[g] = simd::min(root[g], v + above);
        }
      for (int i = 0; i < uniform; ++i) {
        const UniformTerm& term = scheme.terms[i];
        for (int g = 0; g < pair; ++g) {
          const Vec v = read<nearWalls>(term.at, in.offset, lane + g * simd::width, in.seen);
          neighbour[i][g] = v;
          Vec reach = simd::broadcast(term.reach);
          if (corrected) {
            const Vec factor = factorOf<nearWalls>(term.at, scheme.priors[i], heading, in.offset,
                                                   lane + g * simd::width, in.seen);
            weight[i][g] = factor * factor * term.weight;
            reach /= factor;
          }
          root[g] = simd::min(root[g], v + cost[g] * reach);
        }
      }
      const auto weightOf = [&](int i, int g) {
        return turnVaries && i == uniform ? turnWeight[g]
               : corrected                ? weight[i][g]
                                          : simd::broadcast(scheme.terms[i].weight);
      };
      const auto limitOf = [&](int i, int g) { return cost[g] * simd::broadcast(scheme.terms[i].limit); };
      if (heading.stopsLeaks)
        lowerLimitedRoot(root, best, neighbour, scheme.count, costSquared, weightOf, limitOf);
      else
        lowerRoot(root, neighbour, scheme.count, costSquared, weightOf);
      for (int g = 0; g < pair; ++g) best[g] = simd::min(best[g], root[g]);
    }
    for (int g = 0; g < pair; ++g) out.take(lane + g * simd::width, best[g], old[g], in.allowed);
  }
  return out.store(in.value);
}

/// The terms of a scheme whose weights differ from lane to lane.
struct VaryingTerms {
  Vec neighbour[mostTerms][pair], weight[mostTerms][pair], root[pair];
  Vec limit[mostTerms][pair]; ///< of the differences; used where heading.stopsLeaks
  int count = 0;
};

/// Adds the terms of one block. The pieces that occur among the lanes share its slots; each lane uses its own
/// piece.
/// @param rate  turning rate per lane
/// @param least, largest  bounds of the turning rate over the lanes
template <bool nearWalls, bool corrected>
inline void addBlock(VaryingTerms& terms, const SectorHeading& heading, const VaryingBlock& block,
                     const BlockInput& in, int lane, const Vec (&rate)[pair], const Vec (&cost)[pair],
                     float least, float largest) {
  const Vec infinite = simd::broadcast(__builtin_huge_valf());
  const int first = terms.count;
  int used = 0, p = 0;
  for (int end = block.count; end - p > 1;) { // finds the piece that holds `least`
    const int middle = (p + end) / 2;
    (block.pieces[middle].lo <= least ? p : end) = middle;
  }
  for (; p < block.count && block.pieces[p].lo <= largest; ++p) {
    const VaryingPiece& piece = block.pieces[p];
    Mask here[pair];
    std::uint32_t any = 0;
    for (int g = 0; g < pair; ++g) {
      const std::uint32_t below = ~simd::bits(simd::greater(simd::broadcast(piece.lo), rate[g]));
      here[g] = simd::fromBits(simd::bits(simd::greater(simd::broadcast(piece.hi), rate[g])) & below);
      any |= simd::bits(here[g]);
    }
    if (!any) continue;
    for (; used < piece.count; ++used)
      for (int g = 0; g < pair; ++g)
        terms.neighbour[first + used][g] = infinite, terms.weight[first + used][g] = Vec{},
                                terms.limit[first + used][g] = infinite;
    for (int i = 0; i < piece.count; ++i) {
      const VaryingTerm& term = piece.terms[i];
      for (int g = 0; g < pair; ++g) {
        const Vec v = read<nearWalls>(term.at, in.offset, lane + g * simd::width, in.seen);
        const Vec k = rate[g] - piece.middle;
        Vec w = simd::broadcast(term.a0) + k * (simd::broadcast(term.a1) + k * simd::broadcast(term.a2));
        const Mask counts = simd::both(here[g], simd::greater(w, simd::broadcast(term.floor)));
        w = simd::select(counts, w, Vec{});
        Vec factor = simd::broadcast(1);
        if (corrected) {
          factor = factorOf<nearWalls>(term.at, piece.priors[i], heading, in.offset, lane + g * simd::width,
                                       in.seen);
          w *= factor * factor;
        }
        const Vec bound = term.reach < 0 ? v + cost[g] / simd::sqrt(w)
                                         : v + cost[g] * (simd::broadcast(term.reach) / factor);
        terms.root[g] = simd::select(counts, simd::min(terms.root[g], bound), terms.root[g]);
        terms.neighbour[first + i][g] = simd::select(here[g], v, terms.neighbour[first + i][g]);
        terms.weight[first + i][g] = simd::select(here[g], w, terms.weight[first + i][g]);
        if (heading.stopsLeaks)
          terms.limit[first + i][g] =
              simd::select(here[g], cost[g] * simd::broadcast(term.limit), terms.limit[first + i][g]);
      }
    }
  }
  terms.count = first + used;
}

/// Lowers a block with stencils that depend on xi and phi at each point. Returns the lanes that were lowered.
/// @param at      first lane of the block in the arrays of xi and phi
/// @param bounds  minimum and maximum of 1 / xi, then of phi, over the block
template <bool nearWalls, bool corrected>
inline std::uint32_t lowerVaryingBlock(const SectorHeading& heading, const BlockInput& in, std::int64_t at,
                                       const float* bounds) {
  BlockOutput out;
  for (int lane = 0; lane < blockWidth; lane += pairWidth) {
    Vec old[pair], best[pair], cost[pair], costSquared[pair], inverse[pair], shift[pair];
    for (int g = 0; g < pair; ++g) {
      const std::int64_t l = lane + g * simd::width;
      best[g] = old[g] = simd::load(in.value + l);
      cost[g] = simd::load(in.cost + l);
      costSquared[g] = cost[g] * cost[g];
      inverse[g] = simd::load(heading.inverseRadius + at + l);
      shift[g] = simd::load(heading.shift + at + l);
    }
    for (int k = 0; k < heading.schemeCount; ++k) {
      const VaryingScheme& scheme = heading.varying[k];
      VaryingTerms terms;
      for (int g = 0; g < pair; ++g) terms.root[g] = best[g];
      for (int b = 0; b < scheme.blockCount; ++b) {
        const VaryingBlock& block = scheme.blocks[b];
        const float f = block.factor, slack = 1e-6f * ((f < 0 ? -f : f) * bounds[1] +
                                                       (bounds[3] < -bounds[2] ? -bounds[2] : bounds[3]));
        const float least = bounds[2] + f * bounds[f < 0 ? 1 : 0],
                    largest = bounds[3] + f * bounds[f < 0 ? 0 : 1];
        Vec rate[pair];
        for (int g = 0; g < pair; ++g) rate[g] = shift[g] + inverse[g] * simd::broadcast(f);
        addBlock<nearWalls, corrected>(terms, heading, block, in, lane, rate, cost, least - slack,
                                       largest + slack);
      }
      if (scheme.turnsOnTheSpot) {
        const int i = terms.count++;
        for (int g = 0; g < pair; ++g) {
          terms.neighbour[i][g] = read<nearWalls>(scheme.turn, in.offset, lane + g * simd::width, in.seen);
          terms.weight[i][g] = inverse[g] * inverse[g] * simd::broadcast(scheme.turnWeight);
          if (corrected) {
            const Vec factor = factorOf<nearWalls>(scheme.turn, scheme.turnPrior, heading, in.offset,
                                                   lane + g * simd::width, in.seen);
            terms.weight[i][g] *= factor * factor;
          }
          terms.root[g] =
              simd::min(terms.root[g], terms.neighbour[i][g] + cost[g] / simd::sqrt(terms.weight[i][g]));
        }
      }
      const auto weightOf = [&](int i, int g) { return terms.weight[i][g]; };
      const auto limitOf = [&](int i, int g) { return terms.limit[i][g]; };
      if (heading.stopsLeaks)
        lowerLimitedRoot(terms.root, best, terms.neighbour, terms.count, costSquared, weightOf, limitOf);
      else
        lowerRoot(terms.root, terms.neighbour, terms.count, costSquared, weightOf);
      for (int g = 0; g < pair; ++g) best[g] = simd::min(best[g], terms.root[g]);
    }
    for (int g = 0; g < pair; ++g) out.take(lane + g * simd::width, best[g], old[g], in.allowed);
  }
  return out.store(in.value);
}

} // namespace isochrone::curvature::ISOCHRONE_ISA
