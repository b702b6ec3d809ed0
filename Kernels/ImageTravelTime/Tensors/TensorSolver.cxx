#include "ImageTravelTime/Tensors/TensorSolver.h"

#include "Bytes.h"
#include "Execution/Progress.h"
#include "Execution/RoundPool.h"
#include "ImageTravelTime/Seeds/TensorSeeds.h"
#include "ImageTravelTime/Seeds/ThomsenSeeds.h"
#include "ImageTravelTime/Tensors/TensorField.h"
#include "ImageTravelTime/Tensors/TensorFront.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>

namespace isochrone::image {

namespace {

/// Width of a bucket, in grid steps at the largest speed.
constexpr float bucketInSteps = 1;

/// Minimum number of points for which a round starts another thread.
constexpr std::size_t share = 96;

/// Number of ranges of positions by which the points of a round are sorted.
constexpr std::size_t bins = 256;

/// Prefetch distance, in points.
constexpr std::size_t ahead = 12;

/// Number of candidates that are updated, and then compared with their values, at a time.
constexpr std::size_t block = 64;

/// The candidates that a thread found in a round, in memory that only grows; in cache lines of its own.
class alignas(64) Candidates {
public:
  std::size_t size = 0;
  std::int64_t reached = 0; ///< number of points that the thread reached first, in all rounds

  std::uint32_t* points() { return point.data(); }
  float* values() { return value.data(); }
  void makeRoom(std::size_t more) {
    if (point.size() >= size + more) return;
    point.resize(std::max(2 * point.size(), size + more));
    value.resize(point.size());
  }
  std::size_t bytes() const { return bytesOf(point, value); }

private:
  Values<std::uint32_t> point;
  Values<float> value; ///< after the update
};

/// The rounds of the solver. The points of a bucket mark the points that use them as candidates. The
/// candidates are updated from the values before the round, and enter buckets if they change. The result
/// therefore does not depend on the threads.
class Rounds {
public:
  Rounds(TensorField& tensorField, const TensorSeeds& tensorSeeds, const ThomsenSeeds& thomsenSeeds,
         execution::RoundPool& threads)
      : field(tensorField), seeds(tensorSeeds), tiltedSeeds(thomsenSeeds), pool(threads),
        front(bucketInSteps / tensorField.largestSpeed, threads.size()), found(threads.size()) {}

  std::int64_t updates = 0;
  Values<std::int32_t> updatesOf; ///< per point; empty: not recorded

  void start(std::int64_t point, float value) {
    const auto p = std::uint32_t(point);
    change(&p, &value, 1, 0);
  }

  /// Returns false if no work is left.
  bool next() {
    return front.take(field.value, points, [&](std::uint32_t p) { return isPending(p); });
  }
  float final() const { return float(front.minimum()); }
  void work();
  std::int64_t reached() const {
    std::int64_t sum = 0;
    for (const Candidates& candidates : found) sum += candidates.reached;
    return sum;
  }
  std::size_t bytes() const {
    std::size_t sum = bytesOf(points, sorted) + front.bytes();
    for (const Candidates& candidates : found) sum += candidates.bytes();
    return sum;
  }

private:
  TensorField& field;
  const TensorSeeds& seeds;
  const ThomsenSeeds& tiltedSeeds;
  execution::RoundPool& pool;
  TensorFront front;
  TensorKernels host = chooseTensorKernels();
  UpdateTensorPoints update = field.drifts() ? (field.isPlane() ? host.inPlaneDrift : host.inSpaceDrift)
                                             : (field.isPlane() ? host.inPlane : host.inSpace);
  std::vector<std::uint32_t> points, sorted;
  std::vector<Candidates> found; ///< per thread

  bool isPending(std::uint32_t p) const { return field.point[p].stencil & TensorPoint::pending; }

  /// Marks a point as a candidate by the sign of its value. Returns whether it had no mark.
  bool mark(std::uint32_t q) const {
    float& value = field.value[q];
    if (pool.size() == 1) {
      const bool isNew = !std::signbit(value); // a point may use another one twice
      value = -std::abs(value);
      return isNew;
    }
    float from = std::abs(std::atomic_ref(value).load(std::memory_order_relaxed));
    return std::atomic_ref(value).compare_exchange_strong(from, -from, std::memory_order_relaxed);
  }

