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

/// An element with its slowness along a vector; -1 and +infinity: none.
template <class Real>
struct SlowElement {
  std::int64_t element = -1;
  SlownessAlong<Real> along{unreached<Real>, 1};
};

/// Returns the element with the minimum slowness among the samples of a term at a point, none if all samples
/// are outside the grid.
/// @param elements  see elementsOf
/// @param vector  along the edge
template <class Real>
SlowElement<Real> minElement(const Problem& problem, const Grid& elements, const GridIndex& at,
                             const Term& term, const Position& vector) {
  SlowElement<Real> best;
  for (int s = 0; s < term.count; ++s) {
    const std::int64_t element = indexAt(elements, at, term.samples[s]);
    if (element < 0) continue;
    const auto along = slownessAlong<Real>(problem, element, vector);
    if (best.element < 0 || along.slowness < best.along.slowness) best = {element, along};
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
    const Position along = directionOf(grid, edge.offset);
    if (rule != WeightRule::Fast)
      return sumOfTerms(
          0, count, [&](int t) { return Real(edge.terms[t].length); },
          [&](int t) { return minElementOf(from, edge.terms[t], along).along.slowness; });
    const auto given = [&](int t) {
      const std::int64_t sample = indexAt(elements, from, edge.terms[t].samples[0]);
      return sample < 0 ? unreached<Real> : Real(slownessAt(problem, sample));
    };
    if (isClosed(0, count, given)) return unreached<Real>;
    const auto slowness = [&](std::int64_t end) { return slownessAlong<Real>(problem, end, along).slowness; };
    return weightOfEnds(Real(0.5 * edge.length), slowness(point), slowness(neighbour(point, offset)));
  }

  /// Returns the element whose slowness counts for a term of an edge at a point.
  /// @param along  directionOf the edge
  SlowElement<Real> minElementOf(const GridIndex& at, const Term& term, const Position& along) const {
    return minElement<Real>(problem, elements, at, term, along);
  }

private:
  const Problem& problem;
  Grid grid, elements;
  WeightRule rule;
  std::vector<EdgeTerms> edges;
};

} // namespace isochrone::rays
