// FetchAdd.h - sums that many lanes add to. Their results do not depend on the order of the lanes.
#pragma once

#include "Execution/Team.h"

namespace isochrone::adjoint {

/// Adds to a sum and returns the previous one. A single host thread adds without a lock, which is faster.
template <class T>
TEAM_FN T fetchAdd(T& sum, T value, [[maybe_unused]] bool manyThreads) {
#ifndef __CUDA_ARCH__
  if (!manyThreads) {
    const T now = execution::loadRelaxed(sum);
    execution::storeRelaxed(sum, now + value);
    return now;
  }
#endif
  return execution::fetchAdd(sum, value);
}

} // namespace isochrone::adjoint
