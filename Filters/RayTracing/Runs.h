// Runs.h - solved problems of the ray tracer, and the rays through one or two of them.
#pragma once

#include "RayTracing/Outputs.h"
#include "RayTracing/Problem.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace isochrone::filters {

/// A problem with its solution.
struct RayRun {
  RayProblem input;
  rays::Options options;
  rays::Result result;
};

/// Returns whether a wave reaches any point of this part.
bool reachesAnything(const RayRun& run);

/// Returns the numbers of all fields.
std::vector<std::size_t> fieldsOf(const RayRun& run);

/// Returns the numbers of the sources of a field. A second leg has none.
std::vector<std::int32_t> sourcesOf(const RayRun& run, std::size_t field);

/// Returns a warning about Result::roundingRisk; empty if there is none.
std::string roundingRisk(const RayRun& run);

/// Returns a warning if edges point in far fewer directions than with equal spacings, so that travel times
/// are too long; else an empty string.
std::string unevenDirections(const RayRun& run);

/// Returns the rays of some fields of the first leg as pathsOf for one field (Outputs.h), field by field.
std::vector<Path> pathsOf(const RayRun& direct, const std::vector<Arrivals>& arrivals,
                          const std::vector<std::size_t>& fields, bool merge);

/// Adds the times of some fields of both legs, and on request the predecessors of the first leg. Collective.
/// @param reflected  the second leg of each field; may be empty
/// @param each  as in attachTimes (Outputs.h)
void attachLegs(const RayRun& direct, const std::vector<RayRun>& reflected,
                const std::vector<std::size_t>& fields, bool each, bool predecessors, PartExchange& ranks,
                vtkImageData* image);

/// Legs of waves: the direct leg, and with a reflection the second leg for each of its fields.
struct RayLegs {
  const RayRun& direct;
  const std::vector<RayRun>& reflected; ///< may be empty
  PartExchange& ranks;

  /// Traces the rays of one field of the first leg to receivers at `places`. Empty if the monitor stopped it.
  /// Collective.
  Arrivals arrivals(std::size_t field, const std::vector<rays::Position>& places,
                    const Monitor& monitor) const;
  /// Computes the matrices of these rays. Empty if the monitor stopped it. Collective.
  std::vector<rays::RayMatrix> matrices(std::size_t field, const Arrivals& arrivals,
                                        const Monitor& monitor) const;
};

} // namespace isochrone::filters
