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

bool isUsable(const image::Problem& problem, std::size_t seed) {
  const image::Seed& s = problem.seeds[seed];
  return s.isRegion || image::place(problem, s.at).status == Status::Inside;
}

/// Returns the earliest start value of the usable seeds of a group; +infinity if there are none.
double startOf(const image::Problem& problem, const std::vector<std::size_t>& group) {
  double start = std::numeric_limits<double>::infinity();
  for (const std::size_t seed : group)
    if (isUsable(problem, seed)) start = std::min(start, problem.seeds[seed].startValue);
  return start;
}

/// Returns the problem of one group, whose earliest seed starts at time 0.
image::Problem problemOf(const image::Problem& all, const std::vector<std::size_t>& group, double start) {
  image::Problem one = all;
  one.seeds.clear();
  for (const std::size_t seed : group) {
    one.seeds.push_back(all.seeds[seed]);
    one.seeds.back().startValue -= start;
  }
  return one;
}

/// Returns whether seeds and tips are the same points in the same groups, and a path takes as long backwards.
bool isSymmetric(const ImageSeedRequest& request) {
  const image::Problem& problem = request.input.problem;
  const auto startsAtZero = [](const image::Seed& seed) { return !seed.isRegion && seed.startValue == 0; };
  return problem.drift.empty() && request.input.origin.time() == 0 && request.isSquare() &&
         std::ranges::all_of(problem.seeds, startsAtZero) &&
         std::ranges::equal(problem.seeds, request.tips, {}, &image::Seed::at);
}

SeedRunNeeds needsOf(const ImageSeedRequest& request) {
  const image::Problem& problem = request.input.problem;
  std::ostringstream name;
  name << "the travel times of " << problem.grid.nx << " x " << problem.grid.ny << " x " << problem.grid.nz
       << " points";
  const double bytes = sizeof(float) + request.input.origin.bytesOfTime() +
                       (request.options.updateCounts ? sizeof(std::int32_t) : 0);
  return {request.options.backend, request.options.threads, bytesOf(problem, request.input.origin, false),
          bytes * double(problem.grid.points()), name.str()};
}

/// One run of those that share a problem.
class Run {
public:
  Run(const ImageSeedRequest& wanted, std::size_t number)
      : request(wanted), group(wanted.seedGroups.points[number]),
        start(startOf(wanted.input.problem, group)) {}

  /// Returns whether a front starts before the stopping time.
  bool reachesAnything() const {
    const double stop = request.options.stoppingTime;
    return std::isfinite(start) && (!(stop > 0) || start < stop);
  }

  /// Returns a result without arrays.
  image::Result nothing() const {
    image::Result result;
    for (const std::size_t seed : group)
      result.seeds.push_back(image::place(request.input.problem, request.input.problem.seeds[seed].at));
    return result;
  }

  image::Result solve(int threads, const Monitor& monitor) const {
    image::Options options = request.options;
    options.threads = threads;
    options.seedIds = false;
    if (options.stoppingTime > 0) options.stoppingTime -= start;
    return image::solveImageTravelTime(problem(), options, monitor);
  }

  /// Returns NaN if the monitor requested a stop.
  double residual(const image::Result& result, int threads, const Monitor& monitor) const {
    const bool plain = request.options.factoring == image::SourceFactoring::Off && request.options.order == 1;
    return image::residual(problem(result), result.travelTime, threads, plain, monitor);
  }

  /// Returns the paths to the tips from number `firstTip` on; fewer if the monitor requested a stop.
  std::vector<Path> trace(const image::Result& result, std::size_t firstTip, int threads,
                          const Monitor& monitor) const {
    const auto tips = std::span(request.tips).subspan(firstTip);
    std::vector<Path> paths = image::extractPaths(problem(result), result.travelTime, tips, threads, monitor);
    const double starts[] = {request.input.origin.absolute(start)};
    TimeOrigin(starts).addTo(paths);
    for (Path& path : paths)
      if (path.seed >= 0) path.seed = std::int32_t(group[std::size_t(path.seed)]);
    return paths;
  }

private:
  const ImageSeedRequest& request;
  const std::vector<std::size_t>& group;
  double start; ///< relative to the origin of all

  image::Problem problem() const { return problemOf(request.input.problem, group, start); }
  image::Problem problem(const image::Result& result) const {
    image::Problem one = problem();
    one.reach = result.reach;
    return one;
  }
};

/// Adds the placements of the seeds of all runs, and the radii of the balls of those used.
void addSeeds(const ImageSeedRuns& runs, image::Result& first) {
  first.seeds.resize(runs.request.input.problem.seeds.size());
  std::vector<double> radii(first.seeds.size(), -1); // -1: no ball
  for (std::size_t r = 0; r < runs.results.size(); ++r) {
    const image::Result& result = runs.results[r];
    auto radius = result.ballRadius.begin();
    for (std::size_t n = 0; n < result.seeds.size(); ++n) {
      const std::size_t seed = runs.request.seedGroups.points[r][n];
      first.seeds[seed] = result.seeds[n];
      if (result.seeds[n].status == Status::Inside && radius != result.ballRadius.end())
        radii[seed] = *radius++;
    }
  }
  for (std::size_t seed = 0; seed < radii.size(); ++seed) {
    if (first.seeds[seed].status != Status::Inside) continue;
    if (radii[seed] >= 0) first.ballRadius.push_back(radii[seed]);
    if (radii[seed] < 0) return first.ballRadius.clear(); // it starts after the stopping time
  }
}

} // namespace

