// HeapFastMarching.h - fast marching optimised for one core: float, a 4-ary heap with the positions of its
// points. The reference for the tiled solver.
#pragma once

#include "UpwindGrid.h"

#include <algorithm>

namespace isochrone::benchmark {

class HeapFastMarching {
public:
  explicit HeapFastMarching(const image::Problem& problem) : grid(problem), place(grid.time.size(), far) {
    for (const Point p : grid.seeds)
      if (place[p] == far) insert(p);
    while (!heap.empty()) accept(pop());
  }

  image::Result result() const { return grid.result(0, grid.bytes(place) + grid.bytes(heap)); }

private:
  using Point = UpwindGrid::Point;
  static constexpr Point far = 0xffffffffu, done = 0xfffffffeu;

  UpwindGrid grid;
  Values<Point> place; ///< in the heap, or far or done
  std::vector<Point> heap;

  void put(std::size_t at, Point point) { heap[at] = point, place[point] = Point(at); }

  void insert(Point point) {
    heap.push_back(point);
    rise(heap.size() - 1);
  }

  void rise(std::size_t at) {
    const Point point = heap[at];
    for (; at > 0; at = (at - 1) / 4) {
      const Point parent = heap[(at - 1) / 4];
      if (!(grid.time[point] < grid.time[parent])) break;
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
      const auto minimum = std::min_element(heap.begin() + child, heap.begin() + end,
                                            [&](Point a, Point b) { return grid.time[a] < grid.time[b]; });
      if (!(grid.time[*minimum] < grid.time[last])) break;
      const std::size_t next = minimum - heap.begin();
      put(at, *minimum);
      at = next;
    }
    if (!heap.empty()) put(at, last);
    return first;
  }

  void accept(Point point) {
    place[point] = done;
    grid.eachNeighbour(point, [&](Point p) {
      if (place[p] == done) return;
      const float value = grid.update(p);
      if (!(value < grid.time[p])) return;
      grid.time[p] = value;
      if (place[p] == far)
        insert(p);
      else
        rise(place[p]);
    });
  }
};

inline image::Result heapFastMarching(const image::Problem& problem) {
  return HeapFastMarching(problem).result();
}

} // namespace isochrone::benchmark