  /// Adds the users of a point that it may lower and that have no mark. Without factoring no branch depends
  /// on the values: half of such branches are predicted wrongly. In a drift a point may also lower users that
  /// are earlier.
  void markUsers(std::uint32_t p, Candidates& to) const {
    const std::span<const std::uint16_t> users = field.usersOf(p);
    const std::int32_t* const steps = field.steps.data();
    float* const value = field.value.data();
    const auto valueOf = [&](std::uint32_t q) {
      return std::atomic_ref(value[q]).load(std::memory_order_relaxed);
    };
    const float u = std::abs(valueOf(p));
    to.makeRoom(users.size());
    std::uint32_t *const first = to.points() + to.size, *last = first;
    const bool factored = seeds.any();
    const bool drifts = field.drifts();
    for (const std::uint16_t number : users) {
      const auto q = std::uint32_t(p + steps[number]);
      const float v = valueOf(q), leading = drifts ? field.leadingTo(q, number, u) : u;
      *last = q;
      last += v > leading;
      // With factoring, a later point may also lower a point.
      if (factored && !(v > leading)) last += !std::signbit(v) && seeds.has(q);
    }
    for (const std::uint32_t* q = first; q < last; ++q) {
      to.points()[to.size] = *q;
      to.size += mark(*q);
    }
  }

  void sortByPosition();
  void findCandidates(std::size_t begin, std::size_t end, Candidates& to);
  /// Computes the new values of a range of candidates.
  void compute(std::size_t begin, std::size_t end, Candidates& candidates);
  /// Writes the new values of at most `block` candidates, and adds those that fell to the front. Overwrites
  /// the new values by those before.
  void change(const std::uint32_t* candidate, float* to, std::size_t size, int thread);
};

/// Calls job(begin, end, thread) for ranges that cover 0, ..., size - 1.
template <class Job>
void inRanges(execution::RoundPool& pool, std::size_t size, Job&& job) {
  const std::size_t length = std::max(share, size / std::size_t(4 * pool.size()) + 1);
  pool.forRanges(std::int64_t(size), std::int64_t(length), job);
}

/// Sorts the points roughly by their position. This separates the memory of the threads, and keeps accesses
/// local.
void Rounds::sortByPosition() {
  std::array<std::uint32_t, bins + 1> end{};
  const int digits = std::bit_width(bins - 1), all = std::bit_width(std::uint64_t(field.points() - 1));
  const int shift = std::max(0, all - digits);
  for (const std::uint32_t p : points) ++end[(p >> shift) + 1];
  std::partial_sum(end.begin(), end.end(), end.begin());
  sorted.resize(points.size());
  for (const std::uint32_t p : points) sorted[end[p >> shift]++] = p;
  points.swap(sorted);
}

/// The threads first find candidates and compute their new values from the values before the round, which do
/// not change meanwhile, but for marks in their signs. Then they write the new values.
void Rounds::work() {
  sortByPosition();
  inRanges(pool, points.size(), [&](std::size_t begin, std::size_t end, int thread) {
    findCandidates(begin, end, found[thread]);
  });
  std::size_t count = 0;
  for (const Candidates& candidates : found) count += candidates.size;
  inRanges(pool, count, [&](std::size_t begin, std::size_t end, int thread) {
    std::size_t first = 0; // of the candidates, in all of them
    for (Candidates& candidates : found) {
      const std::size_t stop = std::min(std::max(end, first) - first, candidates.size);
      for (std::size_t n = std::max(begin, first) - first; n < stop; n += block)
        change(candidates.points() + n, candidates.values() + n, std::min(block, stop - n), thread);
      first += candidates.size;
    }
  });
  for (Candidates& candidates : found) candidates.size = 0;
  updates += std::int64_t(count);
}

/// Finds the candidates of a range of points, and computes their new values while the values around them are
/// in the cache.
void Rounds::findCandidates(std::size_t begin, std::size_t end, Candidates& to) {
  const std::size_t before = to.size;
  std::size_t computed = before;
  for (std::size_t n = begin; n < end; ++n) {
    if (n + ahead < points.size()) field.prefetchUsers(points[n + ahead]);
    std::atomic_ref flags(field.point[points[n]].stencil);
    const std::uint32_t stencil = flags.load(std::memory_order_relaxed);
    if (!(stencil & TensorPoint::pending)) continue;
    flags.store(stencil & ~TensorPoint::pending, std::memory_order_relaxed);
    markUsers(points[n], to);
    if (to.size - computed < block) continue;
    const std::size_t whole = to.size - (to.size - computed) % tensorBatch;
    compute(computed, whole, to);
    computed = whole;
  }
  compute(computed, to.size, to);
  execution::SimulatedWorkers::countWork(double(end - begin + to.size - before));
}

void Rounds::compute(std::size_t begin, std::size_t end, Candidates& candidates) {
  const std::uint32_t* const point = candidates.points();
  float* const value = candidates.values();
  const auto count = std::int64_t(end - begin);
  if (field.isTilted())
    host.tilted(field.thomsenView(), point + begin, count, value + begin);
  else
    update(field.view(), point + begin, count, value + begin);
  for (std::size_t n = begin; n < end; ++n) {
    const std::uint32_t q = point[n];
    if (!updatesOf.empty()) ++updatesOf[q];
    if (seeds.has(q))
      value[n] = field.isTilted() ? host.tiltedNearSeed(field.thomsenView(), q, tiltedSeeds.seenFrom(q))
                                  : host.nearSeed(field.view(), q, seeds.seenFrom(q));
    if (field.isEdge(q)) value[n] = std::min(value[n], field.fromFaces(q));
  }
}

void Rounds::change(const std::uint32_t* candidate, float* to, std::size_t size, int thread) {
  std::uint32_t fell[block];
  std::size_t count = 0;
  for (std::size_t n = 0; n < size; ++n) {
    float& value = field.value[candidate[n]];
    const float from = std::abs(value);
    fell[count] = std::uint32_t(n);
    count += to[n] < from;
    value = std::min(from, to[n]);
    to[n] = from;
  }
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t q = candidate[fell[k]];
    const float from = to[fell[k]];
    TensorPoint& point = field.point[q];
    const int bucket = front.bucketOf(field.value[q]);
    if (!(point.stencil & TensorPoint::pending) || front.bucketOf(from) != bucket)
      front.push(q, bucket, thread);
    found[thread].reached += from == never;
    point.stencil |= TensorPoint::pending;
    field.forEachCopy(q, [&](std::int64_t copy) {
      field.value[copy] = field.value[q];
      field.point[copy].stencil |= TensorPoint::pending;
      front.push(std::uint32_t(copy), bucket, thread);
    });
  }
}

} // namespace

