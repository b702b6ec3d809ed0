// EdgeWeights.h - the weight of any edge, by the indices of its point and its offset.
#pragma once

#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/Axes.h"
#include "RayTracing/Scheme/EdgeTerms.h"
#include "RayTracing/Scheme/Precision.h"
#include "RayTracing/Scheme/WeightFormulas.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::rays {

template <class Real>
class EdgeWeights {
public:
  EdgeWeights(const Problem& problem, const Options& options)
      : grid(problem.grid), rule(options.rule), slowness(slownessOf<Real>(problem)),
        samples(rule == WeightRule::Cells ? cellsOf(grid) : pointsOf(grid)),
        edges(edgeTerms(grid, rule, makeForwardStar(grid, options.neighbours, options.radius))) {}

  int count() const { return int(edges.size()); } ///< offsets of the forward star
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
    const Index3 from = indexOf(grid, point);
    const int count = int(edge.terms.size());
    const auto slownessOf = [&](int t) { return minimum(from, edge.terms[t]); };
    if (rule != WeightRule::Fast)
      return sumOfTerms(
          0, count, [&](int t) { return Real(edge.terms[t].length); }, slownessOf);
    if (isClosed(0, count, slownessOf)) return unreached<Real>;
    return weightOfEnds(Real(0.5 * edge.length), slowness[point], slowness[neighbour(point, offset)]);
  }

  /// Returns the element with the minimum slowness among the samples of a term at a point, -1 if all samples
  /// are outside the grid.
  std::int64_t minElement(const Index3& at, const Term& term) const {
    std::int64_t best = -1;
    for (int s = 0; s < term.count; ++s) {
      const std::int64_t element = elementAt(shifted(at, term.samples[s]));
      if (element >= 0 && (best < 0 || slowness[element] < slowness[best])) best = element;
    }
    return best;
  }
  Real minimum(const Index3& at, const Term& term) const {
    const std::int64_t element = minElement(at, term);
    return element < 0 ? unreached<Real> : slowness[element];
  }

private:
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
