#include "DistanceTransform/Host/SurfaceSolver.h"

#include "DistanceTransform/Validation.h"
#include "Execution/RoundPool.h"

#include <chrono>
#include <cmath>
#include <limits>

namespace isochrone::distance {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Writes the results of single points.
class Writer {
public:
  Writer(const Problem& p, const Options& o, Result& r) : problem(p), options(o), result(r) {
    const auto points = std::size_t(p.box().points());
    requireHostMemory(resultBytes(p, o), nameOf(p));
    if (o.distance && !o.doublePrecision) r.distance.resize(points);
    if (o.distance && o.doublePrecision) r.preciseDistance.resize(points);
    if (o.squaredDistance) r.squaredDistance.resize(points);
    if (o.nearestSite) r.nearestSite.resize(points);
  }

  void write(std::int64_t point, double square, std::int32_t piece) {
    const auto i = std::size_t(point);
    const bool inside = problem.sites[i] != 0;
    double distance = std::sqrt(square);
    if (options.maximumDistance > 0 && distance > options.maximumDistance) {
      distance = square = infinity;
      piece = -1;
    }
    const bool measured = options.region == Region::Outside  ? !inside
                          : options.region == Region::Inside ? inside
                                                             : true;
    if (!measured) distance = square = 0;
    if (options.region == Region::Signed && inside && distance > 0) distance = -distance;
    if (!result.distance.empty()) result.distance[i] = float(distance);
    if (!result.preciseDistance.empty()) result.preciseDistance[i] = distance;
    if (!result.squaredDistance.empty()) result.squaredDistance[i] = square;
    if (!result.nearestSite.empty()) result.nearestSite[i] = piece;
  }

private:
  const Problem& problem;
  const Options& options;
  Result& result;
};

} // namespace

void solveSurfaceOnHost(const Problem& problem, const Options& options, int threads, const Monitor& monitor,
                        Result& result) {
  const auto start = std::chrono::steady_clock::now();
  Writer writer(problem, options, result);
  Box box = problem.box();
  for (int a = 0; a < 3; ++a) box.begin[a] += problem.first[a], box.end[a] += problem.first[a];
  const grid::Box points{box.begin, box.end};
  const auto index = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return i - box.begin[0] + points.size(0) * (j - box.begin[1] + points.size(1) * (k - box.begin[2]));
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
