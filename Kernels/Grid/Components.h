// Components.h - the strongly connected components of a graph, and the dense systems of small ones: masses of
// points whose times depend on each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace isochrone::grid {

/// Solves a dense system by elimination with row pivots.
/// @param a      row after row, overwritten
/// @param b      right-hand sides, row after row, overwritten with the solutions
/// @param sides  number of right-hand sides
inline void solveDense(std::vector<double>& a, std::vector<double>& b, std::size_t sides = 1) {
  const std::size_t n = b.size() / sides;
  const auto subtract = [&](std::size_t r, double factor, std::size_t c) { // a multiple of row c of b
    for (std::size_t s = 0; s < sides; ++s) b[r * sides + s] -= factor * b[c * sides + s];
  };
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (std::abs(a[r * n + c]) > std::abs(a[pivot * n + c])) pivot = r;
    if (pivot != c) {
      std::swap_ranges(a.begin() + std::ptrdiff_t(c * n), a.begin() + std::ptrdiff_t((c + 1) * n),
                       a.begin() + std::ptrdiff_t(pivot * n));
      std::swap_ranges(b.begin() + std::ptrdiff_t(c * sides), b.begin() + std::ptrdiff_t((c + 1) * sides),
                       b.begin() + std::ptrdiff_t(pivot * sides));
    }
    for (std::size_t r = c + 1; r < n; ++r) {
      const double factor = a[r * n + c] / a[c * n + c];
      if (factor == 0) continue;
      for (std::size_t k = c; k < n; ++k) a[r * n + k] -= factor * a[c * n + k];
      subtract(r, factor, c);
    }
  }
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t k = r + 1; k < n; ++k) subtract(r, a[r * n + k], k);
    for (std::size_t s = 0; s < sides; ++s) b[r * sides + s] /= a[r * n + r];
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
        if (++steps % (1 << 16) == 0 && !goOn()) {
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

} // namespace isochrone::grid
