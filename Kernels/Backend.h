// Backend.h - the choice of the backend and of the number of threads, and checks of free memory.
#pragma once

#include "Error.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace isochrone {

/// The processor that a solver runs on. Automatic uses CUDA if a usable device exists and the problem fits
/// into its free memory, otherwise the host.
enum class Backend { Automatic, Host, Cuda };

/// A backend and, in one clause, the reason for choosing it.
struct BackendChoice {
  Backend backend = Backend::Host;
  std::string reason;
};

/// Lets solvers run on the CUDA device `number` modulo the number of devices, so that the processes of a
/// node, numbered from 0, share its devices. By default they run on the current device of the thread that
/// calls them.
void useCudaDevice(int number);

/// Stands for the device memory of a problem that has more points than the device kernels can index.
inline constexpr std::size_t tooManyForDevice = SIZE_MAX;

/// Returns the backend that a problem runs on.
/// @param requested    backend that the user requested
/// @param deviceBytes  device memory that the problem needs, or tooManyForDevice
/// @throws Error with the reason if CUDA was requested and cannot be used
BackendChoice chooseBackend(Backend requested, std::size_t deviceBytes);

/// Returns the host, on which processes solve the parts of a divided problem.
/// @throws Error if CUDA was requested
BackendChoice chooseBackendForParts(Backend requested);

/// Thrown if the device has less memory than the problem was found to need: other processes may have taken it
/// meanwhile.
struct OutOfDeviceMemory : Error {
  using Error::Error;
};

/// Returns solve(options). If the solve runs out of device memory and the backend is Automatic, solves again
/// on the host.
template <class Options, class Solve>
auto solveWithFallback(Options options, Solve solve) {
  try {
    return solve(options);
  } catch (const OutOfDeviceMemory&) {
    if (options.backend != Backend::Automatic) throw;
    options.backend = Backend::Host;
    auto result = solve(options);
    result.ranOn.reason = "the device ran out of memory";
    return result;
  }
}

/// Lets the processes of a node, such as ranks of MPI, share its cores: chooseThreads(0) returns a share. By
/// default a process uses all cores that it may use.
void shareHostCores(int processes);

/// Returns the number of host threads: `requested` if it is positive, otherwise the number of cores for this
/// process, but at most one per millisecond of work. On a busy machine the start and the end of a thread each
/// can take some milliseconds. The result is at most maxThreads().
/// @param nanoseconds  estimate of the time of one thread
int chooseThreads(int requested, double nanoseconds = 1e18);

/// Returns the maximum number of host threads: 64, or four times the number of cores that this process may
/// use, whichever is larger. More threads never help, and a hundred thousand end the process.
int maxThreads();

/// The part of a node's memory that this process may take beside other processes of the same run, such as
/// ranks of MPI. Each process then checks its needs for itself, in its own time: what the others take
/// meanwhile is not free any more, but belongs to their shares.
struct MemoryShare {
  int processes = 1;           ///< of the run on this node
  double fraction = 1;         ///< of `free` that this process may take
  std::size_t free = SIZE_MAX; ///< bytes, measured while none of the processes worked
};

/// Sets the share that the checks below allow from now on, counting what this process takes and frees after
/// this call. By default a process may take all that is free.
void shareHostMemory(const MemoryShare& share);

/// Returns the bytes that are free for all processes of this node together; SIZE_MAX if unknown.
std::size_t freeHostMemory();

/// Checks, before any allocation, that this process may take `bytes` of memory.
/// @param what  the data that needs the memory, as in "300 x 300 points x 96 headings"
/// @throws Error with both numbers if less memory is free, or left of the share of this process
void requireHostMemory(std::size_t bytes, const std::string& what);

/// Returns whether this process may take `bytes` of memory.
bool hasHostMemory(std::size_t bytes);

} // namespace isochrone
