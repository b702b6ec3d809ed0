// DijkstraReference.h - Dijkstra's algorithm on the graph of an image, edge by edge from the definition of
// the weights: slow, plain, and without a line of the solver's.
#pragma once

#include "RayTracing/RayTracing.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace isochrone::reference {

/// The neighbours of a point by the definition of the template, in no particular order.
std::vector<rays::Offset> offsetsOf(const rays::Grid& grid, rays::TemplateKind kind,
                                    const std::array<int, 3>& radius);

/// A length along an edge, and the points or cells relative to its start whose slowness it counts; of several
/// cells the least.
struct Share {
  long double length;
  std::vector<rays::Offset> samples;
};

/// Of an edge that leads to a point with a larger index, in the order in which they are added: points by z, y
/// and x, cells along the edge.
std::vector<Share> sharesOf(const rays::Grid& grid, rays::WeightRule rule, const rays::Offset& offset);

/// Points and the times at which waves start there.
using Starts = std::vector<std::pair<std::int64_t, double>>;

/// Of all sources and start times of the problem.
template <class Real>
Starts startsOf(const rays::Problem& problem, rays::WeightRule rule);

/// The weight of the edge from one point to another, which is at the offset of that number; +infinity:
/// closed.
template <class Real>
using Weight = std::function<Real(std::int64_t from, std::int64_t to, std::size_t offset)>;

/// The least sums, rounded to Real after every addition.
template <class Real>
std::vector<Real> leastTimes(const rays::Grid& grid, const std::vector<rays::Offset>& offsets,
                             const Starts& starts, const Weight<Real>& weight);

/// All of the above together.
template <class Real>
std::vector<Real> dijkstra(const rays::Problem& problem, const rays::Options& options);

} // namespace isochrone::reference
