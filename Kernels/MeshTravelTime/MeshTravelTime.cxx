#include "MeshTravelTime/MeshTravelTime.h"

#ifdef ISOCHRONE_WITH_CUDA
#include "MeshTravelTime/Tiles/CudaSolver.h"
#endif
#include "Error.h"
#include "Execution/HostDevice.h"
#include "MeshTravelTime/Exact/ExactPaths.h"
#include "MeshTravelTime/Exact/ExactSolver.h"
#include "MeshTravelTime/Host/HostSolver.h"
#include "MeshTravelTime/Host/PackedStars.h"
#include "MeshTravelTime/Paths/NearestSeed.h"
#include "MeshTravelTime/Paths/PathTrace.h"
#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Scheme/VertexStars.h"
#include "MeshTravelTime/Seeds/Starts.h"
#include "MeshTravelTime/Tiles/Methods.h"
#include "MeshTravelTime/Validation.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>

namespace isochrone::mesh {

struct Setup {
  VertexStars stars;         ///< unfinished if the monitor requested a stop
  PackedStars packed;        ///< empty unless `packs`
  bool packs = false;        ///< for the host's own methods
  Values<std::uint8_t> open; ///< Result::open
  VertexCells cells;         ///< of a setup that several solves share, else empty
};

namespace {

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

#ifndef ISOCHRONE_WITH_CUDA // chooseBackend refuses Cuda in this case
Values<float> solveOnCuda(const VertexStars&, const std::vector<Start>&, const Sharing&, const Options&,
                          const Monitor&, Result&) {
  return {};
}
#endif

Values<std::uint8_t> openVertices(const VertexStars& stars, execution::RoundPool& pool) {
  Values<std::uint8_t> open(std::size_t(stars.vertexCount));
  pool.forEach(stars.vertexCount, [&](std::int64_t v) { open[v] = !stars.star(stars.number[v]).empty(); });
  return open;
}

/// Returns the time along the shortest edge of nonzero length at a vertex, in solver units.
float shortestEdge(const VertexStars& stars, std::int32_t vertex) {
  float square = unreached;
  for (const Corner corner : stars.star(vertex))
    for (int i = 0; i < 3; ++i) {
      const Tetrahedron& t = stars.tetrahedra[corner / 4];
      const int k = int(corner % 4), other = otherVertex(k, i);
      const float edge = t.square[edgeBetween(k, other)];
      if (t.vertex[other] < stars.vertexCount && edge > 0) square = std::min(square, edge);
    }
  return std::sqrt(square);
}

/// Stops the other processes that share the mesh.
void stopOthers(const Sharing& sharing) {
  if (!sharing.exchange) return;
  std::vector<float> times(sharing.vertices.size(), std::numeric_limits<float>::infinity());
  sharing.exchange(times, std::numeric_limits<double>::quiet_NaN(), 0);
}

/// Returns the maximum error of rounding a start to single precision.
double blurOf(const Start& start) { return std::numeric_limits<float>::epsilon() / 2 * std::abs(start.time); }

/// Returns the starts so late that they may become Result::blurredSeed. They do not if an earlier wave passed
/// the seed: no arrivals from it are left to blur.
std::vector<Start> lateStarts(const VertexStars& stars, std::vector<Start> starts) {
  std::erase_if(starts, [&](const Start& s) { return !(blurOf(s) > shortestEdge(stars, s.vertex) / 16); });
  return starts;
}

/// Sets the travel times, in world units and in the order of the problem.
void setTimes(const Problem& p, const VertexStars& stars, const Values<float>& times,
              execution::RoundPool& pool, Result& result) {
  result.travelTime.resize(std::size_t(stars.vertexCount));
  std::atomic<bool> tooLate = false;
  pool.forEach(stars.vertexCount, [&](std::int64_t v) {
    const float time = times[stars.number[v]];
    result.travelTime[v] =
        time < unreached ? float(p.timeOrigin + time * stars.unit) : std::numeric_limits<float>::infinity();
    if (time < unreached && std::isinf(result.travelTime[v])) tooLate = true;
  });
  if (tooLate && !p.sharing.exchange)
    throw Error(
        "travel times exceed 3.4e38, the maximum of single precision: use other units of length or speed");
}

/// The backend, the method and the threads of a solve.
struct Choice {
  BackendChoice ranOn;
  Method method;
  bool packs; ///< the method works on PackedStars
  int threads;

