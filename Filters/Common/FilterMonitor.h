// FilterMonitor.h - what a filter hands to the kernels, for them to report progress to and to ask about
// Abort.
#pragma once

#include "Monitor.h"

#include <vtkAlgorithm.h>

namespace isochrone::filters {

/// For a step of the filter.
/// @param begin, end  share of its whole work before and after
inline Monitor monitorOf(vtkAlgorithm* filter, double begin, double end) {
  return {[=](double share) {
    filter->UpdateProgress(begin + (end - begin) * share);
    return !filter->CheckAbort();
  }};
}

} // namespace isochrone::filters
