// PlainSolver.h - the entry to the paper's method (Tiles/PlainRelaxation.h), on the host and on CUDA.
#pragma once

#include "RayTracing/RayTracing.h"

#include <cstddef>

namespace isochrone::rays {

/// Returns the number of bytes of work memory, without small arrays.
std::size_t plainBytes(const Problem& problem, const Options& options);

/// Solves a validated problem on a backend. Sets what the solvers by tiles set.
/// @throws Error if memory is insufficient or the device fails
void solvePlainly(const Problem& problem, const Options& options, Backend backend, int threads,
                  const Monitor& monitor, Result& result);

/// The part of solvePlainly on the current CUDA device.
void solvePlainlyOnCuda(const Problem& problem, const Options& options, const Monitor& monitor,
                        Result& result);

} // namespace isochrone::rays
