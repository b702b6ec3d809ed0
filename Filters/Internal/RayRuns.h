// RayRuns.h - solved problems of the ray tracer, and the rays through one or two of them.
#pragma once

#include "RayOutputs.h"
#include "RayProblem.h"

#include <cstddef>
#include <vector>

namespace isochrone::filters {

/// A problem with its solution.
struct RayRun {
  RayProblem input;
  rays::Options options;
  rays::Result result;
};

/// Does a wave arrive anywhere?
bool reachesAnything(const RayRun& run);

/// The legs of waves: the direct one, and where they are reflected the second one for each of its fields.
struct RayLegs {
  const RayRun& direct;
  const std::vector<RayRun>& reflected; ///< may be empty

  /// The rays of one field of the first leg to receivers at these places.
  Arrivals arrivals(std::size_t field, const std::vector<rays::Position>& places) const;
  /// The matrices of these rays.
  std::vector<rays::RayMatrix> matrices(std::size_t field, const Arrivals& arrivals) const;
};

} // namespace isochrone::filters
