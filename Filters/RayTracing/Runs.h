// Runs.h - solved problems of the ray tracer, and the rays through one or two of them.
#pragma once

#include "RayTracing/Outputs.h"
#include "RayTracing/Problem.h"

#include <cstddef>
#include <string>
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

/// The numbers of all its fields.
std::vector<std::size_t> fieldsOf(const RayRun& run);

/// What to say about Result::roundingRisk; empty if there is none.
std::string roundingRisk(const RayRun& run);

/// The legs of waves: the direct one, and where they are reflected the second one for each of its fields.
struct RayLegs {
  const RayRun& direct;
  const std::vector<RayRun>& reflected; ///< may be empty

  /// The rays of one field of the first leg to receivers at these places. Empty if the monitor said stop.
  Arrivals arrivals(std::size_t field, const std::vector<rays::Position>& places,
                    const Monitor& monitor) const;
  /// The matrices of these rays. Empty if the monitor said stop.
  std::vector<rays::RayMatrix> matrices(std::size_t field, const Arrivals& arrivals,
                                        const Monitor& monitor) const;
};

} // namespace isochrone::filters
