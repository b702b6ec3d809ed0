// ManyRuns.h - independent solves at the same time.
//
// Solves of different seeds need nothing of each other. On one thread each they use every core without
// waiting for each other, whereas the threads of one solve wait at the end of each round.
#pragma once

#include "Backend.h"
#include "Monitor.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace isochrone {

/// How many runs take place at the same time on the host, and the threads of each.
struct RunsAtOnce {
  int runs = 1, threads = 1;
};

/// Returns one run per thread, as far as there are runs and memory for them. Threads without a run of their
/// own are divided among the runs.
/// @param count    number of runs
/// @param threads  as in the options of the solvers; 0: the cores for this process
/// @param bytes    memory of one run while it takes place
/// @param kept     memory of the results that are kept of all runs
RunsAtOnce chooseRunsAtOnce(std::int64_t count, int threads, double bytes, double kept);

/// Calls run(i, monitor) for i = 0, ..., count - 1, `atOnce` at the same time, in any order. The calling
/// thread only reports the progress of all runs, ten times a second, and passes a request to stop on to
/// them. Returns false if the monitor requested a stop; a run that its monitor stopped may then have returned
/// early. Throws the first exception of a run; no run starts after it.
/// @param run  called on several threads, with a monitor of its own
bool forEachRun(std::int64_t count, int atOnce, const Monitor& monitor,
                const std::function<void(std::int64_t, const Monitor&)>& run);

/// A run that solves a problem on a number of threads. Returns where it ran; nothing if there was nothing to
/// solve.
using SolverRun = std::function<std::optional<Backend>(std::int64_t, int threads, const Monitor&)>;

/// Calls all runs of a solver as forEachRun. On a CUDA device one run follows the other, each with all
/// threads. The solver chooses the backend, so if a device may be used, runs follow each other until one took
/// the host.
/// @param mayUseDevice  false: all runs take the host
/// @param threads       of a run on a device
bool forEachRun(std::int64_t count, const RunsAtOnce& onHost, bool mayUseDevice, int threads,
                const Monitor& monitor, const SolverRun& run);

} // namespace isochrone
