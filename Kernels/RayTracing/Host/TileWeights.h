// TileWeights.h - weights of an edge at many points of a tile, in the instruction set of the translation
// unit.
#pragma once

#include "Execution/Simd.h"
#include "RayTracing/Host/RelaxTileDispatch.h"
#include "RayTracing/Scheme/WeightFormulas.h"

namespace isochrone::rays::ISOCHRONE_ISA {

template <class Real>
using Lanes = execution::ISOCHRONE_ISA::Vector<Real>;
template <class Real>
using Vec = typename Lanes<Real>::Vec;

/// Number of vectors processed together: their times and slowness stay in registers.
inline constexpr int together = 4;

/// The values at n vectors of points, a number type of WeightFormulas.h.
template <class Real, int n>
struct Vectors {
  using L = Lanes<Real>;
  Vec<Real> part[n];

  static Vectors load(const Real* from) {
    Vectors a;
    for (int v = 0; v < n; ++v) a.part[v] = L::load(from + v * L::width);
    return a;
  }
  void store(Real* to) const {
    for (int v = 0; v < n; ++v) L::store(to + v * L::width, part[v]);
  }
  static Vectors min(Vectors a, const Vectors& b) {
    for (int v = 0; v < n; ++v) a.part[v] = L::min(a.part[v], b.part[v]);
    return a;
  }
  static Vectors max(Vectors a, const Vectors& b) {
    for (int v = 0; v < n; ++v) a.part[v] = L::max(a.part[v], b.part[v]);
    return a;
  }
  friend Vectors operator+(Vectors a, const Vectors& b) {
    for (int v = 0; v < n; ++v) a.part[v] = a.part[v] + b.part[v];
    return a;
  }
  friend Vectors operator*(Vec<Real> a, Vectors b) {
    for (int v = 0; v < n; ++v) b.part[v] = a * b.part[v];
    return b;
  }
};

/// Returns the weights of an edge at n vectors of points.
/// @param first  index of the first point
/// @param own  slowness of the points in the first direction
template <class Real, Weighing weighing, int n>
[[gnu::always_inline]] inline Vectors<Real, n>
weightOf(const TileWork<Real>& work, const TileEdge<Real>& edge, int first, const Vectors<Real, n>& own) {
  using Number = Vectors<Real, n>;
  const TileStencil<Real>& stencil = *work.stencil;
  const Real* const slowness = work.slowness + edge.medium + first;
  const int end = edge.firstTap + edge.taps;
  if constexpr (weighing == Weighing::Points || weighing == Weighing::SharedCells) {
    const auto length = [&](int t) { return Lanes<Real>::broadcast(stencil.taps[t].length); };
    return sumOfTerms(edge.firstTap, end, length, [&](int t) {
      const int samples = weighing == Weighing::SharedCells ? 1 + stencil.more[t].count : 1;
      return slownessOfTerm<Number>(samples, [&](int s) {
        return Number::load(slowness + (s == 0 ? stencil.taps[t].delta : stencil.more[t].delta[s - 1]));
      });
    });
  } else {
    const Number from = weighing == Weighing::TiltedEnds ? Number::load(slowness) : own;
    Number weight =
        weightOfEnds(Lanes<Real>::broadcast(edge.half), from, Number::load(slowness + edge.delta));
    if constexpr (weighing == Weighing::OpenEnds || weighing == Weighing::TiltedEnds)
      for (int t = edge.firstTap; t < end; ++t)
        weight = Number::max(weight, Number::load(work.blank + first + stencil.taps[t].delta));
    return weight;
  }
}

/// Calls f.operator()<weighing>() with the weighing that row i of a tile needs.
template <class Real, class F>
[[gnu::always_inline]] inline void withWeighing(const TileWork<Real>& work, int i, F&& f) {
  switch (work.stencil->weighing) {
  case Weighing::Points:
    return f.template operator()<Weighing::Points>();
  case Weighing::SharedCells:
    return f.template operator()<Weighing::SharedCells>();
  case Weighing::TiltedEnds:
    return f.template operator()<Weighing::TiltedEnds>();
  default:
    if (work.nearBlank[i]) return f.template operator()<Weighing::OpenEnds>();
    return f.template operator()<Weighing::Ends>();
  }
}

} // namespace isochrone::rays::ISOCHRONE_ISA
