// TileWeights.h - weights of an edge at many points of a tile, in the instruction set of the translation
// unit.
#pragma once

#include "Execution/Simd.h"
#include "RayTracing/Host/RelaxTileDispatch.h"

namespace isochrone::rays::ISOCHRONE_ISA {

template <class Real>
using Lanes = execution::ISOCHRONE_ISA::Vector<Real>;
template <class Real>
using Vec = typename Lanes<Real>::Vec;

/// Number of vectors processed together: their times and slowness stay in registers.
inline constexpr int together = 4;

/// Returns the slowness that a term of an edge uses, for the points from `slowness` on.
template <class Real, Weighing weighing>
inline Vec<Real> sampleOf(const TileStencil<Real>& stencil, int term, const Real* slowness) {
  using L = Lanes<Real>;
  Vec<Real> least = L::load(slowness + stencil.taps[term].delta);
  if constexpr (weighing == Weighing::SharedCells)
    for (int s = 0; s < stencil.more[term].count; ++s)
      least = L::min(least, L::load(slowness + stencil.more[term].delta[s]));
  return least;
}

/// Sums the terms of an edge.
template <class Real, Weighing weighing, int n>
inline void addTerms(const TileStencil<Real>& stencil, const TileEdge<Real>& edge, const Real* slowness,
                     Vec<Real> (&sum)[n]) {
  using L = Lanes<Real>;
  const int first = edge.firstTap;
  const Vec<Real> length = L::broadcast(stencil.taps[first].length);
  for (int v = 0; v < n; ++v)
    sum[v] = length * sampleOf<Real, weighing>(stencil, first, slowness + v * L::width);
  for (int t = first + 1; t < first + edge.taps; ++t) {
    const Vec<Real> next = L::broadcast(stencil.taps[t].length);
    for (int v = 0; v < n; ++v)
      sum[v] = sum[v] + next * sampleOf<Real, weighing>(stencil, t, slowness + v * L::width);
  }
}

/// Computes the weights of an edge at n vectors of points.
/// @param first  index of the first point
/// @param own  their slowness
template <class Real, Weighing weighing, int n>
[[gnu::always_inline]] inline void weigh(const TileWork<Real>& work, const TileEdge<Real>& edge, int first,
                                         const Vec<Real> (&own)[n], Vec<Real> (&weight)[n]) {
  using L = Lanes<Real>;
  const Real* slowness = work.slowness + first;
  if constexpr (weighing == Weighing::Points || weighing == Weighing::SharedCells) {
    addTerms<Real, weighing>(*work.stencil, edge, slowness, weight);
  } else {
    const Vec<Real> half = L::broadcast(edge.half);
    for (int v = 0; v < n; ++v) weight[v] = half * (L::load(slowness + edge.delta + v * L::width) + own[v]);
  }
  if constexpr (weighing == Weighing::OpenEnds)
    for (int t = edge.firstTap; t < edge.firstTap + edge.taps; ++t)
      for (int v = 0; v < n; ++v)
        weight[v] =
            L::max(weight[v], L::load(work.blank + first + work.stencil->taps[t].delta + v * L::width));
}

} // namespace isochrone::rays::ISOCHRONE_ISA
