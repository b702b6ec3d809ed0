#include "MeshTravelTime/EachSeed.h"

#include "Common/ArrayBridge.h"
#include "Common/Ranks.h"
#include "Error.h"
#include "MeshTravelTime/Problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace isochrone::filters {

namespace {

/// Returns the seeds of one point.
MeshSeeds seedsOfPoint(const MeshSeedRequest& request, std::size_t point) {
  Places one;
  one.positions = {request.seeds.positions[point]};
  one.startValues = {request.seeds.startValues[point]};
  one.labels = {request.seeds.labels[point]};
  return seedsOf(Ranks::alone(), one, {request.seedPlaces[point]}, {});
}

/// Returns whether a path takes as long backwards, which it does in a mesh, and seeds and tips are the same.
bool isSymmetric(const MeshSeedRequest& request) {
  return std::ranges::equal(request.seeds.positions, request.tips.positions) &&
         std::ranges::all_of(request.seeds.startValues, [](double start) { return start == 0; });
}

/// Checks the memory of all runs before they start, and plans them.
SeedRunPlan planOf(const MeshSeedRequest& request) {
  const std::size_t seeds = request.seeds.size();
  const auto vertices = double(request.problem.vertexCount()), cells = double(request.problem.cellCount());
  const bool isExact = request.problem.accuracy == mesh::Accuracy::Exact;
  const double run = 100 * vertices + (isExact ? 600 : 40) * cells; // bytes
  double kept = 0;
  if (request.keepsFields) {
    const double field = 2 * sizeof(float) + sizeof(double);
    kept = field * vertices * double(seeds);
    requireHostMemory(std::size_t(std::min(run + kept, 9e18)),
                      "the travel times of " + std::to_string(request.problem.vertexCount()) +
                          " points from each of " + std::to_string(seeds) + " seeds");
  }
  return {seeds, request.tips.size(), isSymmetric(request), request.keepsFields,
          chooseRunsAtOnce(std::int64_t(seeds), request.options.backend, request.options.threads, run, kept)};
}

} // namespace

std::array<std::uint64_t, 2> MeshSeedRequest::key() const {
  mesh::Problem all = problem;
  all.seeds.clear();
  for (std::size_t p = 0; p < seeds.size(); ++p)
    all.seeds.push_back({std::int64_t(seeds.labels[p]), -1, seeds.positions[p], seeds.startValues[p]});
  return keyOf(all);
}

TimeOrigin MeshSeedRuns::originOf(std::size_t seed) const {
  const double start[] = {startValues[seed]};
  return TimeOrigin(start);
}

bool answers(const MeshSeedRuns& runs, const MeshSeedRequest& request) {
  return runs.options.backend == request.options.backend && runs.options.method == request.options.method &&
         (runs.keepsFields || !request.keepsFields) && (!std::isnan(runs.residual) || !request.residual) &&
         sameBytes<std::array<double, 3>>(runs.tips, request.tips.positions) && runs.key == request.key();
}