  Choice(const Problem& problem, const Options& options)
      : ranOn(chooseBackend(options.backend, kernelBytes(problem))),
        method(options.method == Method::Automatic ? Method::Band : options.method),
        packs(isOnHost() && !isDecomposed()) {
    constexpr double time = 1000; // ns for a tetrahedron
    threads = chooseThreads(options.threads, time * double(problem.cellCount()));
  }
  bool isOnHost() const { return ranOn.backend == Backend::Host; }
  bool isDecomposed() const {
    return method == Method::DecomposedManyBlocks || method == Method::DecomposedOneBlock;
  }
};

/// Converts the mesh to stars.
std::shared_ptr<Setup> setUp(const Problem& problem, const Options& options, const Choice& choice,
                             execution::RoundPool& pool, const Monitor& monitor) {
  auto setup = std::make_shared<Setup>();
  setup->packs = choice.packs;
  const bool compact = choice.packs && chooseCompact(problem, options.memory);
  if (!choice.packs)
    requireHostMemory(starBytes(problem) + (choice.isOnHost() ? kernelBytes(problem) : 0), nameOf(problem));
  setup->stars = makeVertexStars(problem, pool, monitor);
  if (setup->stars.unfinished) return setup;
  setup->open = openVertices(setup->stars, pool);
  if (choice.packs) setup->packed = PackedStars(setup->stars, compact, pool);
  return setup;
}

Result solveWhereChosen(const Problem& problem, const Options& options, const Monitor& monitor) {
  // 1. Check the problem and choose the backend.
  validate(problem, options);
  if (problem.accuracy == Accuracy::Exact) return solveExactly(problem, options, monitor);
  const Choice choice(problem, options);
  Result result;
  result.ranOn = choice.ranOn;
  result.method = choice.method;
  const bool onHost = choice.isOnHost(), decomposed = choice.isDecomposed();
  execution::HostDevice device{choice.threads};
  execution::RoundPool& pool = device.pool;

  // 2. Convert the mesh to stars, unless that is done, and find the starts.
  const auto begin = std::chrono::steady_clock::now();
  const bool isPrepared = options.setup && options.setup->packs == choice.packs;
  const std::shared_ptr<Setup> own = isPrepared ? nullptr : setUp(problem, options, choice, pool, monitor);
  const Setup& setup = isPrepared ? *options.setup : *own;
  const VertexStars& stars = setup.stars;
  const PackedStars& packed = setup.packed;
  result.aborted = stars.unfinished;
  if (result.aborted) {
    stopOthers(problem.sharing);
    return result;
  }
  result.barriers = stars.barriers;
  result.straightened = stars.straightened;
  result.obtuseAngles = stars.obtuseAngles;
  result.open = own ? std::move(own->open) : setup.open;
  const std::vector<Start> starts = startsOf(problem, stars, result, own ? nullptr : &setup.cells);
  if (starts.empty() && !problem.sharing.exchange)
    throw Error("every seed is in a barrier: move one to where the speed is positive");
  const std::vector<Start> late = lateStarts(stars, starts);
  if (own && choice.packs && !options.seedIds) own->stars.releaseTetrahedra();
  result.workBytes = stars.bytes() + packed.bytes();
  result.setupSeconds = secondsSince(begin);

  // 3. Compute the travel times.
  const auto solving = std::chrono::steady_clock::now();
  const auto solve = [&] {
    if (!onHost) return solveOnCuda(stars, starts, problem.sharing, options, monitor, result);
    if (decomposed)
      return solveByKernels(device, stars, starts, problem.sharing, options, {}, monitor, result);
    return solveOnHost(stars, packed, starts, problem.sharing, result.method == Method::Band, pool, monitor,
                       result);
  };
  const Values<float> times = solve();
  result.solveSeconds = secondsSince(solving);
  if (result.aborted) {
    result.open.clear();
    return result;
  }

  // 4. Convert to world units and the order of the problem.
  setTimes(problem, stars, times, pool, result);
  for (const Start& start : late)
    if (result.blurredSeed < 0 && times[start.vertex] >= start.time - 2 * blurOf(start))
      result.blurredSeed = start.seed;
  if (options.seedIds) result.seed = nearestSeeds(stars, starts, times, problem.sharing, pool);
  monitor.report(1);
  return result;
}

} // namespace

std::vector<Path> extractPaths(const Problem& problem, std::span<const float> travelTime,
                               std::span<const Tip> tips, int threads, const Monitor& monitor,
                               const Setup* setup) {
  if (problem.accuracy == Accuracy::Exact) return exactPaths(problem, travelTime, tips, threads, monitor);
  return steepestPaths(problem, travelTime, tips, threads, monitor, setup ? &setup->cells : nullptr);
}

std::vector<bool> usableSeeds(const Problem& problem) {
  validate(problem, {});
  const auto isOpen = [&](std::int64_t cell) {
    grid::Symmetric3 metric;
    return metricAt(problem, cell, metric) == Passage::Open;
  };
  std::vector<bool> usable;
  for (const Seed& seed : problem.seeds)
    usable.push_back(seed.cell >= 0 && seed.vertex < 0 && isOpen(seed.cell));
  std::unordered_map<std::int64_t, std::vector<std::size_t>> seedsAt; // vertices
  for (std::size_t s = 0; s < problem.seeds.size(); ++s)
    if (problem.seeds[s].vertex >= 0) seedsAt[problem.seeds[s].vertex].push_back(s);
  for (std::size_t n = 0; n < problem.cells.size() && !seedsAt.empty(); ++n)
    if (const auto at = seedsAt.find(problem.cells[n]); at != seedsAt.end() && isOpen(std::int64_t(n / 4))) {
      for (const std::size_t s : at->second) usable[s] = true;
      seedsAt.erase(at);
    }
  return usable;
}

std::shared_ptr<const Setup> prepare(const Problem& problem, const Options& options, const Monitor& monitor) {
  validate(problem, options);
  if (problem.accuracy == Accuracy::Exact) return nullptr;
  const Choice choice(problem, options);
  execution::RoundPool pool(choice.threads);
  const std::shared_ptr<Setup> setup = setUp(problem, options, choice, pool, monitor);
  if (setup->stars.unfinished) return nullptr;
  setup->cells = makeVertexCells(problem, pool);
  return setup;
}

Result solveMeshTravelTime(const Problem& problem, const Options& options, const Monitor& monitor) {
  return solveWithFallback(options, [&](const Options& o) { return solveWhereChosen(problem, o, monitor); });
}

} // namespace isochrone::mesh
