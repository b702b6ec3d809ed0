// Travel times on the host: rounds over the active vertices within a band of times, by all threads at once.
#include "MeshTravelTime/HostSolver.h"

#include "Execution/Crew.h"
#include "MeshTravelTime/StarWorkspace.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>

namespace isochrone::mesh {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto relaxed = std::memory_order_relaxed;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::atomic_ref<float> shared(float& value) { return std::atomic_ref<float>(value); }

/// A vertex is listed when it may fall, and off the list when it is looked at. Threads lower times and list
/// vertices while others look, in any order: whoever lowers a time lists the vertices around it after that,
/// and whoever looks takes the vertex off the list before that, so no fall goes unseen.
class Run {
public:
  Run(const VertexStars& s, double bandInEdges, int threads, const Monitor& m)
      : stars(s), monitor(m), band(float(bandInEdges * s.longEdge)), crew(threads),
        times(std::size_t(s.vertexCount) + 1), keys(times.size()), listed(times.size()) {
    const auto n = std::int64_t(times.size());
#pragma omp parallel for num_threads(threads)
    for (std::int64_t v = 0; v < n; ++v) times[v] = keys[v] = unreached, listed[v] = 0;
    for (int t = 0; t < crew.size(); ++t) workers.push_back(std::make_unique<Worker>(stars));
  }

  void lower(std::int32_t vertex, float time) {
    if (!(time < times[vertex])) return;
    workers[0]->space.visit(vertex, times.data());
    fall(*workers[0], vertex, times[vertex], time);
  }

  /// Until nothing is active below a time. Returns false if the monitor says stop.
  bool work(float limit) {
    while (leastKey() < limit) {
      nextRound(limit);
      if (Clock::now() - lastReport < std::chrono::milliseconds(100)) continue;
      lastReport = Clock::now();
      if (!monitor.goOn(double(reached()) / std::max(1, stars.vertexCount))) return false;
    }
    return true;
  }

  float leastKey() const {
    float least = unreached;
    for (const auto& w : workers) least = std::min(least, w->leastKey);
    return least;
  }
  std::int64_t updates() const {
    std::int64_t sum = 0;
    for (const auto& w : workers) sum += w->updates;
    return sum;
  }
  std::size_t bytes() const {
    std::size_t sum = times.size() * (2 * sizeof(float) + 1);
    for (const auto& w : workers) sum += (w->now.capacity() + w->next.capacity()) * sizeof(std::int32_t);
    return sum;
  }

  int rounds = 0;
  const VertexStars& stars;
  const Monitor& monitor;
  float band; ///< 0: no limit
  execution::Crew crew;
  Values<float> times, keys; ///< key: the least time that has listed the vertex
  Values<std::uint8_t> listed;

private:
  struct alignas(64) Worker {
    explicit Worker(const VertexStars& stars) : space(stars) {}
    StarWorkspace space;
    std::vector<std::int32_t> now, next; ///< listed vertices, of this round and of the next one
    float leastKey = unreached;          ///< of `next`
    std::int64_t updates = 0, reached = 0;
  };
  std::vector<std::unique_ptr<Worker>> workers;
  Clock::time_point lastReport{}; // the first round reports: whoever stops at once is heard

  std::int64_t reached() const {
    std::int64_t sum = 0;
    for (const auto& w : workers) sum += w->reached;
    return sum;
  }

  void nextRound(float limit) {
    constexpr std::size_t share = 128; // vertices of a job
    const float bound = std::min(limit, band > 0 ? leastKey() + band : unreached);
    struct Job {
      Worker* list;
      std::size_t first, end;
    };
    std::vector<Job> jobs;
    for (const auto& w : workers) {
      w->now.swap(w->next);
      w->next.clear();
      w->leastKey = unreached;
      for (std::size_t first = 0; first < w->now.size(); first += share)
        jobs.push_back({w.get(), first, std::min(first + share, w->now.size())});
    }
    crew.run(int(jobs.size()), [&](int j, int thread) {
      const std::vector<std::int32_t>& list = jobs[j].list->now;
      const std::size_t last = jobs[j].end - 1;
      for (std::size_t i = jobs[j].first; i <= last; ++i) {
        workers[thread]->space.announce(list[std::min(i + 2, last)], list[std::min(i + 1, last)]);
        look(*workers[thread], list[i], bound);
      }
    });
    ++rounds;
  }

  /// Updates a vertex, or leaves it to a later round.
  void look(Worker& worker, std::int32_t vertex, float bound) {
    const float key = shared(keys[vertex]).load(relaxed);
    if (key > bound) {
      worker.next.push_back(vertex);
      worker.leastKey = std::min(worker.leastKey, key);
      return;
    }
    shared(keys[vertex]).store(unreached, relaxed);
    std::atomic_ref(listed[vertex]).store(0, relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    ++worker.updates;
    const float before = shared(times[vertex]).load(relaxed);
    worker.space.visit(vertex, times.data());
    if (const float time = worker.space.relaxed(before); time < before) fall(worker, vertex, before, time);
  }

  /// Lowers the time of the vertex that the worker looks at, and lists the vertices that may fall, too.
  void fall(Worker& worker, std::int32_t vertex, float before, float time) {
    if (!(before < unreached)) ++worker.reached;
    shared(times[vertex]).store(time, relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (const std::int32_t other : worker.space.wokenBy(time)) {
      if (!std::atomic_ref(listed[other]).load(relaxed) &&
          !std::atomic_ref(listed[other]).exchange(1, relaxed))
        worker.next.push_back(other);
      auto key = shared(keys[other]);
      float old = key.load(relaxed);
      while (time < old && !key.compare_exchange_weak(old, time, relaxed)) {
      }
    }
    worker.leastKey = std::min(worker.leastKey, time);
  }
};

} // namespace

Values<float> solveOnHost(const VertexStars& stars, const std::vector<Start>& starts, const Sharing& sharing,
                          double band, int threads, const Monitor& monitor, Result& result) {
  Run run(stars, band, threads, monitor);
  for (const Start& start : starts) run.lower(start.vertex, float(start.time));

  std::vector<double> times(sharing.vertices.size());
  float limit = sharing.exchange ? 0 : unreached;
  while (true) {
    result.aborted = !run.work(limit);
    if (!sharing.exchange) break;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const float time = run.times[stars.number[sharing.vertices[i]]];
      times[i] = time < unreached ? time * stars.unit : infinity;
    }
    const double pending = result.aborted               ? std::numeric_limits<double>::quiet_NaN()
                           : run.leastKey() < unreached ? run.leastKey() * stars.unit
                                                        : infinity;
    const double bound = sharing.exchange(times, pending, stars.longEdge * stars.unit);
    if (std::isnan(bound)) break;
    for (std::size_t i = 0; i < times.size(); ++i)
      if (times[i] < infinity) run.lower(stars.number[sharing.vertices[i]], float(times[i] / stars.unit));
    limit = float(std::min(bound / stars.unit, double(unreached)));
  }
  result.rounds = run.rounds;
  result.updatesPerVertex = double(run.updates()) / std::max(1, stars.vertexCount);
  result.workBytes += run.bytes();
  if (result.aborted) return {};
  return std::move(run.times);
}

} // namespace isochrone::mesh
