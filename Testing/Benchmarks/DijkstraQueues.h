// DijkstraQueues.h - Dijkstra's algorithm with three queues, on the solver's graph and in its arithmetic,
// optimised for one thread as the reference of the comparison.
//
//   std::priority_queue   as in the paper; stale entries are skipped
//   4-ary heap            with the position of each point, so that points move up
//   bucket queue          buckets no wider than the minimum weight: all points of a bucket are final
//                         (Dial 1969)
//
// The image has a border of blanked points as wide as the reach of the template, so no bounds are tested.
// Weights of rule Fast are computed per access. Those of rule Accurate are computed before, and half of them
// are stored, since an edge has the same weight in both directions.
#pragma once

#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/EdgeTerms.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace isochrone::benchmark {

/// The edges of an image with a border.
class RayGraph {
public:
  RayGraph(const rays::Problem& problem, const rays::Options& options) : grid(problem.grid) {
    const auto neighbours = rays::makeForwardStar(grid, options.neighbours, options.radius);
    int reach[3] = {};
    for (const auto& o : neighbours.offsets)
      for (int a = 0; a < 3; ++a) reach[a] = std::max(reach[a], std::abs(o[a]));
    nx = grid.nx + 2 * reach[0], ny = grid.ny + 2 * reach[1];
    first = reach[0] + nx * (reach[1] + ny * reach[2]);
    slowness.assign(nx * ny * (grid.nz + 2 * reach[2]), infinite);
    for (std::int64_t p = 0; p < grid.points(); ++p) slowness[bordered(p)] = problem.slowness[p];
    const auto step = [&](const rays::Offset& o) { return o[0] + nx * (o[1] + ny * o[2]); };
    for (const auto& terms : rays::edgeTerms(grid, options.rule, neighbours)) {
      Edge edge{step(terms.offset), float(0.5 * terms.length), {}, {}};
      for (const auto& term : terms.terms)
        edge.lengths.push_back(float(term.length)), edge.samples.push_back(step(term.samples[0]));
      edges.push_back(std::move(edge));
      longest = std::max(longest, terms.length), shortest = std::min(shortest, terms.length);
    }
    if (options.rule == rays::WeightRule::Accurate)
      store();
    else
      findGuarded();
  }

  std::size_t size() const { return slowness.size(); }
  std::int64_t bordered(std::int64_t p) const {
    return first + p % grid.nx + nx * (p / grid.nx % grid.ny + ny * (p / (grid.nx * grid.ny)));
  }
  /// Returns a lower bound of the weights, including rounding.
  float minWeight() const {
    return float(0.999 * shortest * double(*std::min_element(slowness.begin(), slowness.end())));
  }
  float greatestWeight() const {
    float maximum = 0;
    for (const float s : slowness)
      if (s < infinite) maximum = std::max(maximum, s);
    return float(1.001 * longest * double(maximum));
  }

  /// Calls offer(neighbour, time) for all open edges of a point.
  template <class Offer>
  void relax(std::int64_t p, float time, const Offer& offer) const {
    if (!stored.empty())
      for (std::size_t e = 0; e < edges.size(); ++e) {
        const Half& half = halves[e];
        offer(p + edges[e].step, time + stored[std::size_t(p + half.owner) * half.count + half.number]);
      }
    else if (guarded[p])
      for (const Edge& edge : edges) {
        bool open = true;
        for (const std::int64_t sample : edge.samples) open = open && slowness[p + sample] < infinite;
        if (open) offer(p + edge.step, time + edge.half * (slowness[p] + slowness[p + edge.step]));
      }
    else
      for (const Edge& edge : edges)
        offer(p + edge.step, time + edge.half * (slowness[p] + slowness[p + edge.step]));
  }

private:
  static constexpr float infinite = std::numeric_limits<float>::infinity();
  struct Edge {
    std::int64_t step;
    float half; ///< half the edge's length
    std::vector<float> lengths;
    std::vector<std::int64_t> samples;
  };
  struct Half {
    std::int64_t owner; ///< relative to the point: the end with the lower index
    std::size_t count, number;
  };

  rays::Grid grid;
  std::int64_t nx, ny, first;
  std::vector<float> slowness, stored;
  std::vector<std::uint8_t> guarded; ///< a blanked point is nearby, within the image: edges may be closed
  std::vector<Edge> edges;
  std::vector<Half> halves;
  double longest = 0, shortest = infinite;

