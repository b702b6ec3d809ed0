#include "ImageTravelTime/Sensitivity/Cycles.h"

#include <algorithm>

namespace isochrone::image {

std::vector<double> matrixOf(const Dependences& dependences, std::span<const std::int64_t> members,
                             bool* leadsOut) {
  const std::size_t n = members.size();
  std::vector<double> matrix(n * n, 0);
  for (std::size_t m = 0; m < n; ++m) {
    matrix[m * n + m] = 1;
    forEachSide(dependences.sides(members[m]), [&](Direction d) {
      const std::int64_t used = dependences.order.neighbour(members[m], d);
      const auto to = std::ranges::lower_bound(members, used);
      if (to != members.end() && *to == used)
        matrix[std::size_t(to - members.begin()) * n + m] -= dependences.share(members[m], d);
      else if (leadsOut)
        *leadsOut = true;
    });
  }
  return matrix;
}

bool Cycles::find(const Dependences& dependences, std::span<const std::int64_t> points,
                  const std::function<bool()>& goOn) {
  // 1. The edges between the points.
  constexpr std::size_t checked = 1 << 16; // points between two calls of goOn
  std::vector<std::int64_t> first{0}, to;
  for (std::size_t n = 0; n < points.size(); ++n) {
    forEachSide(dependences.sides(points[n]), [&](Direction d) {
      const std::int64_t used = dependences.order.neighbour(points[n], d);
      to.push_back(std::ranges::lower_bound(points, used) - points.begin());
    });
    first.push_back(std::int64_t(to.size()));
    if (n % checked == 0 && !goOn()) return false;
  }

  // 2. Their components of more than one point.
  const grid::Components components(first, to, goOn);
  if (!components.complete) return false;
  for (std::size_t c = 0; c < components.ends.size(); ++c) {
    const std::size_t begin = c == 0 ? 0 : components.ends[c - 1], end = components.ends[c];
    if (end - begin < 2) continue;
    std::vector<std::int64_t>& cycle = members.emplace_back();
    for (std::size_t m = begin; m < end; ++m) cycle.push_back(points[std::size_t(components.members[m])]);
    std::ranges::sort(cycle);
    for (const std::int64_t n : cycle) cycleOf[n] = int(members.size()) - 1;
    bool leadsOut = false;
    matrixOf(dependences, cycle, &leadsOut);
    isLost.push_back(!leadsOut);
  }
  return true;
}

} // namespace isochrone::image
