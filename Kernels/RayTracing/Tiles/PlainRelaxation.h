// PlainRelaxation.h - the paper's method on the host, to compare with: by the kernels that run on CUDA.
#pragma once

#include "RayTracing/RayTracing.h"

namespace isochrone::rays {

/// Fills the fields' travel times, and what is known of the work.
void relaxPlainlyOnHost(const Problem& problem, const Options& options, int threads, const Monitor& monitor,
                        Result& result);

} // namespace isochrone::rays
