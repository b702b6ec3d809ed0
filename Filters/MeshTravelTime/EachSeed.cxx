#include "MeshTravelTime/EachSeed.h"

#include "Common/ArrayBridge.h"
#include "Common/Ranks.h"
#include "Error.h"
#include "MeshTravelTime/Problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace isochrone::filters {

namespace {

/// Returns the seeds of each run.
std::vector<MeshSeeds> seedsOfRuns(const MeshSeedRequest& request) {
  std::vector<MeshSeeds> seeds;
  for (const std::vector<std::size_t>& group : request.seedGroups.points) {
    std::vector<MeshPlace> places;
    for (const std::size_t point : group) places.push_back(request.seedPlaces[point]);
    seeds.push_back(seedsOf(Ranks::alone(), onlyPlaces(request.seeds, group), places, {}));
  }
  return seeds;
}

/// Returns which runs have a usable seed.
/// @throws Error if none has
std::vector<bool> usableRuns(mesh::Problem problem, const std::vector<MeshSeeds>& seeds) {
  problem.seeds.clear();
  for (const MeshSeeds& run : seeds)
    problem.seeds.insert(problem.seeds.end(), run.seeds.begin(), run.seeds.end());
  const std::vector<bool> starts = mesh::usableSeeds(problem);
  std::vector<bool> usable;
  auto next = starts.begin();
  for (const MeshSeeds& run : seeds) {
    const auto end = next + std::ptrdiff_t(run.seeds.size());
    usable.push_back(std::find(next, end, true) != end);
    next = end;
  }
  if (std::ranges::find(usable, true) == usable.end())
    throw Error("every seed is in a barrier: move one to where the speed is positive");
  return usable;
}

/// Returns whether seeds and tips are the same points in the same groups. A path takes as long backwards in a
/// mesh.
bool isSymmetric(const MeshSeedRequest& request) {
  return request.isSquare() && request.seeds.positions == request.tips.positions &&
         std::ranges::all_of(request.seeds.startValues, [](double start) { return start == 0; });
}

SeedRunNeeds needsOf(const mesh::Problem& problem, const MeshSeedRequest& request) {
  const auto vertices = double(problem.vertexCount()), cells = double(problem.cellCount());
  const bool isExact = problem.accuracy == mesh::Accuracy::Exact;
  const double run = 100 * vertices + (isExact ? 600 : 40) * cells,
               field = 2 * sizeof(float) + sizeof(double);
  const Backend backend = isExact ? Backend::Host : request.options.backend;
  return {backend, request.options.threads, run, field * vertices,
          "the travel times of " + std::to_string(problem.vertexCount()) + " points"};
}

/// Returns the paths of a run to the tips from number `firstTip` on; fewer if the monitor requested a stop.
std::vector<Path> trace(const mesh::Problem& problem, const MeshSeedRuns& runs, std::size_t number,
                        std::size_t firstTip, int threads, const Monitor& monitor, const mesh::Setup* setup) {
  const MeshSeedRequest& request = runs.request;
  Places tips;
  tips.positions.assign(request.tips.positions.begin() + std::ptrdiff_t(firstTip),
                        request.tips.positions.end());
  const std::vector<MeshPlace> places(request.tipPlaces.begin() + std::ptrdiff_t(firstTip),
                                      request.tipPlaces.end());
  const Values<float>& times = runs.results[number].travelTime;
  std::vector<Path> paths =
      mesh::extractPaths(problem, times, tipsOf(problem, tips, places, times), threads, monitor, setup);
  const MeshSeeds& seeds = runs.seeds[number];
  seeds.origin.addTo(paths);
  const std::vector<std::size_t>& group = request.seedGroups.points[number];
  for (Path& path : paths)
    if (path.seed >= 0) path.seed = std::int32_t(group[seeds.points[std::size_t(path.seed)]]);
  return paths;
}

} // namespace

std::array<std::uint64_t, 2> MeshSeedRequest::key(const mesh::Problem& problem) const {
  mesh::Problem all = problem;
  all.seeds.clear();
  for (std::size_t p = 0; p < seeds.size(); ++p)
    all.seeds.push_back({std::int64_t(seeds.labels[p]), -1, seeds.positions[p], seeds.startValues[p]});
  return keyOf(all);
}

bool solves(const MeshSeedRuns& runs, const mesh::Problem& problem, const MeshSeedRequest& request) {
  const MeshSeedRequest& known = runs.request;
  return answers(known, request) && known.options.backend == request.options.backend &&
         known.options.method == request.options.method && runs.key == request.key(problem);
}

