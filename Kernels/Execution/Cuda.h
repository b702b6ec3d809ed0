// Cuda.h - the state of CUDA, for host code that does not include its headers. Built only with
// ISOCHRONE_WITH_CUDA.
#pragma once

#include <cstddef>
#include <string>

namespace isochrone::execution {

/// The CUDA device that solvers run on: the current device of this thread.
struct CudaState {
  std::string name;          ///< empty if no device is usable
  std::string problem;       ///< why no device is usable, in one clause; empty if one is
  std::size_t freeBytes = 0; ///< device memory free at the time of the query
};

CudaState queryCuda();

} // namespace isochrone::execution
