// EdgeWeights.h - the weight of any edge, in the arithmetic shared by all solvers: every sum and product is
// rounded once, in the order of the terms.
#pragma once

#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/Axes.h"
#include "RayTracing/Scheme/EdgeTerms.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace isochrone::rays {

template <class Real>
std::span<const Real> slownessOf(const Problem& p) {
  if constexpr (sizeof(Real) == 4)
    return p.slowness;
  else
    return p.preciseSlowness;
}
template <class Real>
std::span<const Real> startTimesOf(const Problem& p) {
  if constexpr (sizeof(Real) == 4)
    return p.startTimes;
  else
    return p.preciseStartTimes;
}
template <class Real>
const Values<Real>& timesOf(const Field& f) {
  if constexpr (sizeof(Real) == 4)
    return f.travelTime;
  else
    return f.preciseTravelTime;
}

template <class Real>
class EdgeWeights {
public:
  EdgeWeights(const Problem& problem, const Options& options)
      : grid(problem.grid), rule(options.rule), slowness(slownessOf<Real>(problem)),
        samples(rule == WeightRule::Cells ? cellsOf(grid) : pointsOf(grid)),
        edges(edgeTerms(grid, rule, makeTemplate(grid, options.neighbours, options.radius))) {}

  int count() const { return int(edges.size()); } ///< offsets of the template
  const EdgeTerms& terms(int offset) const { return edges[offset]; }

  /// Returns the point at an offset from a point, -1 outside the grid.
  std::int64_t neighbour(std::int64_t point, int offset) const {
    const Index3 n = pointsOf(grid), i = indexOf(grid, point), to = shifted(i, edges[offset].offset);
    for (int a = 0; a < 3; ++a)
      if (to[a] < 0 || to[a] >= n[a]) return -1;
    return grid.index(to[0], to[1], to[2]);
  }

  /// Returns the weight of the edge from a point to the one at an offset, which must be in the grid;
  /// +infinity: closed.
  Real weight(std::int64_t point, int offset) const {
    const EdgeTerms& edge = edges[offset];
    const Index3 i = indexOf(grid, point);
    if (rule == WeightRule::Fast) {
      for (const Term& term : edge.terms)
        if (least(i, term) == infinity) return infinity;
      return Real(0.5 * edge.length) * (slowness[point] + slowness[neighbour(point, offset)]);
    }
    Real sum = Real(edge.terms[0].length) * least(i, edge.terms[0]);
    for (std::size_t t = 1; t < edge.terms.size(); ++t)
      sum += Real(edge.terms[t].length) * least(i, edge.terms[t]);
    return sum;
  }

  /// Returns the element with the minimum slowness among the samples of a term at a point, -1 if all samples
  /// are outside the grid.
  std::int64_t leastElement(const Index3& at, const Term& term) const {
    std::int64_t best = -1;
    for (int s = 0; s < term.count; ++s) {
      const std::int64_t element = elementAt(shifted(at, term.samples[s]));
      if (element >= 0 && (best < 0 || slowness[element] < slowness[best])) best = element;
    }
    return best;
  }
  Real least(const Index3& at, const Term& term) const {
    const std::int64_t element = leastElement(at, term);
    return element < 0 ? infinity : slowness[element];
  }

private:
  static constexpr Real infinity = std::numeric_limits<Real>::infinity();

  static Index3 shifted(const Index3& i, const Offset& o) { return {i[0] + o[0], i[1] + o[1], i[2] + o[2]}; }
  std::int64_t elementAt(const Index3& i) const {
    for (int a = 0; a < 3; ++a)
      if (i[a] < 0 || i[a] >= samples[a]) return -1;
    return i[0] + samples[0] * (i[1] + samples[1] * i[2]);
  }

  Grid grid;
  WeightRule rule;
  std::span<const Real> slowness;
  Index3 samples; ///< slowness values along each axis
  std::vector<EdgeTerms> edges;
};

} // namespace isochrone::rays
