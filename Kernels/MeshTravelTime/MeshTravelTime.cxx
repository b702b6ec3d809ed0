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
#include "MeshTravelTime/Scheme/VertexStars.h"
#include "MeshTravelTime/Seeds/Starts.h"
#include "MeshTravelTime/Tiles/Methods.h"
#include "MeshTravelTime/Validation.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>

namespace isochrone::mesh {

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

Result solveWhereChosen(const Problem& problem, const Options& options, const Monitor& monitor) {
  // 1. Check the problem and choose the backend.
  validate(problem, options);
  if (problem.accuracy == Accuracy::Exact) return solveExactly(problem, options, monitor);
  Result result;
  result.ranOn = chooseBackend(options.backend, kernelBytes(problem));
  result.method = options.method == Method::Automatic ? Method::Band : options.method;
  const bool onHost = result.ranOn.backend == Backend::Host;
  const bool decomposed =
      result.method == Method::DecomposedManyBlocks || result.method == Method::DecomposedOneBlock;
  constexpr double time = 1000; // ns for a tetrahedron
  execution::HostDevice device{chooseThreads(options.threads, time * double(problem.cellCount()))};
  execution::RoundPool& pool = device.pool;
  const bool packs = onHost && !decomposed, compact = packs && chooseCompact(problem, options.memory);
  if (!packs) requireHostMemory(starBytes(problem) + (onHost ? kernelBytes(problem) : 0), nameOf(problem));

  // 2. Convert the mesh to stars and find the starts.
  const auto begin = std::chrono::steady_clock::now();
  VertexStars stars = makeVertexStars(problem, pool, monitor);
  result.aborted = stars.unfinished;
  if (result.aborted) {
    stopOthers(problem.sharing);
    return result;
  }
  result.barriers = stars.barriers;
  result.straightened = stars.straightened;
  result.obtuseAngles = stars.obtuseAngles;
  result.open = openVertices(stars, pool);
  const std::vector<Start> starts = startsOf(problem, stars, result);
  if (starts.empty() && !problem.sharing.exchange)
    throw Error("every seed is in a barrier: move one to where the speed is positive");
  const std::vector<Start> late = lateStarts(stars, starts);
  PackedStars packed;
  if (packs) {
    packed = PackedStars(stars, compact, pool);
    if (!options.seedIds) stars.releaseTetrahedra();
  }
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
                               std::span<const Tip> tips, int threads, const Monitor& monitor) {
  const bool isExact = problem.accuracy == Accuracy::Exact;
  return (isExact ? exactPaths : steepestPaths)(problem, travelTime, tips, threads, monitor);
}

Result solveMeshTravelTime(const Problem& problem, const Options& options, const Monitor& monitor) {
  return solveWithFallback(options, [&](const Options& o) { return solveWhereChosen(problem, o, monitor); });
}

} // namespace isochrone::mesh
