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
  const auto index = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return i - points.low[0] + points.size(0) * (j - points.low[1] + points.size(1) * (k - points.low[2]));
  };
  const auto take = [&](const surface::PointBlock& block) {
    for (std::int64_t k = 0; k < block.size[2]; ++k)
      for (std::int64_t j = 0; j < block.size[1]; ++j)
        for (std::int64_t i = 0; i < block.size[0]; ++i) {
          const std::int64_t from = i + block.stride[0] * j + block.stride[1] * k;
          writer.write(index(block.low[0] + i, block.low[1] + j, block.low[2] + k), block.square[from],
                       block.piece[from]);
        }
  };
  result.aborted = !surface::findSquaredDistances(problem.grid, points, problem.surface->pieces,
                                                  options.maximumDistance, threads, monitor, take);
  result.workBytes += surface::workBytes(problem.surface->pieces.size());
  result.passes.push_back(
      {"surface", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
}

} // namespace isochrone::distance
