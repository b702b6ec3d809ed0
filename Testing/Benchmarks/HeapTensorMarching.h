// HeapTensorMarching.h - fast marching with metric tensors, optimised for one core: the scheme of the solver,
// float, a 4-ary heap with the positions of its points. The reference for the solver's rounds.
#pragma once

#include "Grid/Selling.h"
#include "ImageTravelTime/ImageTravelTime.h"
#include "Values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace isochrone::benchmark {

/// For metric tensors without barriers, spacing 1, and seeds on points.
class HeapTensorMarching {
public:
  explicit HeapTensorMarching(const image::Problem& p) : problem(p), grid(p.grid) {
    const std::size_t points = grid.points();
    time.resize(points), place.resize(points), terms.resize(points), firstUser.assign(points + 2, 0);
    std::fill(time.begin(), time.end(), infinite);
    std::fill(place.begin(), place.end(), far);
    decompose();
    findUsers();
    for (const image::Seed& seed : problem.seeds) {
      const auto at =
          Point(grid.index(std::int64_t(seed.at[0]), std::int64_t(seed.at[1]), std::int64_t(seed.at[2])));
      time[at] = float(seed.startValue);
      if (place[at] == far) insert(at);
    }
    while (!heap.empty()) accept(pop());
  }

  image::Result result() const {
    image::Result r;
    r.travelTime.assign(time.begin(), time.end());
    r.updatesPerPoint = double(updates) / double(grid.points());
    const auto bytes = [](const auto& values) { return values.capacity() * sizeof(values[0]); };
    r.workBytes = bytes(time) + bytes(place) + bytes(terms) + bytes(firstUser) + bytes(users) + bytes(heap);
    return r;
  }

private:
  using Point = std::uint32_t;
  static constexpr float infinite = std::numeric_limits<float>::infinity();
  static constexpr Point far = 0xffffffffu, done = 0xfffffffeu;

  struct Terms {
    float weight[6];      ///< 0: no term
    std::int32_t step[6]; ///< to the neighbour on one side; the other one lies opposite
    std::uint32_t clear;  ///< bit r, 6 + r: the neighbour of term r on this, the other side is in the image
  };

  const image::Problem& problem;
  const image::Grid grid;
  Values<float> time;
  Values<Point> place; ///< in the heap, or far or done
  Values<Terms> terms;
  std::vector<std::uint32_t> firstUser; ///< per point, in `users`
  Values<Point> users;                  ///< the points whose update uses a point
  std::vector<Point> heap;
  std::int64_t updates = 0;

  bool isPlane() const { return grid.nz == 1; }

  /// Returns the metric, in the plane with a third axis that is not coupled.
  grid::Symmetric3 metricAt(std::int64_t p) const {
    const float* t = problem.speed.data() + p * (isPlane() ? 3 : 6);
    if (!isPlane()) return {t[0], t[1], t[2], t[3], t[4], t[5]};
    return {t[0], t[1], std::max(t[0], t[1]), t[2], 0, 0};
  }

  void decompose() {
    grid::Superbase base = grid::canonicalSuperbase();
    const GridIndex size = grid.sizes();
    for (std::int64_t p = 0; p < grid.points(); ++p) {
      const grid::Symmetric3 d = grid::inverse(metricAt(p));
      const GridIndex at = grid.indices(p);
      grid::makeObtuse(base, d);
      Terms& own = terms[p];
      own = {};
      for (int pair = 0, r = 0; pair < 6; ++pair) {
        const grid::Offset e = grid::sellingOffset(base, pair);
        const double weight = grid::sellingWeight(base, pair, d);
        if (!(weight > 1e-7 * grid::trace(d)) || (isPlane() && e[2] != 0)) continue;
        own.weight[r] = float(weight);
        own.step[r] = std::int32_t(e[0] + grid.nx * (e[1] + grid.ny * e[2]));
        for (int side = 0; side < 2; ++side) {
          bool inside = true;
          for (int a = 0; a < 3; ++a) {
            const std::int64_t to = side ? at[a] - e[a] : at[a] + e[a];
            inside &= to >= 0 && to < size[a];
          }
          own.clear |= std::uint32_t(inside) << (6 * side + r);
        }
        ++r;
      }
    }
  }

  bool seesAll(const Terms& t) const {
    for (int r = 0; r < 6; ++r)
      if (t.weight[r] > 0 && !(t.clear >> r & t.clear >> (6 + r) & 1)) return false;
    return true;
  }

