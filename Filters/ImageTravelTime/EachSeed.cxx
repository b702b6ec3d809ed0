#include "ImageTravelTime/EachSeed.h"

#include "Common/ArrayBridge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

namespace isochrone::filters {

namespace {

using Status = image::Placement::Status;

/// Returns the problem of one seed, which starts at time 0.
image::Problem problemOf(const ImageTravelTimeProblem& input, std::size_t seed) {
  image::Problem one = input.problem;
  one.seeds = {input.problem.seeds[seed]};
  one.seeds[0].startValue = 0;
  return one;
}

bool isUsable(const image::Problem& problem, std::size_t seed) {
  const image::Seed& s = problem.seeds[seed];
  return s.isRegion || image::place(problem, s.at).status == Status::Inside;
}

/// Returns whether seeds and tips are the same points, and a path takes as long backwards.
bool isSymmetric(const ImageSeedRequest& request) {
  const image::Problem& problem = request.input.problem;
  const auto startsAtZero = [](const image::Seed& seed) { return !seed.isRegion && seed.startValue == 0; };
  return problem.drift.empty() && request.input.origin.time() == 0 &&
         std::ranges::all_of(problem.seeds, startsAtZero) &&
         std::ranges::equal(problem.seeds, request.tips, {}, &image::Seed::at);
}

/// Checks the memory of all runs before they start, and plans them.
SeedRunPlan planOf(const ImageSeedRequest& request) {
  const image::Problem& problem = request.input.problem;
  const std::size_t seeds = problem.seeds.size();
  const double points = double(problem.grid.points()), run = bytesOf(problem, request.input.origin, false);
  double kept = 0;
  if (request.keepsFields) {
    std::ostringstream what;
    what << "the travel times of " << problem.grid.nx << " x " << problem.grid.ny << " x " << problem.grid.nz
         << " points from each of " << seeds << " seeds";
    const double field = sizeof(float) + request.input.origin.bytesOfTime() +
                         (request.options.updateCounts ? sizeof(std::int32_t) : 0);
    kept = field * points * double(seeds);
    requireHostMemory(std::size_t(std::min(run + kept, 9e18)), what.str());
  }
  return {seeds, request.tips.size(), isSymmetric(request), request.keepsFields,
          chooseRunsAtOnce(std::int64_t(seeds), request.options.backend, request.options.threads, run, kept)};
}

} // namespace

TimeOrigin ImageSeedRuns::originOf(std::size_t seed) const {
  const double start[] = {input.origin.absolute(input.problem.seeds[seed].startValue)};
  return TimeOrigin(start);
}

bool answers(const ImageSeedRuns& runs, const ImageSeedRequest& request) {
  return answers(runs.options, request.options) && (runs.keepsFields || !request.keepsFields) &&
         (!std::isnan(runs.residual) || !request.residual) &&
         runs.input.origin.time() == request.input.origin.time() &&
         sameBytes<image::Position>(runs.tips, request.tips) && same(runs.input, request.input);
}

std::optional<ImageSeedRuns> runEachSeed(ImageSeedRequest request, const Monitor& monitor) {
  ImageSeedRuns all;
  const image::Problem& problem = request.input.problem;
  const std::size_t seeds = problem.seeds.size();
  bool anyUsable = false;
  for (std::size_t s = 0; s < seeds; ++s) anyUsable = anyUsable || isUsable(problem, s);
  if (!anyUsable) image::solveImageTravelTime(problem, request.options, monitor); // throws

  all.results.resize(seeds);
  std::vector<double> residuals(seeds, request.residual ? 0 : std::numeric_limits<double>::quiet_NaN());
  const bool plain = request.options.factoring == image::SourceFactoring::Off && request.options.order == 1;
  const auto run = [&](std::size_t seed, std::size_t firstTip, int threads, const Monitor& own) {
    const std::span<const image::Position> tips = std::span(request.tips).subspan(firstTip);
    image::Result& result = all.results[seed];
    if (!isUsable(problem, seed)) {
      result.seeds = {image::place(problem, problem.seeds[seed].at)};
      return std::vector<Path>(tips.size());
    }
    image::Problem one = problemOf(request.input, seed);
    image::Options options = request.options;
    options.threads = threads;
    options.seedIds = false;
    if (const double start = problem.seeds[seed].startValue; options.stoppingTime > 0) {
      options.stoppingTime -= start;
      if (!(options.stoppingTime > 0)) { // it starts too late to reach any point
        result.seeds = {image::place(problem, problem.seeds[seed].at)};
        return std::vector<Path>(tips.size());
      }
    }
    result = image::solveImageTravelTime(one, options, own.part(0, 0.9));
    if (result.aborted) return std::vector<Path>();
    one.reach = result.reach;
    if (request.residual) residuals[seed] = image::residual(one, result.travelTime, threads, plain);
    std::vector<Path> paths = image::extractPaths(one, result.travelTime, tips, threads, own.part(0.9, 0.1));
    if (paths.size() < tips.size()) return std::vector<Path>();
    const double starts[] = {request.input.origin.absolute(problem.seeds[seed].startValue)};
    TimeOrigin(starts).addTo(paths);
    for (Path& path : paths)
      if (path.seed >= 0) path.seed = std::int32_t(seed);
    if (!request.keepsFields) result.travelTime = {}, result.updates = {};
    return paths;
  };
  auto found = runEachSeed(planOf(request), monitor, run);
  if (!found) return {};
  all.found = std::move(*found);
  all.residual = residuals[0];
  for (const double residual : residuals) all.residual = std::max(all.residual, residual);
  all.input = std::move(request.input);
  all.options = request.options;
  all.tips = std::move(request.tips);
  all.keepsFields = request.keepsFields;
  return all;
}

image::Result firstArrivals(const ImageSeedRuns& runs) {
  const image::Problem& problem = runs.input.problem;
  const auto points = std::size_t(problem.grid.points());
  constexpr float never = std::numeric_limits<float>::infinity();
  image::Result first;
  first.travelTime.assign(points, never);
  first.seed.assign(points, -1);
  if (runs.options.updateCounts) first.updates.assign(points, 0);
  for (std::size_t s = 0; s < runs.results.size(); ++s) {
    const image::Result& result = runs.results[s];
    first.seeds.push_back(result.seeds[0]);
    if (result.travelTime.empty()) continue;
    first.ballRadius.insert(first.ballRadius.end(), result.ballRadius.begin(), result.ballRadius.end());
    first.ranOn = result.ranOn;
    first.rounds += result.rounds;
    first.updatesPerPoint += result.updatesPerPoint;
    first.largestDrift = result.largestDrift;
    first.roughSpeed = first.roughSpeed || result.roughSpeed;
    first.reach = result.reach;
    const auto start = float(problem.seeds[s].startValue);
    for (std::size_t p = 0; p < points; ++p) {
      if (const float time = start + result.travelTime[p]; time < first.travelTime[p])
        first.travelTime[p] = time, first.seed[p] = std::int32_t(s);
      if (!first.updates.empty() && !result.updates.empty()) first.updates[p] += result.updates[p];
    }
  }
  const auto used = [](const image::Placement& seed) { return seed.status == Status::Inside; };
  if (std::int64_t(first.ballRadius.size()) != std::ranges::count_if(first.seeds, used))
    first.ballRadius.clear();                       // a seed starts after the stopping time
  if (runs.results.size() == 1) first.seed.clear(); // as with one seed together
  return first;
}

} // namespace isochrone::filters
