#include "ImageTravelTime/Tensors/TensorSolver.h"

#include "Bytes.h"
#include "Execution/Progress.h"
#include "Execution/RoundPool.h"
#include "ImageTravelTime/Seeds/TensorSeeds.h"
#include "ImageTravelTime/Tensors/TensorField.h"
#include "ImageTravelTime/Tensors/TensorFront.h"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace isochrone::image {

namespace {

/// Width of a bucket, in grid steps at the largest speed.
constexpr float bucketInSteps = 1;

/// Number of points that a thread takes at a time.
constexpr std::size_t chunk = 256;

/// Prefetch distance, in points.
constexpr std::size_t ahead = 12;

/// The rounds of the solver. The points of a bucket mark the points that use them as candidates. The
/// candidates are updated from the values before the round, and enter buckets if they change. The result
/// therefore does not depend on the threads.
class Rounds {
public:
  Rounds(TensorField& tensorField, const TensorSeeds& tensorSeeds, int threads)
      : field(tensorField), seeds(tensorSeeds), pool(threads),
        front(bucketInSteps / tensorField.largestSpeed, threads), isPending(field.points(), 0),
        isCandidate(field.points(), 0), found(threads), newlyReached(threads, 0) {}

  std::int64_t updates = 0;
  Values<std::int32_t> updatesOf; ///< per point; empty: not recorded

  void start(std::int64_t point, float value) {
    if (value < field.value[point]) change(point, value, 0);
  }

  /// Returns false if no work is left.
  bool next() { return front.take(field.value, points); }
  float final() const { return float(front.minimum()); }
  void work();
  std::int64_t reached() const { return std::reduce(newlyReached.begin(), newlyReached.end()); }
  std::size_t bytes() const {
    std::size_t sum = bytesOf(isPending, isCandidate, points, candidates, lowered);
    for (const auto& list : found) sum += bytesOf(list);
    return sum + front.bytes();
  }

private:
  TensorField& field;
  const TensorSeeds& seeds;
  execution::RoundPool pool;
  TensorFront front;
  TensorKernels host = chooseTensorKernels();
  std::vector<std::uint8_t> isPending;   ///< per point, its value has not been propagated
  std::vector<std::uint8_t> isCandidate; ///< per point, a point that it uses has changed
  std::vector<std::int64_t> points, candidates;
  std::vector<float> lowered; ///< new values of the candidates
  std::vector<std::vector<std::int64_t>> found;
  std::vector<std::int64_t> newlyReached;

  /// Calls job(n, thread) for all n below `size`.
  template <class Job>
  void inChunks(std::size_t size, Job&& job) {
    pool.run(int((size + chunk - 1) / chunk), [&](int part, int thread) {
      const std::size_t begin = part * chunk;
      for (std::size_t n = begin; n < std::min(size, begin + chunk); ++n) job(n, thread);
    });
  }

  static bool claim(std::uint8_t& flag, std::uint8_t to) {
    std::atomic_ref<std::uint8_t> shared(flag);
    return shared.load(std::memory_order_relaxed) != to &&
           shared.exchange(to, std::memory_order_relaxed) != to;
  }

  void markUsers(std::int64_t p, int thread) {
    const float u = field.value[p];
    field.forEachUser(p, [&](std::int64_t q) {
      // With factoring, a later point may also lower a point.
      if ((field.value[q] > u || seeds.has(q)) && claim(isCandidate[q], 1)) found[thread].push_back(q);
    });
  }

  float updated(std::int64_t q) const {
    const float u =
        seeds.has(q) ? host.nearSeed(field.view(), q, seeds.seenFrom(q)) : host.plain(field.view(), q);
    return std::min(u, field.fromFaces(q));
  }

  void change(std::int64_t q, float to, int thread) {
    newlyReached[thread] += field.value[q] == never;
    field.value[q] = to;
    isPending[q] = 1;
    front.push(q, to, thread);
  }
};

void Rounds::work() {
  std::sort(points.begin(), points.end()); // separates the memory of the threads, and keeps accesses local
  inChunks(points.size(), [&](std::size_t n, int thread) {
    if (n + ahead < points.size()) field.prefetchUsers(points[n + ahead]);
    if (claim(isPending[points[n]], 0)) markUsers(points[n], thread);
  });
  candidates.clear();
  for (auto& list : found) {
    candidates.insert(candidates.end(), list.begin(), list.end());
    list.clear();
  }
  lowered.resize(candidates.size());
  inChunks(candidates.size(), [&](std::size_t n, int) {
    if (n + ahead < candidates.size()) field.prefetch(candidates[n + ahead]);
    lowered[n] = updated(candidates[n]);
  });
  inChunks(candidates.size(), [&](std::size_t n, int thread) {
    const std::int64_t q = candidates[n];
    isCandidate[q] = 0;
    if (!updatesOf.empty()) ++updatesOf[q];
    if (lowered[n] < field.value[q]) change(q, lowered[n], thread);
  });
  updates += std::int64_t(candidates.size());
}

} // namespace

std::size_t tensorBytes(const Grid& grid) {
  // The numbers of the users, and the flags of Rounds.
  constexpr std::size_t lists = 2 * maxTerms * sizeof(std::uint16_t) + 2 * sizeof(std::uint8_t);
  const double bytes =
      double(grid.points()) * (sizeof(TensorPoint) + sizeof(float) + sizeof(std::uint32_t) + lists);
  return std::size_t(std::min(bytes, 9e18));
}

void solveTensorsOnHost(SolverInput& input, const Monitor& monitor, Result& result) {
  TensorField field(input);
  const TensorSeeds tensorSeeds(input, field.unit);
  result.ballRadius = tensorSeeds.radii();
  Rounds rounds(field, tensorSeeds, input.threads);
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
  result.workBytes = field.bytes() + rounds.bytes();
  result.travelTime.resize(field.points());
  field.writeTo(result.travelTime, input.earliest, final, input.threads);
}

} // namespace isochrone::image
