// HostSolver.h - travel times on the host.
#pragma once

#include "RayTracing/Validation.h"

namespace isochrone::rays {

/// Fills the fields' travel times and the work statistics of the result.
void solveOnHost(const Problem& problem, const Options& options, const SlownessRange& range,
                 execution::RoundPool& pool, const Monitor& monitor, Result& result);

} // namespace isochrone::rays
