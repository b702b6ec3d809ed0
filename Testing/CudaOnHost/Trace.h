// Trace.h - writes a line for each operation of the device to the file that CUDA_ON_HOST_TRACE names.
#pragma once

#include "Kernel.h"

#include <cstddef>

namespace on_host {

bool tracing();

/// Writes "launch <blocks> <threads> <instructions> <slots> <lanes> <sectors> <fetched> <conflicts> <depth>
/// <kernel>"; see Counts.
void traceLaunch(const Launch& launch);
/// Writes "copy <bytes>".
void traceCopy(std::size_t bytes);
/// Writes "wait <more>" when the host waits; 1 if the device has more work than the host waits for.
void traceWait(bool moreToDo);
/// Writes "graph", one launch for all launches of a graph.
void traceGraph();

} // namespace on_host
