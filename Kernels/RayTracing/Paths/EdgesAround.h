// EdgesAround.h - the edges of the points of an image, for work on all of them. EdgeWeights computes the same
// weights one by one; this takes samples by differences of indices, and computes the slowness of tilted media
// once.
#pragma once

#include "Execution/RoundPool.h"
#include "Monitor.h"
#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/Axes.h"
#include "RayTracing/Scheme/EdgeSlowness.h"
#include "RayTracing/Scheme/EdgeTerms.h"
#include "RayTracing/Scheme/WeightFormulas.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isochrone::rays {

/// @tparam Real  the precision of the slowness
template <class Real>
class EdgesAround {
public:
  /// A point with its place in the grid.
  struct Place {
    std::int64_t point;
    GridIndex at;
    bool inside; ///< all its neighbours are in the grid
  };

  /// @param problemOfEdges  must outlive this
  EdgesAround(const Problem& problemOfEdges, const Options& options)
      : grid(problemOfEdges.grid), elements(elementsOf(grid, options.rule)), rule(options.rule),
        star(makeForwardStar(grid, options.neighbours, options.radius)), edges(edgeTerms(grid, rule, star)),
        slowness(problemOfEdges, edges) {
    const auto stepsTo = [](const Grid& g, const Offset& o) { return o[0] + g.nx * (o[1] + g.ny * o[2]); };
    for (const EdgeTerms& edge : edges) {
      stepsToPoints.push_back(stepsTo(grid, edge.offset));
      for (const rays::Term& term : edge.terms) {
        Term& flat = terms.emplace_back(Term{term.length, term.count, {}, term.samples});
        for (std::size_t s = 0; s < flat.steps.size(); ++s)
          flat.steps[s] = stepsTo(elements, term.samples[s]);
      }
      ends.push_back(int(terms.size()));
    }
    reach = reachOf(star);
  }

  /// Computes the slowness along the edges of a tilted medium. Returns false if the monitor requested a stop.
  bool compute(execution::RoundPool& pool, const Monitor& monitor) { return slowness.compute(pool, monitor); }

  int count() const { return int(edges.size()); } ///< offsets of the forward star
  std::size_t bytes() const { return slowness.bytes(); }

  Place placeOf(std::int64_t point) const {
    Place place{point, grid.indices(point), true};
    for (int a = 0; a < 3; ++a) {
      const std::int64_t margin = grid.sizes()[a] > 1 ? reach : 0;
      place.inside &= place.at[a] >= margin && place.at[a] + margin < grid.sizes()[a];
    }
    return place;
  }

  /// Returns the point at an offset from a point, -1 outside the grid.
  std::int64_t neighbour(const Place& from, int offset) const {
    return from.inside ? from.point + stepsToPoints[std::size_t(offset)]
                       : indexAt(grid, from.at, edges[std::size_t(offset)].offset);
  }

  /// Returns the weight of the edge from a point to its neighbour at an offset; +infinity: closed.
  double weight(const Place& from, int offset, std::int64_t neighbour) const {
    const Real* const along = slowness.of(slowness.directionOfEdge(offset));
    const std::int64_t base = elements.index(from.at);
    const auto sample = [&](const Term& term, int s) {
      const auto n = std::size_t(s);
      const std::int64_t element =
          from.inside ? base + term.steps[n] : indexAt(elements, from.at, term.samples[n]);
      return element < 0 ? unreached<double> : double(along[element]);
    };
    const int first = offset > 0 ? ends[std::size_t(offset - 1)] : 0, end = ends[std::size_t(offset)];
    if (rule == WeightRule::Fast) {
      if (isClosed(first, end, [&](int t) { return sample(terms[std::size_t(t)], 0); }))
        return unreached<double>;
      return weightOfEnds(0.5 * edges[std::size_t(offset)].length, double(along[from.point]),
                          double(along[neighbour]));
    }
    return sumOfTerms(
        first, end, [&](int t) { return terms[std::size_t(t)].length; },
        [&](int t) {
          const Term& term = terms[std::size_t(t)];
          double minimum = sample(term, 0);
          for (int s = 1; s < term.count; ++s) minimum = std::min(minimum, sample(term, s));
          return minimum;
        });
  }

private:
  /// A term of an edge, with the differences of indices to its samples where all neighbours are in the grid.
  struct Term {
    double length;
    int count;
    std::array<std::int64_t, 4> steps;
    std::array<Offset, 4> samples;
  };

  Grid grid, elements;
  WeightRule rule;
  ForwardStar star;
  std::vector<EdgeTerms> edges;
  EdgeSlowness<Real> slowness;
  int reach = 0;
  std::vector<std::int64_t> stepsToPoints; ///< per offset
  std::vector<Term> terms;                 ///< of all edges, one after the other
  std::vector<int> ends;                   ///< per offset: the end of its terms
};

} // namespace isochrone::rays