std::optional<MeshSeedRuns> runEachSeed(const MeshSeedRequest& request, const Monitor& monitor) {
  const std::size_t seeds = request.seeds.size();
  MeshSeedRuns all;
  all.results.resize(seeds);
  std::vector<MeshSeeds> seedsOfRuns;
  std::vector<std::size_t> pointOf; // per seed of all points
  mesh::Problem problem = request.problem;
  problem.seeds.clear();
  for (std::size_t s = 0; s < seeds; ++s) {
    seedsOfRuns.push_back(seedsOfPoint(request, s));
    problem.seeds.insert(problem.seeds.end(), seedsOfRuns[s].seeds.begin(), seedsOfRuns[s].seeds.end());
    pointOf.resize(problem.seeds.size(), s);
  }
  const std::vector<bool> starts = mesh::usableSeeds(problem);
  std::vector<bool> usable(seeds);
  for (std::size_t n = 0; n < starts.size(); ++n)
    if (starts[n]) usable[pointOf[n]] = true;
  if (std::ranges::find(usable, true) == usable.end())
    throw Error("every seed is in a barrier: move one to where the speed is positive");

  mesh::Options options = request.options;
  options.seedIds = false;
  problem.seeds = seedsOfRuns[std::size_t(std::ranges::find(usable, true) - usable.begin())].seeds;
  options.setup = mesh::prepare(problem, options, monitor.part(0, 0));
  if (!options.setup && problem.accuracy == mesh::Accuracy::FirstOrder) return {};
  std::vector<double> residuals(seeds, request.residual ? 0 : std::numeric_limits<double>::quiet_NaN());
  const SeedRunPlan plan = planOf(request);
  options.threads = plan.atOnce.threads;
  const auto run = [&](std::size_t seed, std::size_t firstTip, int threads, const Monitor& own) {
    Places tips;
    tips.positions.assign(request.tips.positions.begin() + std::ptrdiff_t(firstTip),
                          request.tips.positions.end());
    const std::vector<MeshPlace> places(request.tipPlaces.begin() + std::ptrdiff_t(firstTip),
                                        request.tipPlaces.end());
    mesh::Result& result = all.results[seed];
    if (!usable[seed]) return std::vector<Path>(tips.positions.size());
    mesh::Problem one = request.problem;
    one.seeds = seedsOfRuns[seed].seeds;
    result = mesh::solveMeshTravelTime(one, options, own.part(0, 0.9));
    if (result.aborted) return std::vector<Path>();
    if (request.residual && one.accuracy == mesh::Accuracy::FirstOrder)
      residuals[seed] = mesh::residual(one, result.travelTime, threads);
    std::vector<Path> paths = mesh::extractPaths(
        one, result.travelTime, tipsOf(one, tips, places, result.travelTime), threads, own.part(0.9, 0.1));
    if (paths.size() < tips.positions.size()) return std::vector<Path>();
    seedsOfRuns[seed].origin.addTo(paths);
    for (Path& path : paths)
      if (path.seed >= 0) path.seed = std::int32_t(seed);
    if (!request.keepsFields) result.travelTime = {}, result.open = {};
    return paths;
  };
  auto found = runEachSeed(plan, monitor, run);
  if (!found) return {};
  all.found = std::move(*found);
  all.residual = residuals[0];
  for (const double residual : residuals) all.residual = std::max(all.residual, residual);
  all.key = request.key();
  all.options = request.options;
  all.tips = request.tips.positions;
  all.keepsFields = request.keepsFields;
  all.startValues = request.seeds.startValues;
  return all;
}

mesh::Result firstArrivals(const MeshSeedRuns& runs, const MeshSeeds& seeds) {
  const auto usable = [](const mesh::Result& result) { return !result.travelTime.empty(); };
  mesh::Result first = *std::ranges::find_if(runs.results, usable);
  first.usable.assign(seeds.seeds.size(), false);
  first.blurredSeed = -1;
  first.rounds = 0, first.updatesPerVertex = 0, first.ballVertices = 0;
  std::fill(first.travelTime.begin(), first.travelTime.end(), std::numeric_limits<float>::infinity());
  first.seed.assign(first.travelTime.size(), -1);
  for (std::size_t s = 0; s < runs.results.size(); ++s) {
    const mesh::Result& result = runs.results[s];
    if (!usable(result)) continue;
    first.rounds += result.rounds;
    first.updatesPerVertex += result.updatesPerVertex;
    first.ballVertices += result.ballVertices;
    const auto number = std::int32_t(std::ranges::find(seeds.points, s) - seeds.points.begin());
    std::size_t next = 0; // of the seeds of this point
    for (std::size_t n = 0; n < seeds.points.size(); ++n)
      if (seeds.points[n] == s) first.usable[n] = result.usable[next++];
    const auto start = float(seeds.origin.since(runs.startValues[s]));
    for (std::size_t v = 0; v < first.travelTime.size(); ++v)
      if (const float time = start + result.travelTime[v]; time < first.travelTime[v])
        first.travelTime[v] = time, first.seed[v] = number;
  }
  return first;
}

} // namespace isochrone::filters
