#include "DistanceTransform/Host/SurfaceSolver.h"

#include "DistanceTransform/Scheme/SurfaceWriter.h"

#include <chrono>

namespace isochrone::distance {

void solveSurfaceOnHost(const Problem& problem, const Options& options, int threads, const Monitor& monitor,
                        Result& result) {
  const auto start = std::chrono::steady_clock::now();
  SurfaceWriter writer(problem, options, result);
  grid::Box points{problem.box().begin, problem.box().end};
  for (int a = 0; a < 3; ++a) points.low[a] += problem.first[a], points.high[a] += problem.first[a];
  const auto take = [&](const surface::PointBlock& block) {
    block.forEach([&](const GridIndex& at, double square, std::int32_t piece) {
      writer.write(at[0] - points.low[0] +
                       points.size(0) * (at[1] - points.low[1] + points.size(1) * (at[2] - points.low[2])),
                   square, piece);
    });
  };
  result.aborted = !surface::findSquaredDistances(problem.grid, points, problem.surface->pieces,
                                                  options.maximumDistance, threads, monitor, take);
  result.workBytes += surface::workBytes(problem.surface->pieces.size());
  result.passes.push_back(
      {"surface", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
}

} // namespace isochrone::distance
