// PredecessorEdges.h - predecessors of all points that have an earlier one, by SIMD on the host.
#pragma once

#include "Execution/RoundPool.h"
#include "RayTracing/Host/TilePlan.h"
#include "Values.h"

#include <cstdint>
#include <span>

namespace isochrone::rays {

/// Returns, per point, the index of the first edge of the forward star over which its time came from an
/// earlier point; noOffset if none exists.
/// @param plan  of the problem and options that gave the times, with its slowness
template <class Real>
Values<std::uint16_t> earlierNeighbours(const TilePlan<Real>& plan, std::span<const Real> times,
                                        execution::RoundPool& pool);

} // namespace isochrone::rays
