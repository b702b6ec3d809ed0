// Travel times on the host: rounds over the active vertices within a band of times, by all threads.
#include "MeshTravelTime/Host/HostSolver.h"

#include "Bytes.h"
#include "Execution/Progress.h"
#include "Execution/RoundPool.h"
#include "MeshTravelTime/Host/StarVisit.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <span>

namespace isochrone::mesh {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::atomic_ref<float> shared(float& value) { return std::atomic_ref<float>(value); }

/// Width of the band of times processed in one round. Narrow bands save work where vertices get their times
/// from earlier ones. Where tetrahedra are elongated, vertices lower each other in turn and their times
/// converge slowly; a wave that waits for this in a narrow band takes a thousand rounds (cubes of 12^3 cells
/// at speeds of 10:1: about 2000 updates per vertex with one long edge, about 22 with this rule). The width
/// is therefore adapted to take 5 to 10 rounds for each long edge that the band moves.
class Band {
public:
  explicit Band(float longEdge) : step(longEdge), now(narrowest * longEdge) {}

  float width() const { return now; }
  /// Adapts the width after a round, when no time below `minimum` is due any more.
  void adapt(float minimum) {
    ++rounds;
    if (minimum >= begin + step) {
      if (rounds < fewRounds) now = std::max(0.9f * now, narrowest * step);
    } else {
      if (rounds < manyRounds) return;
      now = std::min(1.5f * now, unreached);
    }
    rounds = 0;
    begin = minimum;
  }

private:
  static constexpr float narrowest = 0.6f; ///< long edges
  static constexpr int fewRounds = 5, manyRounds = 10;
  float step, now;
  float begin = -unreached; ///< start of the band when `rounds` was last reset
  int rounds = 0;
};

/// A solve. A vertex is listed while it has a key, that is, while its update is due. Threads lower times and
/// set keys while others read them, in any order. A writer stores the time before it lowers the neighbours'
/// keys; a reader clears the key before it reads the times; so no decrease is missed.
class Run {
public:
  /// @param step  time along a long edge; `unreached`: no band
  Run(const PackedStars& stars, std::int32_t count, float step, execution::RoundPool& threads,
      const Monitor& m)
      : vertexCount(count), band(step), pool(threads), states(std::size_t(count) + 1), progress(m) {
    pool.forEach(count + std::int64_t(1), [&](std::int64_t v) { states[v] = {unreached, unreached}; });
    for (int t = 0; t < pool.size(); ++t) workers.push_back(std::make_unique<Worker>(stars));
  }

  float time(std::int32_t vertex) const { return states[vertex].time; }
  void lower(std::int32_t vertex, float time) {
    const float before = states[vertex].time;
    if (!(time < before)) return;
    Worker& worker = *workers[0];
    const std::size_t first = worker.next.size();
    worker.visit.relaxed(vertex, time, states.data());
    fall(worker, vertex, before, time);
    if (!listed.empty() && listed.back().worker == &worker && listed.back().end == first)
      listed.back().end = worker.next.size();
    else
      listed.push_back({&worker, first, worker.next.size()});
  }

  /// Runs rounds until no vertex is active below a time. Returns false if the monitor requests a stop.
  bool advance(float limit) {
    while (minKey() < limit) {
      nextRound(limit);
      band.adapt(minKey());
      if (!progress.report([&] { return double(total(&Worker::reached)) / std::max(1, vertexCount); }))
        return false;
    }
    return true;
  }

  float minKey() const {
    float minimum = unreached;
    for (const auto& w : workers) minimum = std::min(minimum, w->minKey);
    return minimum;
  }
  std::int64_t updates() const { return total(&Worker::updates); }
  std::size_t bytes() const {
    std::size_t sum = bytesOf(states, listed, pieces, firstPiece);
    for (const auto& w : workers) sum += bytesOf(w->now, w->next);
    return sum;
  }

  int rounds = 0;
  std::int32_t vertexCount;
  Band band;
  execution::RoundPool& pool;
  Values<VertexState> states;

private:
  struct alignas(64) Worker {
    explicit Worker(const PackedStars& stars) : visit(stars) {}
    StarVisit visit;
    std::vector<std::int32_t> now, next; ///< vertices listed for this round and for the next one
    float minKey = unreached;            ///< minimum over `next`
    std::int64_t updates = 0, reached = 0;
  };
  /// Vertices that a worker listed one after the other, as indices into its `now`, or `next` before the
  /// round.
  struct Piece {
    Worker* worker;
    std::size_t first, end;
  };
  static constexpr std::size_t share = 128; // vertices per job
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<Piece> listed;           ///< for the next round, in the order of the jobs that listed them
  std::vector<Piece> pieces;           ///< of the jobs of this round, one after the other
  std::vector<std::size_t> firstPiece; ///< per job; at the end the number of pieces
  execution::Progress progress;

  std::int64_t total(std::int64_t Worker::*number) const {
    std::int64_t sum = 0;
    for (const auto& w : workers) sum += (*w).*number;
    return sum;
  }

