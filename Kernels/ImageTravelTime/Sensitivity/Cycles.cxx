// Cycles.cxx - masses of points that depend on each other: with source factoring, those on the two sides of a
// plane through the seed. Each set of such points is a small linear system.
#include "ImageTravelTime/Sensitivity/DependenceGraph.h"

#include "Execution/Progress.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace isochrone::image {

namespace {

/// Points between two reports.
constexpr std::int64_t reportSteps = 1 << 16;

/// Solves a dense system by elimination with row pivots.
/// @param a  row after row, overwritten
/// @param b  right-hand side, overwritten with the solution
void solveDense(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (std::abs(a[r * n + c]) > std::abs(a[pivot * n + c])) pivot = r;
    if (pivot != c) {
      std::swap_ranges(a.begin() + std::ptrdiff_t(c * n), a.begin() + std::ptrdiff_t((c + 1) * n),
                       a.begin() + std::ptrdiff_t(pivot * n));
      std::swap(b[c], b[pivot]);
    }
    for (std::size_t r = c + 1; r < n; ++r) {
      const double factor = a[r * n + c] / a[c * n + c];
      if (factor == 0) continue;
      for (std::size_t k = c; k < n; ++k) a[r * n + k] -= factor * a[c * n + k];
      b[r] -= factor * b[c];
    }
  }
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t k = r + 1; k < n; ++k) b[r] -= a[r * n + k] * b[k];
    b[r] /= a[r * n + r];
  }
}

/// The strongly connected components of a graph (Tarjan, SIAM J. Comput. 1, 1972), in the order in which they
/// are completed: after all that they lead to.
class Components {
public:
  std::vector<std::int64_t> members; ///< component after component
  std::vector<std::size_t> ends;     ///< of each component in `members`
  bool complete = true;              ///< false: `goOn` requested a stop

  /// @param first, to  the edges of node n lead to to[first[n]], ..., to[first[n + 1] - 1]
  /// @param goOn       returns whether to continue
  template <class GoOn>
  Components(std::span<const std::int64_t> first, std::span<const std::int64_t> to, const GoOn& goOn)
      : number(first.size() - 1, unseen), low(number.size(), 0) {
    struct Frame {
      std::int64_t node, edge;
    };
    std::vector<Frame> calls;
    std::int64_t steps = 0;
    for (std::size_t root = 0; root < number.size(); ++root) {
      if (number[root] != unseen) continue;
      open(std::int64_t(root)), calls.push_back({std::int64_t(root), first[root]});
      while (!calls.empty()) {
        Frame& frame = calls.back();
        const auto node = std::size_t(frame.node);
        if (frame.edge < first[node + 1]) {
          const auto next = std::size_t(to[std::size_t(frame.edge++)]);
          if (number[next] == unseen)
            open(std::int64_t(next)), calls.push_back({std::int64_t(next), first[next]});
          else if (number[next] < closed)
            low[node] = std::min(low[node], number[next]);
          continue;
        }
        calls.pop_back();
        if (++steps % reportSteps == 0 && !goOn()) {
          complete = false;
          return;
        }
        if (!calls.empty())
          low[std::size_t(calls.back().node)] = std::min(low[std::size_t(calls.back().node)], low[node]);
        if (low[node] == number[node]) close(std::int64_t(node));
      }
    }
  }

private:
  static constexpr std::int64_t unseen = -1, closed = INT64_MAX;
  std::vector<std::int64_t> number, low, stack;
  std::int64_t last = 0;

  void open(std::int64_t node) {
    number[std::size_t(node)] = low[std::size_t(node)] = last++;
    stack.push_back(node);
  }
  void close(std::int64_t node) {
    for (bool more = true; more; stack.pop_back()) {
      more = stack.back() != node;
      members.push_back(stack.back());
      number[std::size_t(stack.back())] = closed;
    }
    ends.push_back(members.size());
  }
};

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
  if (leadsOut) solveDense(matrix, masses);
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
  const Components components(first, to, [&] { return progress.report([] { return 0.4; }); });
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
