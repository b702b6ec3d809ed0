// Cuda.h - what host code may ask about CUDA without including it. Built only with ISOCHRONE_WITH_CUDA.
#pragma once

#include <cstddef>
#include <string>

namespace isochrone::execution {

/// The CUDA device that solvers run on: the current one of this thread.
struct CudaState {
  std::string name;          ///< empty if no device is usable
  std::string problem;       ///< why none is usable, in one clause; empty if one is
  std::size_t freeBytes = 0; ///< device memory that is free now
};

CudaState queryCuda();

} // namespace isochrone::execution