std::size_t tensorBytes(const Problem& problem, SourceFactoring factoring) {
  // With a list of users for each point. Points near walls take 20 bytes more, equal lists are stored once.
  const Grid& grid = problem.grid;
  const double list = (2 * (grid.nz == 1 ? 3 : 6) + 1) * sizeof(std::uint16_t);
  const double drift = hasDrift(problem) ? sizeof(TensorDrift) : 0;
  const double bytes = double(grid.points()) * (sizeof(TensorPoint) + sizeof(float) + list + drift) +
                       double(thomsenBytes(problem, factoring));
  return std::size_t(std::min(bytes, 9e18));
}

void solveTensorsOnHost(SolverInput& input, const Monitor& monitor, Result& result) {
  TensorField field(input, input.pool);
  const TensorSeeds tensorSeeds(input, field.unit);
  const ThomsenSeeds thomsenSeeds(input, tensorSeeds, field.reach(), field.unit);
  result.ballRadius = tensorSeeds.radii();
  Rounds rounds(field, tensorSeeds, thomsenSeeds, input.pool);
  if (input.options.updateCounts) rounds.updatesOf.assign(field.points(), 0);
  tensorSeeds.addNear(input);
  for (const SeedPoint& seed : input.starts)
    rounds.start(seed.point, float((seed.value - input.earliest) / field.unit));

  float final = input.stoppingTime(field.unit, never); // values beyond it are not final, or not needed
  const auto valueAt = [&](std::int64_t tip) { return field.value[tip]; };
  execution::Progress progress(monitor);
  for (; rounds.next(); ++result.rounds) {
    if (rounds.final() > final || input.tipsAreFinal(valueAt, rounds.final())) {
      final = std::min(final, rounds.final());
      break;
    }
    if (!progress.report([&] { return 0.95 * double(rounds.reached()) / double(field.points()); })) {
      result.aborted = true;
      return;
    }
    rounds.work();
  }
  result.updatesPerPoint = double(rounds.updates) / double(field.points());
  result.updates = std::move(rounds.updatesOf);
  result.workBytes = std::max(field.peakBytes(), field.bytes() + rounds.bytes() + thomsenSeeds.bytes());
  result.travelTime.resize(field.points());
  field.writeTo(result.travelTime, input.earliest, final, input.pool);
}

} // namespace isochrone::image
