// Cycles.cxx - masses of points that depend on each other: with source factoring, those on the two sides of a
// plane through the seed. Each set of such points is a small linear system.
#include "ImageTravelTime/Sensitivity/DependenceGraph.h"

#include "Execution/Progress.h"
#include "Grid/Components.h"

#include <algorithm>
#include <unordered_map>

namespace isochrone::image {

namespace {

/// Points between two reports.
constexpr std::int64_t reportSteps = 1 << 16;

} // namespace

bool DependenceGraph::solveCycle(std::span<const std::int64_t> members, std::vector<double>& masses) const {
  const std::size_t n = members.size();
  const auto numberOf = [&](std::int64_t point) {
    const auto at = std::ranges::lower_bound(members, point);
    return at != members.end() && *at == point ? std::size_t(at - members.begin()) : n;
  };
  std::vector<double> matrix(n * n, 0);
  bool leadsOut = false;
  for (std::size_t m = 0; m < n; ++m) {
    matrix[m * n + m] = 1;
    forUsed(members[m], [&](std::int64_t neighbour, int axis) {
      const std::size_t to = numberOf(neighbour);
      if (to == n)
        leadsOut = true;
      else
        matrix[to * n + m] -= sharesOf(members[m])[axis];
    });
  }
  if (leadsOut) grid::solveDense(matrix, masses);
  return leadsOut;
}

/// Finds the masses of points that depend on each other. A set from which nothing leads out keeps its masses.
void DependenceGraph::passThroughCycle(std::span<const std::int64_t> members) {
  const std::size_t n = members.size();
  std::vector<double> masses(n);
  for (std::size_t m = 0; m < n; ++m) masses[m] = mass[std::size_t(members[m])] + massFromUsers(members[m]);
  const bool isLost = n > 1 && !solveCycle(members, masses);
  for (std::size_t m = 0; m < n; ++m) {
    const auto p = std::size_t(members[m]);
    mass[p] = masses[m];
    state[p] |= done;
    if (isLost) state[p] = State(reached | done | int(TimeFrom::Nothing) << fromShift);
  }
}

bool DependenceGraph::spreadThroughCycles(const Monitor& monitor, DependenceOrder* order) {
  execution::Progress progress(monitor);
  // 1. The points that are left, and their edges.
  std::vector<std::int64_t> points;
  for (std::size_t p = 0; p < state.size(); ++p)
    if ((state[p] & (reached | done)) == reached) points.push_back(std::int64_t(p));
  const auto mayGoOn = [&](std::size_t n, double from) {
    return n % reportSteps != 0 ||
           progress.report([&] { return from + 0.2 * double(n) / double(points.size()); });
  };
  std::unordered_map<std::int64_t, std::int64_t> numbers;
  numbers.reserve(points.size());
  for (std::size_t n = 0; n < points.size(); ++n) {
    numbers[points[n]] = std::int64_t(n);
    if (!mayGoOn(n, 0)) return false;
  }
  std::vector<std::int64_t> first{0}, to;
  for (std::size_t n = 0; n < points.size(); ++n) {
    forUsed(points[n], [&](std::int64_t neighbour, int) { to.push_back(numbers.at(neighbour)); });
    first.push_back(std::int64_t(to.size()));
    if (!mayGoOn(n, 0.2)) return false;
  }

  // 2. Their components, each after those that depend on it.
  const grid::Components components(first, to, [&] { return progress.report([] { return 0.4; }); });
  if (!components.complete) return false;
  std::vector<std::int64_t> members;
  for (std::size_t c = components.ends.size(); c-- > 0;) {
    members.clear();
    for (std::size_t m = c == 0 ? 0 : components.ends[c - 1]; m < components.ends[c]; ++m)
      members.push_back(points[std::size_t(components.members[m])]);
    std::ranges::sort(members);
    passThroughCycle(members);
    if (order) {
      const auto begin = std::int64_t(order->points.size());
      order->points.insert(order->points.end(), members.begin(), members.end());
      if (members.size() > 1) order->cycles.push_back({begin, std::int64_t(order->points.size())});
    }
    if (!progress.report([&] { return 1 - 0.5 * double(c) / double(components.ends.size()); })) return false;
  }
  return true;
}

} // namespace isochrone::image
