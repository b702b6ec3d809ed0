// PlainRelaxation.h - the paper's method on the host, for comparison, by the kernels that run on CUDA.
#pragma once

#include "RayTracing/RayTracing.h"

namespace isochrone::rays {

/// Fills the fields' travel times and the work statistics of the result.
void relaxPlainlyOnHost(const Problem& problem, const Options& options, int threads, const Monitor& monitor,
                        Result& result);

} // namespace isochrone::rays