  /// Calls f(neighbour, axis) for the neighbours on the axes.
  template <class F>
  void eachFace(Point p, F&& f) const {
    const GridIndex at = grid.indices(p), size = grid.sizes(), stride = grid.strides();
    for (int a = 0; a < 3; ++a) {
      if (at[a] > 0) f(Point(p - stride[a]), a);
      if (at[a] + 1 < size[a]) f(Point(p + stride[a]), a);
    }
  }

  /// Calls f(q) for the points that the update of p uses.
  template <class F>
  void eachUsed(Point p, F&& f) const {
    const Terms& t = terms[p];
    for (int r = 0; r < 6; ++r) {
      if (t.clear >> r & 1) f(Point(p + t.step[r]));
      if (t.clear >> (6 + r) & 1) f(Point(p - t.step[r]));
    }
    if (!seesAll(t)) eachFace(p, [&](Point q, int) { f(q); });
  }

  void findUsers() {
    for (Point p = 0; p < terms.size(); ++p) eachUsed(p, [&](Point q) { ++firstUser[q + 2]; });
    for (std::size_t n = 2; n < firstUser.size(); ++n) firstUser[n] += firstUser[n - 1];
    users.resize(firstUser.back());
    for (Point p = 0; p < terms.size(); ++p) eachUsed(p, [&](Point q) { users[firstUser[q + 1]++] = p; });
  }

  /// Solves with the earliest neighbours that come before the solution.
  float update(Point p) {
    ++updates;
    const Terms& t = terms[p];
    std::array<std::pair<float, float>, 6> term; // value and weight
    int count = 0;
    for (int r = 0; r < 6; ++r) {
      const float up = t.clear >> r & 1 ? time[p + t.step[r]] : infinite;
      const float down = t.clear >> (6 + r) & 1 ? time[p - t.step[r]] : infinite;
      const float value = std::min(up, down);
      if (t.weight[r] == 0 || !(value < time[p])) continue;
      int at = count++;
      for (; at > 0 && value < term[at - 1].first; --at) term[at] = term[at - 1];
      term[at] = {value, t.weight[r]};
    }
    float solution = infinite, a = 0, b = 0,
          c = -1; // a v^2 - 2 b v + c = 0, v and values relative to the first one
    for (int n = 0; n < count; ++n) {
      const float value = term[n].first - term[0].first, weight = term[n].second;
      if (!(term[n].first < solution)) break;
      a += weight, b += weight * value, c += weight * value * value;
      solution = term[0].first + (b + std::sqrt(std::max(0.f, b * b - a * c))) / a;
    }
    if (!seesAll(t)) {
      const grid::Symmetric3 metric = metricAt(p);
      eachFace(
          p, [&](Point q, int a2) { solution = std::min(solution, time[q] + float(std::sqrt(metric[a2]))); });
    }
    return solution;
  }

  void put(std::size_t at, Point point) { heap[at] = point, place[point] = Point(at); }

  void insert(Point point) {
    heap.push_back(point);
    rise(heap.size() - 1);
  }

  void rise(std::size_t at) {
    const Point point = heap[at];
    for (; at > 0; at = (at - 1) / 4) {
      const Point parent = heap[(at - 1) / 4];
      if (!(time[point] < time[parent])) break;
      put(at, parent);
    }
    put(at, point);
  }

  Point pop() {
    const Point first = heap[0], last = heap.back();
    heap.pop_back();
    std::size_t at = 0;
    for (; !heap.empty();) {
      const std::size_t child = 4 * at + 1, end = std::min(child + 4, heap.size());
      if (child >= end) break;
      const auto minimum =
          std::min_element(heap.begin() + std::ptrdiff_t(child), heap.begin() + std::ptrdiff_t(end),
                           [&](Point a, Point b) { return time[a] < time[b]; });
      if (!(time[*minimum] < time[last])) break;
      const std::size_t next = minimum - heap.begin();
      put(at, *minimum);
      at = next;
    }
    if (!heap.empty()) put(at, last);
    return first;
  }

  void accept(Point point) {
    place[point] = done;
    for (std::uint32_t n = firstUser[point]; n < firstUser[point + 1]; ++n) {
      const Point p = users[n];
      if (place[p] == done) continue;
      const float value = update(p);
      if (!(value < time[p])) continue;
      time[p] = value;
      place[p] == far ? insert(p) : rise(place[p]);
    }
  }
};

inline image::Result heapTensorMarching(const image::Problem& problem) {
  return HeapTensorMarching(problem).result();
}

} // namespace isochrone::benchmark
