#include "ImageTravelTime/Tensors/TensorSolver.h"

#include "Bytes.h"
#include "Execution/Progress.h"
#include "Execution/RoundPool.h"
#include "ImageTravelTime/Tensors/TensorField.h"
#include "ImageTravelTime/Tensors/TensorFront.h"
#include "ImageTravelTime/Tensors/TensorSeeds.h"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace isochrone::image {

namespace {

/// Width of a bucket, in grid steps at the largest speed.
constexpr float bucketInSteps = 1;

/// Minimum number of points for which a round starts another thread.
constexpr std::size_t share = 96;

/// Prefetch distance, in points.
constexpr std::size_t ahead = 12;

/// Number of candidates that change() compares before it handles those that fell.
constexpr std::size_t block = 256;

/// Points found by a thread, in memory that only grows.
class List {
public:
  std::size_t size() const { return count; }
  const std::uint32_t* begin() const { return memory.data(); }
  const std::uint32_t* end() const { return memory.data() + count; }
  void clear() { count = 0; }
  std::size_t bytes() const { return bytesOf(memory); }

  /// Returns where `more` points may follow.
  std::uint32_t* room(std::size_t more) {
    if (memory.size() < count + more) memory.resize(std::max(2 * memory.size(), count + more));
    return memory.data() + count;
  }
  /// Adds a point, if room was made for it and `wanted` is true.
  void add(std::uint32_t point, bool wanted) {
    memory[count] = point;
    count += wanted;
  }

private:
  Values<std::uint32_t> memory;
  std::size_t count = 0;
};

/// The rounds of the solver. The points of a bucket mark the points that use them as candidates. The
/// candidates are updated from the values before the round, and enter buckets if they change. The result
/// therefore does not depend on the threads.
class Rounds {
public:
  Rounds(TensorField& tensorField, const TensorSeeds& tensorSeeds, execution::RoundPool& threads)
      : field(tensorField), seeds(tensorSeeds), pool(threads),
        front(bucketInSteps / tensorField.largestSpeed, threads.size()), found(threads.size()),
        newlyReached(threads.size(), 0) {}

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
  std::int64_t reached() const { return std::reduce(newlyReached.begin(), newlyReached.end()); }
  std::size_t bytes() const {
    std::size_t sum = bytesOf(points, candidates, lowered);
    for (const List& list : found) sum += list.bytes();
    return sum + front.bytes();
  }

private:
  TensorField& field;
  const TensorSeeds& seeds;
  execution::RoundPool& pool;
  TensorFront front;
  TensorKernels host = chooseTensorKernels();
  UpdateTensorPoints update = field.isPlane() ? host.inPlane : host.inSpace;
  std::vector<std::uint32_t> points, candidates;
  std::vector<float> lowered; ///< new values of the candidates
  std::vector<List> found;    ///< per thread
  std::vector<std::int64_t> newlyReached;

  /// Calls job(begin, end, thread) for ranges that cover 0, ..., size - 1.
  template <class Job>
  void inRanges(std::size_t size, Job&& job) {
    const std::size_t ranges = std::clamp<std::size_t>(size / share, 1, 4 * pool.size());
    pool.run(int(ranges),
             [&](int n, int thread) { job(size * n / ranges, size * (n + 1) / ranges, thread); });
  }

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
  /// on the values: half of such branches are predicted wrongly.
  void markUsers(std::uint32_t p, List& to) const {
    const std::span<const std::uint16_t> users = field.usersOf(p);
    const std::int32_t* const steps = field.steps.data();
    float* const value = field.value.data();
    const auto valueOf = [&](std::uint32_t q) {
      return std::atomic_ref(value[q]).load(std::memory_order_relaxed);
    };
    const float u = std::abs(valueOf(p));
    std::uint32_t *const first = to.room(users.size()), *last = first;
    const bool factored = seeds.any();
    for (const std::uint16_t number : users) {
      const auto q = std::uint32_t(p + steps[number]);
      const float v = valueOf(q);
      *last = q;
      last += v > u;
      // With factoring, a later point may also lower a point.
      if (factored && !(v > u)) last += !std::signbit(v) && seeds.has(q);
    }
    for (const std::uint32_t* q = first; q < last; ++q) to.add(*q, mark(*q));
  }

  /// Writes the new values of at most `block` candidates, and adds those that fell to the front. Overwrites
  /// the new values by those before.
  void change(const std::uint32_t* candidate, float* to, std::size_t size, int thread);
};

void Rounds::work() {
  std::sort(points.begin(), points.end()); // separates the memory of the threads, and keeps accesses local
  inRanges(points.size(), [&](std::size_t begin, std::size_t end, int thread) {
    for (std::size_t n = begin; n < end; ++n) {
      if (n + ahead < points.size()) field.prefetchUsers(points[n + ahead]);
      std::uint32_t& flags = field.point[points[n]].stencil;
      if (!(flags & TensorPoint::pending)) continue;
      flags &= ~TensorPoint::pending;
      markUsers(points[n], found[thread]);
    }
  });
  candidates.clear();
  for (List& list : found) {
    candidates.insert(candidates.end(), list.begin(), list.end());
    list.clear();
  }
  lowered.resize(candidates.size());
  inRanges(candidates.size(), [&](std::size_t begin, std::size_t end, int) {
    update(field.view(), &candidates[begin], std::int64_t(end - begin), &lowered[begin]);
    for (std::size_t n = begin; n < end; ++n) {
      const std::uint32_t q = candidates[n];
      if (!updatesOf.empty()) ++updatesOf[q];
      if (seeds.has(q)) lowered[n] = host.nearSeed(field.view(), q, seeds.seenFrom(q));
      if (field.isEdge(q)) lowered[n] = std::min(lowered[n], field.fromFaces(q));
    }
  });
  inRanges(candidates.size(), [&](std::size_t begin, std::size_t end, int thread) {
    for (; begin < end; begin += block)
      change(&candidates[begin], &lowered[begin], std::min(block, end - begin), thread);
  });
  updates += std::int64_t(candidates.size());
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
    newlyReached[thread] += from == never;
    point.stencil |= TensorPoint::pending;
  }
}

} // namespace

std::size_t tensorBytes(const Grid& grid) {
  const double bytes = double(grid.points()) * (sizeof(TensorPoint) + sizeof(float));
  return std::size_t(std::min(bytes, 9e18));
}

void solveTensorsOnHost(SolverInput& input, const Monitor& monitor, Result& result) {
  execution::RoundPool pool(input.threads);
  TensorField field(input, pool);
  const TensorSeeds tensorSeeds(input, field.unit);
  result.ballRadius = tensorSeeds.radii();
  Rounds rounds(field, tensorSeeds, pool);
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
  result.workBytes = std::max(field.peakBytes(), field.bytes() + rounds.bytes());
  result.travelTime.resize(field.points());
  field.writeTo(result.travelTime, input.earliest, final, pool);
}

} // namespace isochrone::image