TimeOrigin ImageSeedRuns::originOf(std::size_t run) const {
  const double start = startOf(request.input.problem, request.seedGroups.points[run]);
  const double starts[] = {request.input.origin.absolute(start)};
  return TimeOrigin(starts);
}

bool solves(const ImageSeedRuns& runs, const ImageSeedRequest& request) {
  const ImageSeedRequest& known = runs.request;
  return answers(known, request) && answers(known.options, request.options) &&
         known.input.origin.time() == request.input.origin.time() && same(known.input, request.input);
}

bool answers(const ImageSeedRuns& runs, const ImageSeedRequest& request) {
  return solves(runs, request) && runs.request.tipGroups.points == request.tipGroups.points &&
         sameBytes<image::Position>(runs.request.tips, request.tips);
}

std::optional<ImageSeedRuns> runEachSeed(ImageSeedRequest wanted, std::optional<ImageSeedRuns> known,
                                         const Monitor& monitor) {
  const bool isSolved = known.has_value();
  ImageSeedRuns all = isSolved ? std::move(*known) : ImageSeedRuns();
  all.request = std::move(wanted);
  const ImageSeedRequest& request = all.request;
  const image::Problem& problem = request.input.problem;
  const std::size_t runs = request.seedGroups.size();
  bool anyUsable = false;
  for (std::size_t s = 0; s < problem.seeds.size(); ++s) anyUsable = anyUsable || isUsable(problem, s);
  if (!anyUsable) image::solveImageTravelTime(problem, request.options, monitor); // throws

  all.results.resize(runs);
  std::vector<double> residuals(runs, 0);
  const auto runOne = [&](std::size_t number, std::size_t firstTip, int threads, const Monitor& own) {
    const Run run(request, number);
    image::Result& result = all.results[number];
    if (!run.reachesAnything()) {
      result = run.nothing();
      return SeedRun{std::vector<Path>(request.tips.size() - firstTip), {}};
    }
    const double share = isSolved ? 0 : 0.9; // of the solve
    if (!isSolved) {
      result = run.solve(threads, own.part(0, 0.85));
      if (result.aborted) return SeedRun();
      if (request.residual) residuals[number] = run.residual(result, threads, own.part(0.85, 0.05));
      if (std::isnan(residuals[number])) return SeedRun();
    }
    SeedRun one{run.trace(result, firstTip, threads, own.part(share, 1 - share)), result.ranOn.backend};
    if (!request.keepsFields) result.travelTime = {}, result.updates = {};
    return one;
  };
  auto found = runEachSeed(planOf(request, isSymmetric(request), needsOf(request)), monitor, runOne);
  if (!found) return {};
  all.found = std::move(*found);
  if (!isSolved)
    all.residual =
        request.residual ? *std::ranges::max_element(residuals) : std::numeric_limits<double>::quiet_NaN();
  return all;
}

void keepApart(std::vector<image::FactoringBall>& balls) {
  for (image::FactoringBall& ball : balls)
    for (const image::FactoringBall& other : balls) {
      if (&other == &ball || std::isnan(other.slowness)) continue; // not used
      const double apart =
          std::hypot(ball.at[0] - other.at[0], ball.at[1] - other.at[1], ball.at[2] - other.at[2]);
      ball.radius = std::min(ball.radius, apart / 2);
    }
}

image::Result firstArrivals(const ImageSeedRuns& runs) {
  const image::Problem& problem = runs.request.input.problem;
  const auto points = std::size_t(problem.grid.points());
  constexpr float never = std::numeric_limits<float>::infinity();
  image::Result first;
  first.travelTime.assign(points, never);
  first.seed.assign(points, -1);
  if (runs.request.options.updateCounts) first.updates.assign(points, 0);
  for (std::size_t r = 0; r < runs.results.size(); ++r) {
    const image::Result& result = runs.results[r];
    if (result.travelTime.empty()) continue;
    const std::vector<std::size_t>& group = runs.request.seedGroups.points[r];
    first.ranOn = result.ranOn;
    first.rounds += result.rounds;
    first.updatesPerPoint += result.updatesPerPoint;
    first.largestDrift = result.largestDrift;
    first.roughSpeed = first.roughSpeed || result.roughSpeed;
    first.reach = result.reach;
    if (first.blurredSeed < 0 && result.blurredSeed >= 0)
      first.blurredSeed = std::int32_t(group[std::size_t(result.blurredSeed)]);
    const auto start = float(startOf(problem, group));
    for (std::size_t p = 0; p < points; ++p) {
      if (const float time = start + result.travelTime[p]; time < first.travelTime[p])
        first.travelTime[p] = time, first.seed[p] = std::int32_t(group[0]);
      if (!first.updates.empty() && !result.updates.empty()) first.updates[p] += result.updates[p];
    }
  }
  addSeeds(runs, first);
  if (runs.results.size() == 1) first.seed.clear(); // as with one seed together
  return first;
}

} // namespace isochrone::filters
