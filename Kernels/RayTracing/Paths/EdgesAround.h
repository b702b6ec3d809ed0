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
        star(makeForwardStar(grid, options.neighbours, options.radius)), terms(edgeTerms(grid, rule, star)),
        slowness(problemOfEdges, terms) {
    const auto stepsTo = [](const Grid& g, const Offset& o) { return o[0] + g.nx * (o[1] + g.ny * o[2]); };
    for (const EdgeTerms& edge : terms) {
      stepsToPoints.push_back(stepsTo(grid, edge.offset));
      auto& steps = stepsToSamples.emplace_back();
      for (const Term& term : edge.terms) {
        auto& to = steps.emplace_back();
        for (std::size_t s = 0; s < to.size(); ++s) to[s] = stepsTo(elements, term.samples[s]);
      }
    }
    reach = reachOf(star);
  }

  /// Computes the slowness along the edges of a tilted medium. Returns false if the monitor requested a stop.
  bool compute(execution::RoundPool& pool, const Monitor& monitor) { return slowness.compute(pool, monitor); }

  int count() const { return int(terms.size()); } ///< offsets of the forward star
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
                       : indexAt(grid, from.at, terms[std::size_t(offset)].offset);
  }

  /// Returns the weight of the edge from a point to its neighbour at an offset; +infinity: closed.
  double weight(const Place& from, int offset, std::int64_t neighbour) const {
    const EdgeTerms& edge = terms[std::size_t(offset)];
    const auto& steps = stepsToSamples[std::size_t(offset)];
    const Real* const along = slowness.of(slowness.directionOfEdge(offset));
    const std::int64_t base = elements.index(from.at);
    const auto sample = [&](int t, int s) {
      const auto term = std::size_t(t), n = std::size_t(s);
      const std::int64_t element =
          from.inside ? base + steps[term][n] : indexAt(elements, from.at, edge.terms[term].samples[n]);
      return element < 0 ? unreached<double> : double(along[element]);
    };
    const int count = int(edge.terms.size());
    if (rule == WeightRule::Fast) {
      if (isClosed(0, count, [&](int t) { return sample(t, 0); })) return unreached<double>;
      return weightOfEnds(0.5 * edge.length, double(along[from.point]), double(along[neighbour]));
    }
    return sumOfTerms(
        0, count, [&](int t) { return edge.terms[std::size_t(t)].length; },
        [&](int t) {
          double minimum = sample(t, 0);
          for (int s = 1; s < edge.terms[std::size_t(t)].count; ++s)
            minimum = std::min(minimum, sample(t, s));
          return minimum;
        });
  }

private:
  Grid grid, elements;
  WeightRule rule;
  ForwardStar star;
  std::vector<EdgeTerms> terms;
  EdgeSlowness<Real> slowness;
  int reach = 0;
  /// Differences of indices, where all neighbours are in the grid.
  std::vector<std::int64_t> stepsToPoints;
  std::vector<std::vector<std::array<std::int64_t, 4>>> stepsToSamples; ///< per offset and term
};

} // namespace isochrone::rays
