#include "ImageTravelTime/Sensitivity/Cycles.h"

#include "Error.h"

#include <algorithm>
#include <string>

namespace isochrone::image {

namespace {

/// Calls visit(member, direction, place) for each point that members use; the place of a point outside is -1.
template <class Visit>
void forEachUsed(const Dependences& dependences, std::span<const std::int64_t> members, const Visit& visit) {
  for (std::size_t m = 0; m < members.size(); ++m)
    forEachSide(dependences.sides(members[m]), [&](Direction d) {
      const std::int64_t used = dependences.order.neighbour(members[m], d);
      const auto to = std::ranges::lower_bound(members, used);
      visit(m, d, to != members.end() && *to == used ? to - members.begin() : -1);
    });
}

} // namespace

std::vector<double> matrixOf(const Dependences& dependences, std::span<const std::int64_t> members) {
  const std::size_t n = members.size();
  std::vector<double> matrix(n * n, 0);
  for (std::size_t m = 0; m < n; ++m) matrix[m * n + m] = 1;
  forEachUsed(dependences, members, [&](std::size_t m, Direction d, std::ptrdiff_t to) {
    if (to >= 0) matrix[std::size_t(to) * n + m] -= dependences.share(members[m], d);
  });
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
  constexpr std::size_t maxSystem = 1024; // points of a dense system: 8 MiB, and less than a second
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
    forEachUsed(dependences, cycle,
                [&](std::size_t, Direction, std::ptrdiff_t to) { leadsOut = leadsOut || to < 0; });
    isLost.push_back(!leadsOut);
    if (leadsOut && cycle.size() > maxSystem)
      throw Error("the travel times of " + std::to_string(cycle.size()) +
                  " points depend on each other, and the sensitivities are solved for up to " +
                  std::to_string(maxSystem) + " of them: use factoring Off");
  }
  return true;
}

} // namespace isochrone::image
