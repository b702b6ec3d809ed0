// EdgeWeights.h - the weight of any edge, by the indices of its point and its offset.
#pragma once

#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/Axes.h"
#include "RayTracing/Scheme/EdgeSlowness.h"
#include "RayTracing/Scheme/EdgeTerms.h"
#include "RayTracing/Scheme/WeightFormulas.h"

#include <cstdint>
#include <vector>

namespace isochrone::rays {

/// Returns the element with the minimum slowness among the samples of a term at a point, -1 if all samples
/// are outside the grid.
/// @param elements  see elementsOf
/// @param slowness  slowness(e): of element e
template <class Slowness>
std::int64_t minElement(const Grid& elements, const GridIndex& at, const Term& term,
                        const Slowness& slowness) {
  std::int64_t best = -1;
  for (int s = 0; s < term.count; ++s) {
    const std::int64_t element = indexAt(elements, at, term.samples[s]);
    if (element >= 0 && (best < 0 || slowness(element) < slowness(best))) best = element;
  }
  return best;
}

template <class Real>
class EdgeWeights {
public:
  /// @param problemOfEdges  must outlive this
  EdgeWeights(const Problem& problemOfEdges, const Options& options)
      : problem(problemOfEdges), grid(problem.grid), elements(elementsOf(grid, options.rule)),
        rule(options.rule),
        edges(edgeTerms(grid, rule, makeForwardStar(grid, options.neighbours, options.radius))) {}

  int count() const { return int(edges.size()); } ///< offsets of the forward star
  const EdgeTerms& terms(int offset) const { return edges[offset]; }

  /// Returns the point at an offset from a point, -1 outside the grid.
  std::int64_t neighbour(std::int64_t point, int offset) const {
    return indexAt(grid, grid.indices(point), edges[offset].offset);
  }

  /// Returns the weight of the edge from a point to the one at an offset, which must be in the grid;
  /// +infinity: closed.
  Real weight(std::int64_t point, int offset) const {
    const EdgeTerms& edge = edges[offset];
    const GridIndex from = grid.indices(point);
    const int count = int(edge.terms.size());
    const auto slowness = [&](std::int64_t element) {
      return edgeSlowness<Real>(problem, element, edge.offset);
    };
    const auto minimum = [&](int t) {
      const std::int64_t element = minElement(elements, from, edge.terms[t], slowness);
      return element < 0 ? unreached<Real> : slowness(element);
    };
    if (rule != WeightRule::Fast)
      return sumOfTerms(
          0, count, [&](int t) { return Real(edge.terms[t].length); }, minimum);
    if (isClosed(0, count, minimum)) return unreached<Real>;
    return weightOfEnds(Real(0.5 * edge.length), slowness(point), slowness(neighbour(point, offset)));
  }

  /// Returns the element whose slowness counts for a term of an edge at a point.
  std::int64_t minElementOf(const GridIndex& at, const EdgeTerms& edge, const Term& term) const {
    return minElement(elements, at, term, [&](std::int64_t element) {
      return edgeSlowness<Real>(problem, element, edge.offset);
    });
  }

private:
  const Problem& problem;
  Grid grid, elements;
  WeightRule rule;
  std::vector<EdgeTerms> edges;
};

} // namespace isochrone::rays
