// Cuda.h - the state of CUDA, for host code that does not include its headers.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace isochrone::execution {

/// The device that solvers run on, modulo the number of devices; -1: the current device of the calling
/// thread.
inline std::atomic<int> chosenDevice{-1};

/// The CUDA device that solvers run on.
struct CudaState {
  std::string name;          ///< empty if no device is usable
  std::string problem;       ///< why no device is usable, in one clause; empty if one is
  std::size_t freeBytes = 0; ///< device memory free at the time of the query
};

/// Built only with ISOCHRONE_WITH_CUDA.
CudaState queryCuda();

} // namespace isochrone::execution
