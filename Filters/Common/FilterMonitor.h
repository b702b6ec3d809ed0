// FilterMonitor.h - the monitor through which the kernels report progress and check for an abort.
#pragma once

#include "Monitor.h"

#include <vtkAlgorithm.h>
#include <vtkVersionMacros.h>

namespace isochrone::filters {

/// Returns the monitor of one step of the filter.
/// @param begin, end  progress of the filter before and after the step
inline Monitor monitorOf(vtkAlgorithm* filter, double begin, double end) {
  return {[=](double share) {
    filter->UpdateProgress(begin + (end - begin) * share);
#if VTK_VERSION_NUMBER < VTK_VERSION_CHECK(9, 2, 0)
    return !filter->GetAbortExecute();
#else
    return !filter->CheckAbort();
#endif
  }};
}

} // namespace isochrone::filters
