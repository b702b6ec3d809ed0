// SurfaceWriter.h - from squared distances to a surface to the results that the region requests.
#pragma once

#include "DistanceTransform/DistanceTransform.h"
#include "DistanceTransform/Validation.h"

#include <cmath>
#include <limits>

namespace isochrone::distance {

/// Writes the results of single points from their squared distances to a surface.
class SurfaceWriter {
public:
  SurfaceWriter(const Problem& p, const Options& o, Result& r) : problem(p), options(o), result(r) {
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
      distance = square = std::numeric_limits<double>::infinity();
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

} // namespace isochrone::distance