  void nextRound(float limit) {
    const float bound = std::min(limit, minKey() + band.width());
    for (const auto& w : workers) {
      w->now.swap(w->next);
      w->next.clear();
      w->minKey = unreached;
    }
    makeJobs();
    listed.resize(firstPiece.size() - 1);
    // As a rule a thread takes jobs that follow each other: vertices beside each other that are updated at
    // the same time would be updated with older times, and more often.
    const auto count = std::int64_t(listed.size()), threads = std::clamp<std::int64_t>(count, 1, pool.size());
    pool.run(int((count + threads - 1) / threads * threads), [&](int number, int thread) {
      const std::int64_t part = number % threads, job = count * part / threads + number / threads;
      if (job >= count * (part + 1) / threads) return;
      Worker& worker = *workers[thread];
      const std::size_t first = worker.next.size();
      work(worker, std::span(pieces).subspan(firstPiece[job], firstPiece[job + 1] - firstPiece[job]), bound);
      listed[job] = {&worker, first, worker.next.size()};
    });
    ++rounds;
  }

  /// Divides the listed vertices into jobs, in the order of the jobs that listed them, whichever thread ran
  /// those. So neighbours stay together as on one thread, and are updated about as often.
  void makeJobs() {
    pieces.clear();
    firstPiece.assign(1, 0);
    std::size_t size = 0; // of the last job
    for (Piece rest : listed)
      while (rest.first < rest.end) {
        const std::size_t end = std::min(rest.end, rest.first + share - size);
        pieces.push_back({rest.worker, rest.first, end});
        size += end - rest.first;
        rest.first = end;
        if (size < share) continue;
        firstPiece.push_back(pieces.size());
        size = 0;
      }
    if (size > 0) firstPiece.push_back(pieces.size());
  }

  /// Updates the vertices of a job, and leaves those beyond the bound to a later round.
  void work(Worker& worker, std::span<const Piece> job, float bound) {
    std::array<std::int32_t, share> due;
    std::size_t count = 0;
    for (const Piece& piece : job)
      for (std::size_t i = piece.first; i < piece.end; ++i) {
        const std::int32_t vertex = piece.worker->now[i];
        const float key = shared(states[vertex].key).load(relaxed);
        if (key > bound) {
          worker.next.push_back(vertex);
          worker.minKey = std::min(worker.minKey, key);
        } else {
          due[count++] = vertex;
        }
      }
    for (std::size_t i = 0; i < count; ++i) {
      const auto later = [&](std::size_t steps) { return due[std::min(i + steps, count - 1)]; };
      worker.visit.fetchPlace(later(6));
      worker.visit.fetchStar(later(3));
      worker.visit.fetchNeighbours(later(1), states.data());
      update(worker, due[i]);
    }
    execution::SimulatedWorkers::countWork(double(count));
  }

  void update(Worker& worker, std::int32_t vertex) {
    VertexState& state = states[vertex];
    shared(state.key).store(unreached, relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    ++worker.updates;
    const float before = shared(state.time).load(relaxed);
    if (const float time = worker.visit.relaxed(vertex, before, states.data()); time < before)
      fall(worker, vertex, before, time);
  }

  /// Lowers the time of the vertex that the worker has just relaxed, and lists the vertices that this may
  /// lower.
  void fall(Worker& worker, std::int32_t vertex, float before, float time) {
    if (!(before < unreached)) ++worker.reached;
    shared(states[vertex].time).store(time, relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    worker.visit.wake(time, states.data(), [&](std::int32_t other) {
      if (other == vertexCount) return; // the additional vertex of triangles, which is never reached
      auto key = shared(states[other].key);
      float old = key.load(relaxed);
      while (time < old && !key.compare_exchange_weak(old, time, relaxed)) {
      }
      if (!(time < old)) return;
      worker.minKey = std::min(worker.minKey, time);
      if (!(old < unreached)) worker.next.push_back(other); // otherwise it is already listed
    });
  }
};

/// Exchanges the times of shared vertices with the other processes. Returns the time up to which this process
/// computes next, in solver units; NaN: all work is done, or a process stopped.
double exchangeTimes(const VertexStars& stars, const Sharing& sharing, bool aborted, Run& run) {
  const auto world = [&](float time) { return time < unreached ? time * stars.unit : infinity; };
  std::vector<float> times;
  for (const std::int64_t v : sharing.vertices) times.push_back(float(world(run.time(stars.number[v]))));
  const double pending = aborted ? std::numeric_limits<double>::quiet_NaN() : world(run.minKey());
  const double limit = sharing.exchange(times, pending, stars.longEdge * stars.unit);
  if (std::isnan(limit)) return limit;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] < infinity) run.lower(stars.number[sharing.vertices[i]], float(times[i] / stars.unit));
  return std::min(limit / stars.unit, double(unreached));
}

} // namespace

Values<float> solveOnHost(const VertexStars& stars, const PackedStars& packed,
                          const std::vector<Start>& starts, const Sharing& sharing, bool inBand,
                          execution::RoundPool& pool, const Monitor& monitor, Result& result) {
  Run run(packed, stars.vertexCount, inBand ? stars.longEdge : unreached, pool, monitor);
  for (const Start& start : starts) run.lower(start.vertex, float(start.time));

  result.aborted = !monitor.report(0);
  double limit = sharing.exchange ? 0 : unreached;
  while (!std::isnan(limit)) {
    result.aborted = result.aborted || !run.advance(float(limit));
    if (!sharing.exchange) break;
    limit = exchangeTimes(stars, sharing, result.aborted, run);
  }
  result.rounds = run.rounds;
  result.updatesPerVertex = double(run.updates()) / std::max(1, stars.vertexCount);
  result.workBytes += run.bytes();
  if (result.aborted) return {};
  Values<float> all(std::size_t(stars.vertexCount) + 1);
  pool.forEach(std::int64_t(all.size()), [&](std::int64_t v) { all[v] = run.time(std::int32_t(v)); });
  return all;
}

} // namespace isochrone::mesh
