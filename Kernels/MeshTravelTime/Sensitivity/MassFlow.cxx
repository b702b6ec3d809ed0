#include "MeshTravelTime/Sensitivity/MassFlow.h"

#include "Error.h"
#include "Execution/Progress.h"
#include "Grid/Components.h"
#include "Grid/NumberSet.h"
#include "MeshTravelTime/Scheme/SortedBy.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
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
  std::ranges::sort(left); // the order of those reached depends on threads
  return left.empty() || orderGroups(left, monitor.part(0.8, 0.2));
}

/// Appends vertices that use each other, and those that these use.
bool MassFlow::orderGroups(const std::vector<std::int32_t>& left, const Monitor& monitor) {
  execution::Progress progress(monitor);
  const std::size_t before = order.size();
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
    // Most of the weight leads from later to earlier vertices.
    std::sort(order.begin() + begin, order.end(), [&](std::int32_t v, std::int32_t w) {
      const double a = dependence[std::size_t(v)].value, b = dependence[std::size_t(w)].value;
      return a > b || (a == b && v < w);
    });
    if (end - begin > 1) groups.push_back({begin, end});
  }
  for (std::size_t r = before; r < order.size(); ++r) rank[std::size_t(order[r])] = std::int32_t(r);
  return true;
}

MassFlow::Group MassFlow::groupAt(std::int64_t at) const {
  const auto next = std::ranges::upper_bound(groups, at, {}, &Group::begin);
  if (next != groups.begin() && at < std::prev(next)->end) return *std::prev(next);
  return {at, at + 1};
}

/// Adds the masses that arrive from outside of a group. Returns whether it uses vertices of its own.
bool MassFlow::collect(Group group, std::span<double> mass) const {
  bool usesItself = group.end - group.begin > 1;
  for (const std::int32_t v : membersOf(group)) {
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
  return usesItself;
}

/// Calls f(index, share) for the vertices of a group that a vertex uses.
template <class F>
void MassFlow::forUsedWithin(Group group, std::int32_t vertex, const F& f) const {
  forUsed(vertex, [&](std::int32_t used, double share) {
    if (const std::int64_t at = rankOf(used); at < group.end) f(at - group.begin, share);
  });
}

/// In a group, solves the linear system mass = arriving mass + shares of masses.
bool MassFlow::complete(Group group, std::span<double> mass, double& lost, const GoOn& goOn) const {
  if (!collect(group, mass)) return true;
  bool leadsOut = false;
  for (const std::int32_t v : membersOf(group))
    forUsed(v, [&](std::int32_t w, double) { leadsOut = leadsOut || rankOf(w) >= group.end; });
  if (!leadsOut) { // masses circle for ever
    for (const std::int32_t v : membersOf(group)) lost += std::exchange(mass[std::size_t(v)], 0);
  } else if (constexpr std::int64_t dense = 64; group.end - group.begin <= dense) {
    solveDensely(group, mass);
  } else {
    return solveBySweeps(group, mass, goOn);
  }
  return true;
}

void MassFlow::solveDensely(Group group, std::span<double> mass) const {
  const auto members = membersOf(group);
  const std::size_t n = members.size();
  std::vector<double> matrix(n * n, 0), masses(n);
  for (std::size_t m = 0; m < n; ++m) {
    masses[m] = mass[std::size_t(members[m])];
    matrix[m * n + m] += 1;
    forUsedWithin(group, members[m],
                  [&](std::int64_t k, double share) { matrix[std::size_t(k) * n + m] -= share; });
  }
  grid::solveDense(matrix, masses);
  for (std::size_t m = 0; m < n; ++m) mass[std::size_t(members[m])] = masses[m];
}

/// Passes masses on in the order of the group, again and again, until each that arrives is nothing to double
/// precision. With strongly anisotropic speeds, most vertices may be one group. Returns false if goOn() did.
bool MassFlow::solveBySweeps(Group group, std::span<double> mass, const GoOn& goOn) const {
  constexpr double negligible = 1e-20;
  constexpr int maximum = 20000; // sweeps: vertices that give each other nearly all of their time
  const auto members = membersOf(group);
  struct Used {
    std::int64_t index;
    double share;
  };
  std::vector<std::array<Used, 3>> uses(members.size()); // close in memory, for many sweeps
  std::vector<double> arriving(members.size());
  grid::NumberSet now(std::ssize(members)), next(std::ssize(members));
  double size = 0;
  for (std::size_t m = 0; m < members.size(); ++m) {
    arriving[m] = std::exchange(mass[std::size_t(members[m])], 0);
    size += std::abs(arriving[m]);
    if (arriving[m] != 0) now.add(std::int64_t(m));
    std::size_t count = 0;
    forUsedWithin(group, members[m], [&](std::int64_t k, double share) { uses[m][count++] = {k, share}; });
  }
  for (int sweep = 0; !now.isEmpty(); ++sweep) {
    if (!goOn()) return false;
    if (sweep == maximum)
      fail("the sensitivities were not found: ", members.size(), " vertices give each other nearly all of ",
           "their time, and after ", maximum,
           " sweeps over them the weights of the tips have not left them: ",
           "improve the shape of the cells, or reduce the anisotropy");
    now.takeAll([&](std::int64_t m) {
      const double part = std::exchange(arriving[std::size_t(m)], 0);
      mass[std::size_t(members[std::size_t(m)])] += part;
      if (std::abs(part) <= negligible * size) return;
      for (const auto& [k, share] : uses[std::size_t(m)])
        if (share > 0) {
          arriving[std::size_t(k)] += share * part;
          (k > m ? now : next).add(k);
        }
    });
    std::swap(now, next);
  }
  return true;
}

bool MassFlow::pass(std::span<double> mass, double& lost, const Monitor& monitor) const {
  execution::Progress progress(monitor);
  const auto mayGoOn = [&](std::int64_t done) {
    return progress.report([&] { return double(done) / double(order.size()); });
  };
  std::int64_t begin = 0;
  const GoOn goOn = [&] { return mayGoOn(begin); };
  while (begin < std::ssize(order)) {
    const Group group = groupAt(begin);
    if (!complete(group, mass, lost, goOn)) return false;
    if (!mayGoOn(begin = group.end)) return false;
  }
  return true;
}

} // namespace isochrone::mesh
