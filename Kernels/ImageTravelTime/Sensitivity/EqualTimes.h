// EqualTimes.h - points of one time that depend on each other in a row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isochrone::image {

/// Returns the neighbour from which a point has its time; -1: none, the time is the point's own. In a row of
/// points of one time, the first is the one whose start value and earlier neighbours explain its time best.
/// The others take their time from it, on the shortest way, so that no mass runs in circles.
/// @param visit  visit(point, follow) calls follow(next) for each later neighbour of the same time that the
///               point may have it from, and returns by how much its start value and earlier neighbours give
///               it a later time
template <class Visit>
std::int64_t firstOfEqualTimes(std::int64_t point, const Visit& visit) {
  constexpr std::size_t maximum = 64; // more are a region where single precision does not resolve a step
  struct Node {
    std::int64_t point;
    std::int64_t by; ///< the neighbour of the first point through which the path to this one leads
  };
  std::vector<Node> nodes{{point, -1}};
  double least = 0;
  std::int64_t first = -1;
  for (std::size_t n = 0; n < nodes.size() && n < maximum; ++n) {
    const Node node = nodes[n];
    const double excess = visit(node.point, [&](std::int64_t next) {
      if (std::ranges::find(nodes, next, &Node::point) == nodes.end())
        nodes.push_back({next, node.by < 0 ? next : node.by});
    });
    if (n == 0 || excess < least) least = excess, first = node.by;
  }
  return first;
}

} // namespace isochrone::image
