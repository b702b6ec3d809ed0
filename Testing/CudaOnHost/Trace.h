// Trace.h - CUDA_ON_HOST_TRACE names a file that takes a line for each thing that the device does.
#pragma once

#include "Kernel.h"

#include <cstddef>

namespace on_host {

bool tracing();

/// "launch <blocks> <threads> <instructions> <slots> <lanes> <sectors> <fetched> <conflicts> <depth>
/// <kernel>", see Counts
void traceLaunch(const Launch& launch);
/// "copy <bytes>"
void traceCopy(std::size_t bytes);
/// "wait <more>": the host waited; 1 if the device has more to do than what it waited for
void traceWait(bool moreToDo);
/// "graph": one launch for all launches of a graph
void traceGraph();

} // namespace on_host
