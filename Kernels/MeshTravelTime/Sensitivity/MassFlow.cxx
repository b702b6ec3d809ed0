#include "MeshTravelTime/Sensitivity/MassFlow.h"

#include "Execution/Progress.h"
#include "Grid/Components.h"
#include "MeshTravelTime/Scheme/SortedBy.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

namespace isochrone::mesh {

namespace {

constexpr std::int64_t batch = 512; // vertices per job

} // namespace

MassFlow::MassFlow(std::span<const VertexDependence> d, execution::RoundPool& workers)
    : dependence(d), pool(workers), rank(d.size()) {}

/// Visits the vertices of a front and then those that the visits add, until there are none. Appends them to
/// the order, level by level.
bool MassFlow::visitLevels(std::vector<std::int32_t> front, const Visit& visit, const Monitor& monitor) {
  execution::Progress progress(monitor);
  std::vector<std::vector<std::int32_t>> next(std::size_t(pool.size()));
  while (!front.empty()) {
    order.insert(order.end(), front.begin(), front.end());
    levels.push_back(std::int64_t(order.size()));
    constexpr std::int64_t slice = 1 << 18; // vertices between two reports
    for (std::int64_t first = 0; first < std::ssize(front); first += slice) {
      const std::int64_t count = std::min(slice, std::ssize(front) - first);
      pool.forRanges(count, batch, [&](std::int64_t begin, std::int64_t end, int thread) {
        for (std::int64_t n = first + begin; n < first + end; ++n)
          visit(front[std::size_t(n)], next[std::size_t(thread)]);
      });
      if (!progress.report([&] { return double(order.size()) / double(dependence.size()); })) return false;
    }
    front.clear();
    for (auto& list : next) {
      front.insert(front.end(), list.begin(), list.end());
      list.clear();
    }
  }
  return true;
}

bool MassFlow::prepare(std::span<const std::int32_t> vertices, const Monitor& monitor) {
  const auto count = std::int64_t(dependence.size());
  constexpr std::int32_t isNew = -1, isReached = -2;
  const auto addReached = [&](std::int32_t v, std::vector<std::int32_t>& list) {
    std::atomic_ref<std::int32_t> state(rank[std::size_t(v)]);
    if (state.load(std::memory_order_relaxed) == isNew &&
        state.exchange(isReached, std::memory_order_relaxed) == isNew)
      list.push_back(v);
  };
  // 1. The vertices that are reached.
  pool.forEach(count, [&](std::int64_t v) { rank[std::size_t(v)] = isNew; });
  std::vector<std::int32_t> front;
  for (const std::int32_t v : vertices) addReached(v, front);
  const Visit reach = [&](std::int32_t v, std::vector<std::int32_t>& next) {
    forUsed(v, [&](std::int32_t w, double) { addReached(w, next); });
  };
  if (!visitLevels(std::move(front), reach, monitor.part(0, 0.3))) return false;
  const std::vector<std::int32_t> reached = std::exchange(order, {});
  levels.clear();

  // 2. Their users.
  SortedIndices users = sortedBy(3 * std::size_t(count), std::uint32_t(count), pool, [&](const auto& visit) {
    for (std::int64_t v = 0; v < count; ++v)
      if (rank[std::size_t(v)] != isNew)
        forUsed(std::int32_t(v), [&](std::int32_t w, double) { visit(std::uint32_t(v), std::uint32_t(w)); });
  });
  firstUser = std::move(users.first), user = std::move(users.order);
  if (!monitor.report(0.5)) return false;

  // 3. An order in which each vertex follows its users.
  Values<std::uint32_t> open(dependence.size()); // per vertex: users that have no rank yet
  front.clear();
  for (const std::int32_t v : reached) {
    open[std::size_t(v)] = firstUser[std::size_t(v) + 1] - firstUser[std::size_t(v)];
    if (open[std::size_t(v)] == 0) front.push_back(v);
  }
  const Visit close = [&](std::int32_t v, std::vector<std::int32_t>& next) {
    forUsed(v, [&](std::int32_t w, double) {
      std::atomic_ref<std::uint32_t> users(open[std::size_t(w)]);
      if (users.fetch_sub(1, std::memory_order_acq_rel) == 1) next.push_back(w);
    });
  };
  if (!visitLevels(std::move(front), close, monitor.part(0.5, 0.3))) return false;
  for (std::size_t r = 0; r < order.size(); ++r) rank[std::size_t(order[r])] = std::int32_t(r);
  std::vector<std::int32_t> left;
  for (const std::int32_t v : reached)
    if (rank[std::size_t(v)] == isReached) left.push_back(v);
  return left.empty() || orderGroups(left, monitor.part(0.8, 0.2));
}

/// Appends vertices that use each other, and those that these use.
bool MassFlow::orderGroups(const std::vector<std::int32_t>& left, const Monitor& monitor) {
  execution::Progress progress(monitor);
  std::vector<std::int64_t> first{0}, to;
  for (std::size_t n = 0; n < left.size(); ++n) rank[std::size_t(left[n])] = std::int32_t(n);
  for (const std::int32_t v : left) {
    forUsed(v, [&](std::int32_t w, double) { to.push_back(rank[std::size_t(w)]); });
    first.push_back(std::int64_t(to.size()));
  }
  const grid::Components components(first, to, [&] { return progress.report([] { return 0.5; }); });
  if (!components.complete) return false;
  for (std::size_t c = components.ends.size(); c-- > 0;) {
    const auto begin = std::int64_t(order.size());
    for (std::size_t m = c == 0 ? 0 : components.ends[c - 1]; m < components.ends[c]; ++m)
      order.push_back(left[std::size_t(components.members[m])]);
    const auto end = std::int64_t(order.size());
    std::sort(order.begin() + begin, order.end());
    bool isGroup = end - begin > 1;
    const std::int32_t only = order[std::size_t(begin)];
    forUsed(only, [&](std::int32_t w, double) { isGroup = isGroup || w == only; });
    if (isGroup) groups.push_back({begin, end});
  }
  for (auto r = std::size_t(levels.empty() ? 0 : levels.back()); r < order.size(); ++r)
    rank[std::size_t(order[r])] = std::int32_t(r);
  return true;
}

MassFlow::Group MassFlow::groupAt(std::int64_t at) const {
  const auto next = std::ranges::upper_bound(groups, at, {}, &Group::begin);
  if (next != groups.begin() && at < std::prev(next)->end) return *std::prev(next);
  return {at, at + 1};
}

double MassFlow::complete(Group group, std::span<double> mass) const {
  const auto members =
      std::span(order).subspan(std::size_t(group.begin), std::size_t(group.end - group.begin));
  bool usesItself = group.end - group.begin > 1;
  for (const std::int32_t v : members) {
    double sum = mass[std::size_t(v)];
    for (std::uint32_t i = firstUser[std::size_t(v)]; i < firstUser[std::size_t(v) + 1]; ++i) {
      const auto from = std::int32_t(user[i]);
      if (rankOf(from) >= group.begin) {
        usesItself = true;
        continue;
      }
      forUsed(from, [&](std::int32_t w, double share) {
        if (w == v) sum += share * mass[std::size_t(from)];
      });
    }
    mass[std::size_t(v)] = sum;
  }
  return usesItself ? solveGroup(members, mass) : 0;
}

/// Solves the linear system of vertices that use each other. Their masses are lost if none leads out.
double MassFlow::solveGroup(std::span<const std::int32_t> members, std::span<double> mass) const {
  const std::size_t n = members.size();
  std::vector<double> matrix(n * n, 0), masses(n);
  bool leadsOut = false;
  for (std::size_t m = 0; m < n; ++m) {
    masses[m] = mass[std::size_t(members[m])];
    matrix[m * n + m] += 1;
    forUsed(members[m], [&](std::int32_t w, double share) {
      const auto at = std::ranges::lower_bound(members, w);
      if (at == members.end() || *at != w)
        leadsOut = true;
      else
        matrix[std::size_t(at - members.begin()) * n + m] -= share;
    });
  }
  double lost = 0;
  if (leadsOut) {
    grid::solveDense(matrix, masses);
  } else { // masses circle for ever
    for (double& value : masses) lost += std::exchange(value, 0);
  }
  for (std::size_t m = 0; m < n; ++m) mass[std::size_t(members[m])] = masses[m];
  return lost;
}

bool MassFlow::pass(std::span<double> mass, double& lost, const Monitor& monitor) const {
  execution::Progress progress(monitor);
  const auto mayGoOn = [&](std::int64_t done) {
    return progress.report([&] { return double(done) / double(order.size()); });
  };
  std::int64_t begin = 0;
  for (const std::int64_t end : levels) {
    pool.forRanges(end - begin, batch, [&](std::int64_t first, std::int64_t last, int) {
      for (std::int64_t r = begin + first; r < begin + last; ++r) complete({r, r + 1}, mass);
    });
    if (!mayGoOn(begin = end)) return false;
  }
  while (begin < std::ssize(order)) {
    const Group group = groupAt(begin);
    lost += complete(group, mass);
    if (!mayGoOn(begin = group.end)) return false;
  }
  return true;
}

} // namespace isochrone::mesh
