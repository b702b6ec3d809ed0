// PaddedImage.h - edges, and the positions of points in memory, on host and device.
#pragma once

#include "Execution/Team.h"
#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/WeightFormulas.h"

#include <cstdint>
#include <type_traits>

namespace isochrone::rays {

template <class Real>
TEAM_FN Real minOf(Real a, Real b) {
#if defined(__CUDA_ARCH__)
  return fmin(a, b); // one instruction; NaN needs no handling
#else
  return a < b ? a : b;
#endif
}

/// The value at one point, a number type of WeightFormulas.h.
template <class Real>
struct AtPoint {
  TEAM_FN static Real min(Real a, Real b) { return minOf(a, b); }
};

/// An image without its axes of one point, padded with unreachable points as far as edges lead and up to
/// whole tiles, so that kernels need no bounds test. Cell (x, y, z) lies at point (x, y, z).
struct PaddedImage {
  std::int64_t n[3]; ///< points; 1 for missing axes
  int reach[3];      ///< edge reach
  int tiles[3];
  std::int64_t pitch, slab, size; ///< stride of rows, stride of planes, and total, in values

  TEAM_FN std::int64_t corner() const { return reach[0] + pitch * reach[1] + slab * reach[2]; }
  TEAM_FN std::int64_t index(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return corner() + x + pitch * y + slab * z;
  }
  TEAM_FN bool holds(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x >= 0 && y >= 0 && z >= 0 && x < n[0] && y < n[1] && z < n[2];
  }
  TEAM_FN std::int64_t points() const { return n[0] * n[1] * n[2]; }
  TEAM_FN std::int64_t tileCount() const { return std::int64_t(tiles[0]) * tiles[1] * tiles[2]; }
};

/// Returns the value a memory step away. Steps are in bytes, so that adding one takes a single instruction.
template <class T, class Step>
TEAM_FN const T& beside(const T* from, Step step) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(from) + step);
}

/// An offset of the forward star; aligned, so that kernels read it with one load.
template <class Real, class Step>
struct alignas(16) Edge {
  Step step;              ///< to the neighbour
  Real half;              ///< half of its length
  int firstTerm, endTerm; ///< the terms of its weight
};

/// The same in a tilted medium, where each direction of edges has a slowness of its own. Times may lie in a
/// tile, slownesses always lie in the padded image.
template <class Real, class Step>
struct alignas(16) TiltedEdge {
  Step step;
  Real half;
  int firstTerm, endTerm;
  std::int64_t direction;    ///< from the slowness in the first direction to that along the edge
  std::int64_t slownessStep; ///< to the slowness of the neighbour
};

/// A length times the minimum of some slownesses (see EdgeTerms.h).
template <WeightRule rule, class Real, class Step>
struct EdgeTerm {
  static constexpr int samples = rule == WeightRule::Cells ? 4 : 1;
  alignas(samples == 1 ? 2 * sizeof(Step) : sizeof(Real)) Real length;
  Step at[samples]; ///< from the start point of the edge

  TEAM_FN Real slowness(const Real* start) const {
    return slownessOfTerm<AtPoint<Real>>(samples, [&](int s) { return beside(start, at[s]); });
  }
};

/// The edges from any point.
/// @tparam isTilted  whether slowness depends on the direction
template <WeightRule weightRule, class Element, class MemoryStep, bool isTilted = false>
struct Edges {
  static constexpr WeightRule rule = weightRule;
  static constexpr bool tilted = isTilted;
  using Real = Element;
  using Step = MemoryStep; ///< to the times of neighbours
  using SlownessStep = std::conditional_t<tilted, std::int64_t, Step>;
  using ListedEdge = std::conditional_t<tilted, TiltedEdge<Real, Step>, Edge<Real, Step>>;
  using ListedTerm = EdgeTerm<rule, Real, SlownessStep>;
  const ListedEdge* list;
  const ListedTerm* terms;

  /// Returns the travel time along an edge; +infinity: closed.
  /// @param slowness  at the start point of the edge; in a tilted medium that in the first direction
  /// @param blanks  whether a blanked point may lie between the ends; only the rule Fast reads it
  TEAM_FN Real weight(const ListedEdge& edge, const Real* slowness, bool blanks) const {
    SlownessStep toNeighbour = edge.step;
    if constexpr (tilted) {
      slowness = &beside(slowness, edge.direction);
      toNeighbour = edge.slownessStep;
    }
    const auto slownessOf = [&](int t) { return terms[t].slowness(slowness); };
    if constexpr (rule == WeightRule::Fast) {
      if (blanks && isClosed(edge.firstTerm, edge.endTerm, slownessOf)) return unreached<Real>;
      return weightOfEnds(edge.half, *slowness, beside(slowness, toNeighbour));
    } else {
      return sumOfTerms(
          edge.firstTerm, edge.endTerm, [&](int t) { return terms[t].length; }, slownessOf);
    }
  }

  /// Returns the minimum of `best` and the times that some edges offer.
  /// @param time  at the point; `slowness` likewise
  /// @param floor  lower bound of the slownesses in all weights: only edges that may offer less than `best`
  ///               are weighed
  TEAM_FN Real relaxed(const Real* time, const Real* slowness, Real best, int first, int end, int step,
                       bool blanks, Real floor) const {
    if constexpr (rule == WeightRule::Fast && !tilted)
      if (!blanks) { // cheaper than testing which edges matter
        const Real own = *slowness;
        for (int e = first; e < end; e += step) {
          const ListedEdge edge = list[e];
          const Real weight = weightOfEnds(edge.half, own, beside(slowness, edge.step));
          best = minOf(beside(time, edge.step) + weight, best);
        }
        return best;
      }
    const Real twice = Real(2 - 1e-4) * floor; // margin for rounding down in sums of some tens of terms
    for (int e = first; e < end; e += step) {
      const ListedEdge edge = list[e];
      if (const Real from = beside(time, edge.step); from + edge.half * twice < best)
        best = minOf(from + weight(edge, slowness, blanks), best);
    }
    return best;
  }
};

} // namespace isochrone::rays