  void store() {
    const std::size_t count = edges.size() / 2;
    std::vector<const Edge*> forward;
    for (const Edge& edge : edges)
      if (edge.step > 0) forward.push_back(&edge);
    for (const Edge& edge : edges)
      for (std::size_t n = 0; n < count; ++n)
        if (forward[n]->step == std::abs(edge.step))
          halves.push_back({std::min<std::int64_t>(edge.step, 0), count, n});
    stored.assign(size() * count, infinite);
    for (std::int64_t i = 0; i < grid.points(); ++i) {
      const std::int64_t p = bordered(i);
      for (std::size_t n = 0; n < count; ++n) {
        const Edge& edge = *forward[n];
        float sum = edge.lengths[0] * slowness[p + edge.samples[0]];
        for (std::size_t t = 1; t < edge.lengths.size(); ++t)
          sum += edge.lengths[t] * slowness[p + edge.samples[t]];
        stored[std::size_t(p) * count + n] = sum;
      }
    }
  }

  void findGuarded() {
    guarded.assign(size(), 0);
    for (std::int64_t i = 0; i < grid.points(); ++i)
      if (const std::int64_t p = bordered(i); slowness[p] == infinite)
        for (const Edge& edge : edges)
          for (const std::int64_t sample : edge.samples) guarded[p - sample] = 1;
  }
};

/// Times of all points, border included.
using RayTimes = std::vector<float>;

inline RayTimes solveByPriorityQueue(const RayGraph& graph, std::int64_t source) {
  RayTimes times(graph.size(), std::numeric_limits<float>::infinity());
  using Entry = std::pair<float, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> front;
  front.emplace(times[source] = 0, source);
  while (!front.empty()) {
    const auto [time, p] = front.top();
    front.pop();
    if (time > times[p]) continue;
    graph.relax(p, time, [&](std::int64_t q, float t) {
      if (t < times[q]) front.emplace(times[q] = t, q);
    });
  }
  return times;
}

inline RayTimes solveByHeap(const RayGraph& graph, std::int64_t source) {
  RayTimes times(graph.size(), std::numeric_limits<float>::infinity());
  constexpr std::uint32_t none = 0xffffffffu;
  std::vector<std::uint32_t> heap, place(graph.size(), none);
  const auto put = [&](std::size_t at, std::uint32_t p) { heap[at] = p, place[p] = std::uint32_t(at); };
  const auto rise = [&](std::size_t at, std::uint32_t p) {
    for (; at > 0 && times[p] < times[heap[(at - 1) / 4]]; at = (at - 1) / 4) put(at, heap[(at - 1) / 4]);
    put(at, p);
  };
  const auto sink = [&](std::uint32_t p) {
    std::size_t at = 0;
    while (4 * at + 1 < heap.size()) {
      std::size_t minimum = 4 * at + 1;
      for (std::size_t child = minimum + 1; child < std::min(4 * at + 5, heap.size()); ++child)
        if (times[heap[child]] < times[heap[minimum]]) minimum = child;
      if (times[heap[minimum]] >= times[p]) break;
      put(at, heap[minimum]), at = minimum;
    }
    put(at, p);
  };
  const auto offer = [&](std::int64_t q, float t) {
    if (!(t < times[q])) return;
    times[q] = t;
    if (place[q] == none) heap.push_back(std::uint32_t(q)), place[q] = std::uint32_t(heap.size() - 1);
    rise(place[q], std::uint32_t(q));
  };
  offer(source, 0);
  while (!heap.empty()) {
    const std::uint32_t p = heap.front(), last = heap.back();
    heap.pop_back();
    if (!heap.empty()) sink(last);
    graph.relax(p, times[p], offer);
  }
  return times;
}

inline RayTimes solveByBuckets(const RayGraph& graph, std::int64_t source) {
  RayTimes times(graph.size(), std::numeric_limits<float>::infinity());
  const double width = graph.minWeight();
  const std::size_t count = std::size_t(double(graph.greatestWeight()) / width) + 3; // used cyclically
  std::vector<std::vector<std::uint32_t>> buckets(count);
  std::vector<std::uint8_t> done(graph.size(), 0);
  const double perTime = 1 / width;
  std::size_t waiting = 0;
  const auto offer = [&](std::int64_t q, float t) {
    if (!(t < times[q])) return;
    times[q] = t;
    buckets[std::size_t(double(t) * perTime) % count].push_back(std::uint32_t(q)), ++waiting;
  };
  offer(source, 0);
  std::vector<std::uint32_t> points;
  for (std::size_t bucket = 0; waiting > 0; ++bucket) {
    points.clear();
    points.swap(buckets[bucket % count]);
    waiting -= points.size();
    for (const std::uint32_t p : points)
      if (!done[p]) done[p] = 1, graph.relax(p, times[p], offer); // later entries of a point are stale
  }
  return times;
}

} // namespace isochrone::benchmark
