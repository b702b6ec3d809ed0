// FilterMonitor.h - the monitor through which the kernels report progress and check for an abort.
#pragma once

#include "Monitor.h"

#include <vtkAlgorithm.h>

namespace isochrone::filters {

/// Returns the monitor of one step of the filter.
/// @param begin, end  progress of the filter before and after the step
inline Monitor monitorOf(vtkAlgorithm* filter, double begin, double end) {
  return {[=](double share) {
    filter->UpdateProgress(begin + (end - begin) * share);
    return !filter->CheckAbort();
  }};
}

} // namespace isochrone::filters
