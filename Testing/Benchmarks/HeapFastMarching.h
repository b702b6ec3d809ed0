// HeapFastMarching.h - fast marching as one would write it to be fast on one core: float, a heap of four
// children that knows where its points are. The peer that the tiled solver is measured against.
#pragma once

#include "ImageTravelTime/ImageTravelTime.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace isochrone::benchmark {

/// Travel times of a problem with a speed array and seeds on points, spacing 1.
class HeapFastMarching {
public:
  explicit HeapFastMarching(const image::Problem& p)
      : grid(p.grid), speed(p.speed), time(grid.points(), infinite), place(grid.points(), far) {
    for (const image::Seed& seed : p.seeds)
      offer(std::uint32_t(
                grid.index(std::int64_t(seed.at[0]), std::int64_t(seed.at[1]), std::int64_t(seed.at[2]))),
            float(seed.startValue));
    while (!heap.empty()) accept(pop());
  }

  std::vector<float> take() { return std::move(time); }
  std::int64_t updates = 0;

private:
  static constexpr float infinite = std::numeric_limits<float>::infinity();
  static constexpr std::uint32_t far = 0xffffffffu, done = 0xfffffffeu;

  const image::Grid grid;
  std::span<const float> speed;
  std::vector<float> time;
  std::vector<std::uint32_t> place; ///< in the heap, or far or done
  std::vector<std::uint32_t> heap;

  void put(std::size_t at, std::uint32_t point) { heap[at] = point, place[point] = std::uint32_t(at); }

  void rise(std::size_t at) {
    const std::uint32_t point = heap[at];
    for (; at > 0; at = (at - 1) / 4) {
      const std::uint32_t parent = heap[(at - 1) / 4];
      if (!(time[point] < time[parent])) break;
      put(at, parent);
    }
    put(at, point);
  }

  std::uint32_t pop() {
    const std::uint32_t first = heap[0], last = heap.back();
    heap.pop_back();
    std::size_t at = 0;
    for (; !heap.empty();) {
      const std::size_t child = 4 * at + 1, end = std::min(child + 4, heap.size());
      if (child >= end) break;
      const auto least =
          std::min_element(heap.begin() + child, heap.begin() + end,
                           [&](std::uint32_t a, std::uint32_t b) { return time[a] < time[b]; });
      if (!(time[*least] < time[last])) break;
      const std::size_t next = least - heap.begin();
      put(at, *least);
      at = next;
    }
    if (!heap.empty()) put(at, last);
    return first;
  }

  void offer(std::uint32_t point, float value) {
    if (!(value < time[point])) return;
    time[point] = value;
    if (place[point] == far) {
      heap.push_back(point);
      place[point] = std::uint32_t(heap.size() - 1);
    }
    rise(place[point]);
  }

  float solve(float a, float b, float c, float slowness) const {
    if (b < a) std::swap(a, b);
    if (c < b) std::swap(b, c);
    if (b < a) std::swap(a, b);
    const float d1 = b - a, d2 = c - a, s = slowness * slowness;
    if (!(d1 * d1 < s)) return a + slowness;
    if (!(d2 * d2 + (d2 - d1) * (d2 - d1) < s)) return a + (d1 + std::sqrt(2 * s - d1 * d1)) / 2;
    return a + (d1 + d2 + std::sqrt(3 * s - (d1 * d1 + d2 * d2 + (d2 - d1) * (d2 - d1)))) / 3;
  }

  void accept(std::uint32_t point) {
    place[point] = done;
    const std::int64_t size[3] = {grid.nx, grid.ny, grid.nz}, step[3] = {1, grid.nx, grid.nx * grid.ny};
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t at = point / step[axis] % size[axis];
      if (at > 0) update(std::uint32_t(point - step[axis]), size, step);
      if (at + 1 < size[axis]) update(std::uint32_t(point + step[axis]), size, step);
    }
  }

  void update(std::uint32_t point, const std::int64_t (&size)[3], const std::int64_t (&step)[3]) {
    if (place[point] == done || !(speed[point] > 0)) return;
    float least[3];
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t at = point / step[axis] % size[axis];
      least[axis] = std::min(at > 0 ? time[point - step[axis]] : infinite,
                             at + 1 < size[axis] ? time[point + step[axis]] : infinite);
    }
    ++updates;
    offer(point, solve(least[0], least[1], least[2], 1 / speed[point]));
  }
};

} // namespace isochrone::benchmark