bool answers(const MeshSeedRuns& runs, const mesh::Problem& problem, const MeshSeedRequest& request) {
  return runs.request.tipGroups.points == request.tipGroups.points &&
         sameBytes<std::array<double, 3>>(runs.request.tips.positions, request.tips.positions) &&
         solves(runs, problem, request);
}

std::optional<MeshSeedRuns> runEachSeed(const mesh::Problem& problem, MeshSeedRequest wanted,
                                        std::optional<MeshSeedRuns> known, const Monitor& monitor) {
  const bool isSolved = known.has_value();
  MeshSeedRuns all = isSolved ? std::move(*known) : MeshSeedRuns();
  all.request = std::move(wanted);
  const MeshSeedRequest& request = all.request;
  const std::size_t runs = request.seedGroups.size();
  all.key = request.key(problem);
  all.seeds = seedsOfRuns(request);
  all.results.resize(runs);
  const std::vector<bool> usable = usableRuns(problem, all.seeds);

  mesh::Options options = request.options;
  options.seedIds = false;
  if (!isSolved) {
    mesh::Problem first = problem;
    first.seeds = all.seeds[std::size_t(std::ranges::find(usable, true) - usable.begin())].seeds;
    options.setup = mesh::prepare(first, options, monitor.part(0, 0));
    if (!options.setup && problem.accuracy == mesh::Accuracy::FirstOrder) return {};
  }
  std::vector<double> residuals(runs, 0);
  const auto runOne = [&](std::size_t number, std::size_t firstTip, int threads, const Monitor& own) {
    if (!usable[number]) return SeedRun{std::vector<Path>(request.tips.size() - firstTip), {}};
    mesh::Problem one = problem;
    one.seeds = all.seeds[number].seeds;
    mesh::Result& result = all.results[number];
    const double share = isSolved ? 0 : 0.9; // of the solve
    if (!isSolved) {
      mesh::Options mine = options;
      mine.threads = threads;
      result = mesh::solveMeshTravelTime(one, mine, own.part(0, 0.85));
      if (result.aborted) return SeedRun();
      if (request.residual && one.accuracy == mesh::Accuracy::FirstOrder)
        residuals[number] = mesh::residual(one, result.travelTime, threads, own.part(0.85, 0.05));
      if (std::isnan(residuals[number])) return SeedRun();
    }
    const mesh::Setup* const setup = options.setup.get();
    SeedRun run{trace(one, all, number, firstTip, threads, own.part(share, 1 - share), setup),
                result.ranOn.backend};
    if (!request.keepsFields) result.travelTime = {}, result.open = {};
    return run;
  };
  auto found = runEachSeed(planOf(request, isSymmetric(request), needsOf(problem, request)), monitor, runOne);
  if (!found) return {};
  all.found = std::move(*found);
  if (!isSolved)
    all.residual =
        request.residual ? *std::ranges::max_element(residuals) : std::numeric_limits<double>::quiet_NaN();
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
  for (std::size_t r = 0; r < runs.results.size(); ++r) {
    const mesh::Result& result = runs.results[r];
    if (!usable(result)) continue;
    first.rounds += result.rounds;
    first.updatesPerVertex += result.updatesPerVertex;
    first.ballVertices += result.ballVertices;
    // The seeds of a group have one label and are numbered by labels: alike in its run and among all.
    const std::vector<std::size_t>& group = runs.request.seedGroups.points[r];
    std::vector<std::size_t> numbers; // among all, of the seeds of this run
    for (std::size_t n = 0; n < seeds.points.size(); ++n)
      if (std::ranges::binary_search(group, seeds.points[n])) numbers.push_back(n);
    for (std::size_t k = 0; k < numbers.size(); ++k) first.usable[numbers[k]] = result.usable[k];
    if (first.blurredSeed < 0 && result.blurredSeed >= 0)
      first.blurredSeed = std::int64_t(numbers[std::size_t(result.blurredSeed)]);
    const auto start = float(seeds.origin.since(runs.seeds[r].origin.time()));
    for (std::size_t v = 0; v < first.travelTime.size(); ++v)
      if (const float time = start + result.travelTime[v]; time < first.travelTime[v])
        first.travelTime[v] = time, first.seed[v] = std::int32_t(numbers[0]);
  }
  return first;
}

} // namespace isochrone::filters
