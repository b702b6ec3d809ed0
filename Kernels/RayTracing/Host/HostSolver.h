// HostSolver.h - travel times on the host.
#pragma once

#include "Execution/RoundPool.h"
#include "Monitor.h"
#include "RayTracing/Host/TilePlan.h"
#include "RayTracing/RayTracing.h"

namespace isochrone::rays {

/// Fills the fields' travel times and the work statistics of the result.
/// @param plan  of the problem; its slowness is computed
template <class Real>
void solveOnHost(const Problem& problem, const Options& options, const SlownessRange& range,
                 TilePlan<Real>& plan, execution::RoundPool& pool, const Monitor& monitor, Result& result);

} // namespace isochrone::rays
