// DijkstraReference.h - Dijkstra's algorithm on the graph of an image, with each edge from the definition of
// the weights: simple, slow, and without code of the solver.
#pragma once

#include "RayTracing/RayTracing.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace isochrone::reference {

/// Returns the neighbours of a point by the definition of the template, in unspecified order.
std::vector<rays::Offset> offsetsOf(const rays::Grid& grid, rays::StarKind kind,
                                    const std::array<int, 3>& radius);

/// A length along an edge, and the points or cells, relative to its start, whose slowness applies; among
/// several cells the minimum.
struct Share {
  long double length;
  std::vector<rays::Offset> samples;
};

/// Returns the shares of an edge to a point with a higher index, in summation order: points by z, y and x,
/// cells along the edge.
std::vector<Share> sharesOf(const rays::Grid& grid, rays::WeightRule rule, const rays::Offset& offset);

/// Points and their start times.
using Starts = std::vector<std::pair<std::int64_t, double>>;

/// Returns the starts of all sources and start times of the problem.
template <class Real>
Starts startsOf(const rays::Problem& problem, rays::WeightRule rule);

/// Returns the weight of the edge from one point to another at the offset of that number, +infinity if
/// closed.
template <class Real>
using Weight = std::function<Real(std::int64_t from, std::int64_t to, std::size_t offset)>;

/// Returns the weights by the definition.
/// @param problem  must outlive the result
/// @param offsets  of the template
template <class Real>
Weight<Real> weightOf(const rays::Problem& problem, rays::WeightRule rule,
                      const std::vector<rays::Offset>& offsets);

/// Returns the minimum sums, rounded to Real after every addition.
template <class Real>
std::vector<Real> minTimes(const rays::Grid& grid, const std::vector<rays::Offset>& offsets,
                           const Starts& starts, const Weight<Real>& weight);

/// Combines all of the above.
template <class Real>
std::vector<Real> dijkstra(const rays::Problem& problem, const rays::Options& options);

} // namespace isochrone::reference
